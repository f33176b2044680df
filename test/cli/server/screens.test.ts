/** The thread of screens in a running server: what all threads share, its death, and its turns. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asked, ask, askMany } from '../support/ask.ts';
import { putSandbox } from '../support/full-sandbox.ts';
import { type CliFolder, createCliFolder, type RunningCli } from '../support/run-cli.ts';

let folder: CliFolder;
let server: RunningCli;
let address: string;
let log = '';
const crashFile = () => join(folder.dataDir, 'crash');

beforeAll(async () => {
  const preload = fileURLToPath(new URL('../support/crash-thread.mjs', import.meta.url));
  const env: Record<string, string> = { NODE_OPTIONS: `--import ${preload}` };
  folder = createCliFolder(env);
  Object.assign(env, { CRASH_FILE: crashFile(), CRASH_THREAD: 'screen thread' });
  await putSandbox(folder);
  server = await folder.start('serve', '--processes', '2');
  server.process.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  ({ address } = server.document);
});
afterAll(() => folder.remove());

async function headersOf(account: string): Promise<Record<string, string>> {
  const args = ['--mode', 'test', '--limit', 'none', '--account', account, '--scopes', 'all'];
  const { rawKey } = await folder.json('keys', 'create', '--label', 'x', ...args);
  return { 'X-API-Key': rawKey };
}

const urlOf = (query: Record<string, string>) =>
  `${address}/v1/svc/screener?${new URLSearchParams(query)}`;

/** An expression that takes long: recursions over whole histories, each with periods of its own. */
function longScreen(seed: number): Record<string, string> {
  const conditions = Array.from({ length: 16 }, (_, i) => {
    const period = 3 + seed * 16 + i;
    return `ema(${period}) > -${period} and rsi(${period}) > -${period}`;
  });
  return { where: conditions.join(' and ') };
}

it('gives the same rows to all API threads', async () => {
  const headers = await headersOf('same');
  const query = { where: 'close > sma(20)', columns: 'rsi(14), sma(50)', sort: 'rsi(14)' };
  const answers = await askMany(20, urlOf({ ...query, format: 'csv' }), { headers });
  expect(new Set(answers.map(({ thread }) => thread)).size).toBe(2);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});

it('continues walks in any API thread', async () => {
  const headers = await headersOf('walk');
  const query = { where: 'close > sma(20)', sort: 'close / sma(50)' };
  const whole = JSON.parse((await ask(urlOf({ ...query, limit: '200' }), { headers })).text);
  const [first, second] = [
    JSON.parse((await ask(urlOf({ ...query, limit: '3' }), { headers })).text),
  ].flatMap((page) => [page, urlOf({ ...query, limit: '200', cursor: page.cursor })]);
  const rest = await askMany(10, second, { headers });
  expect(new Set(rest.map(({ thread }) => thread)).size).toBe(2);
  for (const { text } of rest) {
    const walked = [...first.data, ...JSON.parse(text).data].slice(0, 200);
    expect(walked).toEqual(whole.data);
  }
});

it.runIf(process.platform === 'linux')('has the lowest priority, alone', async () => {
  const headers = await headersOf('nice');
  await ask(urlOf({ where: 'close > 1' }), { headers });
  const { pid } = server.process;
  const tasks = `/proc/${pid}/task`;
  // Field 19 of the line, behind the name in parentheses, is the niceness.
  const niceness = readdirSync(tasks).map((id) =>
    Number(
      readFileSync(join(tasks, id, 'stat'), 'utf8')
        .split(') ')[1]
        .split(' ')[16],
    ),
  );
  expect(niceness.filter((nice) => nice === 19)).toEqual([19]);
});

describe('an account with long screens', () => {
  it('delays its own screens, not those of another account', async () => {
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
});

it('is restarted when it dies; requests in flight get 503, and walks go on in newer data', async () => {
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
  writeFileSync(crashFile(), '');
  await expect.poll(() => log, { timeout: 60_000, interval: 10 }).toContain('restarting in');
  isOver = true;
  await Promise.all(asking);
  expect(log).toContain('screen thread failed');
  const statuses = new Set(answers.map(({ status }) => status));
  expect(statuses.has(503)).toBe(true);
  const [failed] = answers.filter(({ status }) => status === 503);
  expect(failed.headers['retry-after']).toBe('1');
  expect(JSON.parse(failed.text).error.message).toContain('is being restarted');
  // Filters alone need no thread.
  expect((await ask(urlOf({ price_min: '1' }), { headers })).status).toBe(200);
  const again = async () => (await ask(urlOf(query), { headers })).status;
  await expect.poll(again, { timeout: 60_000, interval: 10 }).toBe(200);
  const next = await ask(urlOf({ ...query, limit: '2', cursor: page.cursor }), { headers });
  // The version is still the newest one.
  expect([next.status, next.headers['x-svc-snapshot-changed']]).toEqual([200, undefined]);
});
