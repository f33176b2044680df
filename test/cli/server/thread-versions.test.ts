/** Published data and screens in a server of several threads. */

import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { backgroundLimits } from '../../../src/cli/server/limits.ts';
import type { TestServer } from '../../api/support/test-server.ts';
import { someOf } from '../../support/store-runs.ts';
import { type Asked, ask, askMany } from '../support/ask.ts';
import { writeCandleFile } from '../support/candle-file.ts';
import { putSandbox } from '../support/full-sandbox.ts';
import { nicenessOf } from '../support/niceness.ts';
import type { CliFolder } from '../support/run-cli.ts';
import { startThreads, THREADS, type Threads } from '../support/threads.ts';

let folder: CliFolder;
let threads: Threads;
let address: string;
/** Serves the same with one thread. */
let alone: TestServer;
let headers: Record<string, string>;

beforeAll(async () => {
  threads = await startThreads(putSandbox);
  ({ folder, address } = threads);
  ({ headers } = await folder.key('test'));
  alone = await folder.serve();
});
afterAll(() => folder.remove());

/**
 * Asks until each thread has answered, a few requests at a time: the system may give all of them to
 * one thread, where an account has its share of bulk responses.
 */
async function askAllThreads(url: string): Promise<Asked[]> {
  const answers: Asked[] = [];
  while (answers.length < 24 || new Set(answers.map(({ thread }) => thread)).size < THREADS) {
    answers.push(...(await askMany(6, url, { headers })));
  }
  return answers;
}

it('published data is the same in all threads as in one that is alone, in every form', async () => {
  const { data } = JSON.parse((await alone.get('/v1/svc/symbols?limit=1')).text);
  const [{ symbol }] = data;
  const paths = [
    `quotes/${symbol}`,
    `technical/${symbol}?indicators=sma,ema,rsi,macd,bollinger&limit=20`,
    `corporate-actions/${symbol}`,
    `fundamentals/${symbol}/statements`,
    `insider/${symbol}/summary`,
    `analyst-consensus/${symbol}`,
    // Cursors in JSON pages say when they were given.
    ...['csv', 'arrow'].flatMap((format) => [
      `candles?symbols=*&interval=1w&from=2026-06-01&format=${format}`,
      `screener?sort=pe_ratio&format=${format}`,
      `symbols?active=true&format=${format}`,
      `news?format=${format}`,
    ]),
  ];
  for (const path of someOf(paths, 2)) {
    const expected = await alone.get(`/v1/svc/${path}`);
    expect([path, expected.status]).toEqual([path, 200]);
    const answers = await askAllThreads(`${address}/v1/svc/${path}`);
    for (const { text } of answers) expect(text).toBe(expected.text);
  }
});

it('a newer version reaches all threads soon, and walks that began go on', async () => {
  const first = JSON.parse((await ask(`${address}/v1/svc/screener?limit=5`, { headers })).text);
  const path = join(folder.dataDir, 'newon.csv');
  writeCandleFile(path, '2026-01-02', '2026-06-30');
  await folder.json('backfill', 'files', 'candles', path, '--mode', 'sandbox');
  const found = async () => {
    const answers = await askMany(24, `${address}/v1/svc/quotes/NEWON`, { headers });
    return answers.every(({ status }) => status === 200);
  };
  await expect.poll(found).toBe(true);
  const next = `${address}/v1/svc/screener?limit=5&cursor=${first.cursor}`;
  const pages = await askAllThreads(next);
  for (const page of pages) {
    expect(page.headers['x-svc-snapshot-changed']).toBeUndefined();
    expect(JSON.parse(page.text).data).toEqual(JSON.parse(pages[0].text).data);
  }
});

async function headersOf(account: string): Promise<Record<string, string>> {
  const args = ['--mode', 'test', '--limit', 'none', '--account', account, '--scopes', 'all'];
  const { rawKey } = await folder.json('keys', 'create', '--label', 'x', ...args);
  return { 'X-API-Key': rawKey };
}

const urlOf = (query: Record<string, string>) =>
  `${address}/v1/svc/screener?${new URLSearchParams(query)}`;

