/** Servers that stop while requests are in flight or connections are kept. */

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, get } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { someOf } from '../../support/store-runs.ts';
import { open } from '../support/ask.ts';
import { putSandbox } from '../support/full-sandbox.ts';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';

/** More than sockets hold that nobody reads from. */
const BULK_PATH = '/v1/svc/technical?symbols=*&indicators=sma,rsi,macd&format=csv';

let folder: CliFolder;
let headers: Record<string, string>;

beforeAll(async () => {
  folder = createCliFolder();
  await putSandbox(folder);
  ({ headers } = await folder.key('test'));
});
afterAll(() => folder.remove());

/** Takes an answer bit by bit until its end. */
async function readSlowly(answer: IncomingMessage, pieceMs: number): Promise<number> {
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += chunk.length;
    await delay(pieceMs);
  }
  return bytes;
}

describe.each(someOf([2, 1], 2))('%i threads', (threads) => {
  it('finish an answer that a slow client takes, do not wait for clients that keep their connections, and exit with 0', async () => {
    const server = await folder.start('serve', '--processes', String(threads));
    const whole = await readSlowly(await open(server.document.address + BULK_PATH, { headers }), 0);
    const agent = new Agent({ keepAlive: true });
    const url = `${server.document.address}/v1/svc/symbols`;
    const kept = await new Promise<Socket>((resolve) =>
      get(url, { agent, headers }, (one) => {
        const { socket } = one;
        one.resume().on('end', () => resolve(socket));
      }),
    );
    const answer = await open(server.document.address + BULK_PATH, { headers });
    const stopped = server.stop();
    // While the other answer is under way: at the end of the grace both would be cut off.
    await once(kept, 'close');
    expect(await readSlowly(answer, 1)).toBe(whole);
    expect(answer.complete).toBe(true);
    expect(await stopped).toBe(0);
    agent.destroy();
  });
});
