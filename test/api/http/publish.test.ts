import { afterEach, beforeEach, expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { freshFolder } from '../../support/folders.ts';
import {
  type FixtureSymbol,
  fixtureSymbols,
  NOW_MS,
  publishMarket,
} from '../support/market-fixture.ts';
import { type Reply, startTestServer, type TestServer } from '../support/test-server.ts';

const PATHS = [
  '/v1/svc/technical/ABC?indicators=sma,macd,bollinger,ema:33&limit=300',
  '/v1/svc/technical/BRK.B?indicators=rsi&interval=1w&format=csv',
  '/v1/svc/quotes/batch?symbols=ABC,NEW,BRK.B,RAW',
];

let dataDir: string;
let server: TestServer;

beforeEach(() => {
  dataDir = freshFolder();
});

afterEach(() => server.close());

function publish(symbols: readonly FixtureSymbol[]): Promise<void> {
  return publishMarket(modePaths(dataDir, 'sandbox').serving, symbols);
}

/** Returns the responses of a server that serves only one market. */
async function answersOf(symbols: readonly FixtureSymbol[]): Promise<string[]> {
  const folder = freshFolder();
  await publishMarket(modePaths(folder, 'sandbox').serving, symbols);
  const alone = await startTestServer(folder, NOW_MS);
  const replies = await Promise.all(PATHS.map((path) => alone.get(path)));
  await alone.close();
  return replies.map((reply) => reply.text);
}

it('a publish is picked up while requests run: none fails, none mixes two versions', async () => {
  const markets = [10, 20, 30].map(fixtureSymbols);
  const expected = await Promise.all(markets.map(answersOf));
  await publish(markets[0]);
  server = await startTestServer(dataDir, NOW_MS);

  const replies: Reply[][] = [];
  const ask = async () => replies.push(await Promise.all(PATHS.map((path) => server.get(path))));
  for (const [version, market] of markets.entries()) {
    await Promise.all([publish(market), ask(), ask()]);
    const isSeen = () => replies.at(-1)?.every(({ text }, i) => text === expected[version][i]);
    do await Promise.all([ask(), ask(), ask()]);
    while (!isSeen());
  }

  for (const round of replies) {
    round.forEach(({ status, text }, i) => {
      expect(status).toBe(200);
      expect(expected.some((answers) => answers[i] === text)).toBe(true);
    });
  }
});

it('the ETag of a response holds until the next publish', async () => {
  await publish(fixtureSymbols(1));
  server = await startTestServer(dataDir, NOW_MS);
  const [path] = PATHS;
  const etag = (await server.get(path)).headers.get('ETag') as string;
  expect((await server.get(path, { 'If-None-Match': etag })).status).toBe(304);
  await publish(fixtureSymbols(2));
  let reply: Reply;
  do reply = await server.get(path, { 'If-None-Match': etag });
  while (reply.status === 304);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('ETag')).not.toBe(etag);
});
