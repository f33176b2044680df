/** A server that stops while a client reads nothing: it waits 25 s and no longer. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { open } from '../support/ask.ts';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';

/** More than sockets hold that nobody reads from. */
const BULK_PATH = '/v1/svc/candles?symbols=*&interval=1d&format=csv';

let folder: CliFolder;
let headers: Record<string, string>;

beforeAll(async () => {
  folder = createCliFolder();
  await folder.json('backfill', 'sandbox', '--stocks', '250', '--from', '2024-01-01');
  const options = ['--mode', 'test', '--label', 'x', '--scopes', 'all', '--limit', 'none'];
  const { rawKey } = await folder.json('keys', 'create', ...options);
  headers = { 'X-API-Key': rawKey };
});
afterAll(() => folder.remove());

it('a response that the client does not read is cut off, and the server exits with 0 within 30 s', async () => {
  const server = await folder.start('serve', '--processes', '2');
  const answer = await open(server.document.address + BULK_PATH, { headers });
  const cut = new Promise((resolve) => answer.on('error', resolve));
  const startMs = performance.now();
  expect(await server.stop()).toBe(0);
  const tookMs = performance.now() - startMs;
  expect(tookMs).toBeGreaterThan(20_000);
  expect(tookMs).toBeLessThan(30_000);
  answer.resume();
  await cut;
});