/** An expression that takes long: recursions over whole histories, each with periods of its own. */
function longScreen(seed: number): Record<string, string> {
  const conditions = Array.from({ length: 8 }, (_, i) => {
    const period = 3 + seed * 8 + i;
    return `ema(${period}) > -${period} and rsi(${period}) > -${period}`;
  });
  return { where: conditions.join(' and ') };
}

it('screens give the same rows to all API threads', async () => {
  const headers = await headersOf('same');
  const query = { where: 'close > sma(20)', columns: 'rsi(14), sma(50)', sort: 'rsi(14)' };
  const answers = await askMany(20, urlOf({ ...query, format: 'csv' }), { headers });
  expect(new Set(answers.map(({ thread }) => thread)).size).toBe(THREADS);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});

it('walks of screens go on in any API thread', async () => {
  const headers = await headersOf('walk');
  const query = { where: 'close > sma(20)', sort: 'close / sma(50)' };
  const whole = JSON.parse((await ask(urlOf({ ...query, limit: '200' }), { headers })).text);
  const [first, second] = [
    JSON.parse((await ask(urlOf({ ...query, limit: '3' }), { headers })).text),
  ].flatMap((page) => [page, urlOf({ ...query, limit: '200', cursor: page.cursor })]);
  const rest = await askMany(10, second, { headers });
  expect(new Set(rest.map(({ thread }) => thread)).size).toBe(THREADS);
  for (const { text } of rest) {
    const walked = [...first.data, ...JSON.parse(text).data].slice(0, 200);
    expect(walked).toEqual(whole.data);
  }
});

it.runIf(process.platform === 'linux')(
  'the thread of screens alone has a lower priority',
  async () => {
    const headers = await headersOf('nice');
    await ask(urlOf({ where: 'close > 1' }), { headers });
    const lowered = nicenessOf(threads.server.process.pid).filter((nice) => nice > 0);
    expect(lowered).toEqual([backgroundLimits.niceness]);
  },
);

it('an account with long screens delays its own, not those of another account', async () => {
  const [hostile, other] = [await headersOf('hostile'), await headersOf('other')];
  const order: string[] = [];
  const noted = (name: string, query: Record<string, string>, headers: Record<string, string>) =>
    ask(urlOf(query), { headers }).then((answer) => {
      order.push(name);
      return answer;
    });
  const long = [...Array(8).keys()].map((seed) => noted('long', longScreen(seed), hostile));
  const simple = [...Array(3).keys()].map((i) =>
    noted('simple', { where: `close > ${i}.5` }, other),
  );
  const answers = await Promise.all([...simple, ...long]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(order.at(-1)).toBe('long');
});

it('the thread of screens is restarted when it dies; requests in flight get 503, and walks go on in newer data', async () => {
  const headers = await headersOf('dies');
  const query = { where: 'close > sma(21)', sort: 'close' };
  const page = JSON.parse((await ask(urlOf({ ...query, limit: '2' }), { headers })).text);
  const answers: Asked[] = [];
  let isOver = false;
  const asking = Array.from({ length: 4 }, async (_, place) => {
    for (let seed = 300; !isOver; seed++) {
      answers.push(await ask(urlOf(longScreen(seed + 100 * place)), { headers }));
    }
  });
  threads.crash('screen thread');
  await expect.poll(threads.log, { interval: 10 }).toContain('restarting in');
  isOver = true;
  await Promise.all(asking);
  expect(threads.log()).toContain('screen thread failed');
  const statuses = new Set(answers.map(({ status }) => status));
  expect(statuses.has(503)).toBe(true);
  const [failed] = answers.filter(({ status }) => status === 503);
  expect(failed.headers['retry-after']).toBe('1');
  expect(JSON.parse(failed.text).error.message).toContain('is being restarted');
  // Filters alone need no thread.
  expect((await ask(urlOf({ price_min: '1' }), { headers })).status).toBe(200);
  const again = async () => (await ask(urlOf(query), { headers })).status;
  await expect.poll(again, { interval: 10 }).toBe(200);
  const next = await ask(urlOf({ ...query, limit: '2', cursor: page.cursor }), { headers });
  // The version is still the newest one.
  expect([next.status, next.headers['x-svc-snapshot-changed']]).toEqual([200, undefined]);
});
