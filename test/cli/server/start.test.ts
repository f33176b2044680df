/** `start` as a user meets it: first fill, printed keys, other verbs beside it, next starts. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountsPath } from '../../../src/base/config/data-dir.ts';
import { isRunning } from '../../../src/base/is-running.ts';
import { backgroundLimits } from '../../../src/cli/server/limits.ts';
import { runningAddress } from '../../../src/cli/start-note.ts';
import { isLong } from '../../faults/scale.ts';
import { startTiingo, type TiingoServer } from '../../jobs/runner/tiingo-server.ts';
import type { ParsedJson } from '../../support/parsed-json.ts';
import { long } from '../../support/store-runs.ts';
import { script } from '../../support/tools.ts';
import { planSandbox, putStarted } from '../support/full-sandbox.ts';
import { nicenessOf } from '../support/niceness.ts';
import { bin, type CliFolder, createCliFolder, type RunningCli } from '../support/run-cli.ts';

let vendor: TiingoServer;
let folder: CliFolder;
/** Printed by the first start; the tests ask a later one. */
let first: ParsedJson;
let started: RunningCli;

beforeAll(async () => {
  vendor = await startTiingo();
  folder = createCliFolder({
    ...{ ...vendor.env, TAPEWORKS_SCHEDULE: 'off', TAPEWORKS_FILES: 'off' },
  });
  first = await putStarted(folder);
  started = await folder.start('start');
});
afterAll(async () => {
  await folder.remove();
  await vendor.close();
});

async function get(path: string, key: string = first.key): Promise<Response> {
  return fetch(`${started.document.address}/v1/svc/${path}`, { headers: { 'X-API-Key': key } });
}

/** The child whose command line has a word, as Linux tells. */
function childOf({ pid }: ChildProcess, word: string): number {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const children = text === '' ? [] : text.split(' ');
  const wordsOf = (child: string) => readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0');
  return Number(children.find((child) => wordsOf(child).includes(word)));
}

const apiProcessOf = (start: ChildProcess) => childOf(start, 'serve');

/** Returns a function that gives what has been printed so far. */
function printed(stream: Readable | null): () => string {
  let text = '';
  stream?.on('data', (chunk) => {
    text += chunk;
  });
  return () => text;
}

it('the first start fills the sandbox and prints keys that work', async () => {
  expect(first.symbols).toBeGreaterThan(40);
  expect(first.key).toMatch(/^svc_test_/);
  expect(first.livePage).toMatch(new RegExp(`/#key=${first.liveKey}$`));
  const [{ symbol }] = await folder.json(
    ...['sql', 'SELECT symbol FROM candles LIMIT 1', '--mode', 'sandbox'],
  );
  expect((await get(`quotes/${symbol}`)).status).toBe(200);
  const technical = await get(`technical/${symbol}?indicators=sma,ema,rsi,macd,bollinger`);
  const { indicators } = (await technical.json()) as { indicators: object };
  expect(Object.keys(indicators)).toEqual(['sma', 'ema', 'rsi', 'macd', 'bollinger']);
});

describe('next to a running start', () => {
  it('status, sql and keys work', async () => {
    const { modes } = await folder.json('status');
    expect(modes.map(({ mode }: { mode: string }) => mode)).toEqual(['live', 'sandbox']);
    expect(await folder.json('sql', 'SELECT 1 AS one', '--mode', 'sandbox')).toEqual([{ one: 1 }]);
    expect(await folder.json('keys', 'list')).not.toEqual([]);
  });

  long(
    'an extension is published without a restart, and a repeated one changes nothing',
    async () => {
      const before = (await folder.json('status')).modes;
      const report = await folder.json('backfill', 'sandbox');
      expect(report).toMatchObject({ segments: 0, seriesChanged: 0 });
      expect((await folder.json('status')).modes).toEqual(before);
    },
  );

  it('another start is refused, and says which one has the folder', async () => {
    const { code, stderr } = await folder.run('start');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(
        `^tapeworks: another start \\(process ${started.process.pid}, since .*\\) uses ".*": ` +
          'stop it first, .* run serve .*\n$',
      ),
    );
    expect(runningAddress(folder.dataDir)).toBe(started.document.address);
  });
});

describe('backfills over HTTP', () => {
  const body = JSON.stringify({ source: 'any', symbols: ['AA'] });
  const ask = async (address: string, path: string, method = 'GET') => {
    const response = await fetch(`${address}/v1/svc/${path}`, {
      method,
      headers: { 'X-API-Key': first.liveKey, 'Content-Type': 'application/json' },
      ...(method === 'POST' && { body }),
    });
    return { status: response.status, json: (await response.json()) as ParsedJson };
  };

  it('are run by start, whose live key may request them', async () => {
    const { address } = started.document;
    const { status, json } = await ask(address, 'backfills', 'POST');
    expect(status).toBe(202);
    const shown = async () => (await ask(address, `backfills/${json.id}`)).json;
    await expect.poll(async () => (await shown()).endedAt).toEqual(expect.any(String));
    expect(await shown()).toMatchObject({
      ...{ state: 'done', error: null },
      result: { accepted: 4, sources: [{ symbol: 'AA', source: 'tiingo' }] },
    });
    const candles = async () => (await ask(address, 'technical/AA')).json.candles?.length;
    await expect.poll(candles).toBe(4);
  });

  long('fail at once without the process that runs jobs', async () => {
    const alone = createCliFolder();
    const server = await alone.serve();
    const rawKey = await server.newKey({ mode: 'live', scopes: ['ingest:write'] });
    const { status } = await server.request('/v1/svc/backfills', {
      ...{ method: 'POST', body },
      headers: { 'X-API-Key': rawKey, 'Content-Type': 'application/json' },
    });
    expect(status).toBe(503);
    await alone.remove();
  });
});

it('the API process of a start is started again on the same port when it is killed', async () => {
  const pid = apiProcessOf(started.process);
  process.kill(pid, 'SIGKILL');
  const status = async () => (await get('quotes/batch?symbols=NONE')).status;
  await expect.poll(status).toBe(200);
  expect(apiProcessOf(started.process)).not.toBe(pid);
});

it('a second start reuses what is there, and prints no key', async () => {
  expect(started.document).toMatchObject({ key: null, liveKey: null, symbols: first.symbols });
  expect(await started.stop()).toBe(0);
});

long(
  'a start with live data prints new keys on request and no steps, and leaves no server when it is killed',
  async () => {
    const plain = folder.spawn('start', '--new-key');
    const shown = printed(plain.stdout);
    await expect.poll(shown).toContain('/v1/svc/symbols');
    expect(shown()).not.toContain('\x1b');
    expect(shown()).not.toContain('Next, real data');
    expect(shown()).toMatch(/^Tapeworks listens on .*\n\n {2}page .*\n {2}live .*svc_live_/);
    expect(/svc_test_\w+/.exec(shown())?.[0]).not.toBe(first.key);
    const api = apiProcessOf(plain);
    plain.kill('SIGKILL');
    await expect.poll(() => isRunning(api)).toBe(false);
  },
);

it.runIf(isLong && process.platform === 'linux')(
  'schedules run in a process of lower priority, which ends with the pipeline',
  async () => {
    const pipeline = folder.spawnWithin(['env', 'TAPEWORKS_SCHEDULE='], 'pipeline');
    const schedules = () => childOf(pipeline, '--schedules');
    await expect.poll(schedules).toBeGreaterThan(0);
    const pid = schedules();
    const { niceness } = backgroundLimits;
    await expect.poll(() => new Set(nicenessOf(pid))).toEqual(new Set([niceness]));
    expect(new Set(nicenessOf(pipeline.pid))).toEqual(new Set([0]));
    // The round before has ended, and its memory with it.
    await expect.poll(() => childOf(pipeline, '--publish')).toBeNaN();
    pipeline.kill('SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
  },
);

it.runIf(isLong && process.platform === 'linux')('a round ends with its pipeline', async () => {
  const pipeline = folder.spawn('pipeline');
  const round = () => childOf(pipeline, '--load');
  await expect.poll(round).toBeGreaterThan(0);
  const pid = round();
  pipeline.kill('SIGKILL');
  await expect.poll(() => isRunning(pid)).toBe(false);
});

it.runIf(process.platform === 'linux')('a round that is stopped alone is begun again', async () => {
  const pipeline = folder.spawn('pipeline');
  const round = () => childOf(pipeline, '--load');
  await expect.poll(round).toBeGreaterThan(0);
  process.kill(round(), 'SIGTERM');
  // The supervisor starts it again.
  expect(await once(pipeline, 'close')).toEqual([1, null]);
});

it.runIf(isLong)(
  'a pipeline that can’t run backfills ends, so that start restarts it',
  async () => {
    const accounts = new DatabaseSync(accountsPath(folder.dataDir));
    accounts.exec('INSERT INTO schema_migrations VALUES (9999, 0)');
    accounts.close();
    const pipeline = folder.spawn('pipeline');
    const log = printed(pipeline.stderr);
    const [code] = await once(pipeline, 'close');
    expect([code, log()]).toEqual([1, expect.stringContaining('a newer version')]);
  },
);

describe.skipIf(!script)('the first start at a terminal', () => {
  const empty = createCliFolder();
  afterAll(() => empty.remove());

  it('prints the address and the next steps, then draws one line of progress', async () => {
    planSandbox(empty, 2);
    const terminal = spawn(
      String(script),
      ['-qec', `'${process.execPath}' '${bin}' start`, '/dev/null'],
      {
        env: {
          ...{ PATH: process.env.PATH, TAPEWORKS_DATA_DIR: empty.dataDir, TAPEWORKS_PORT: '0' },
          // Neither changes what is printed, and both would be made next to it.
          ...{ TAPEWORKS_SCHEDULE: 'off', TAPEWORKS_FILES: 'off' },
        },
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    const shown = printed(terminal.stdout);
    await expect.poll(shown).toContain('The sandbox is filled');
    const visit = await fetch(/http:\S+\/docs/.exec(shown())?.[0] ?? '');
    expect(visit.status).toBe(200);
    // Ctrl-C.
    terminal.stdin.write('\x03');
    await once(terminal, 'close');
    // The links stay in view: no line tells of a request.
    expect(shown()).not.toContain('"target"');
    const [, after] = shown().split('\r\x1b[KTapeworks ');
    const [text, ...progress] = after.split('\r\x1b[K');
    expect(progress.join('\n')).toMatch(/^Preparing data: load \d+ %/m);
    const filled = 'The sandbox is filled: 2 synthetic symbols with bars, statements and news.';
    expect(progress.join('\n')).toContain(filled);
    const lines = text.replaceAll('\r', '').trim().split('\n');
    const url = lines[0].replace('listens on ', '');
    const key = /svc_test_\w+/.exec(after)?.[0];
    const liveKey = /svc_live_\w+/.exec(after)?.[0];
    const npx = `TAPEWORKS_DATA_DIR='${empty.dataDir}' npx tapeworks`;
    expect(lines).toEqual([
      `listens on ${url}`,
      '',
      `  page     ${url}/#key=${key}`,
      `  live     ${url}/#key=${liveKey}`,
      `  docs     ${url}/docs`,
      '  sandbox  being filled; its data follows in seconds',
      `  data     ${empty.dataDir}`,
      '  jobs     off, as /metrics is; set TAPEWORKS_ADMIN_TOKEN to see them',
      '',
      `Your sandbox key, shown this once: ${key}`,
      `  curl -H 'X-API-Key: ${key}' '${url}/v1/svc/symbols?limit=3'`,
      'The live link may load data: keep it to yourself. It is shown this once, too.',
      '',
      'Next, real data: open the live link and add a symbol. Or from a second terminal,',
      'statements that come with Tapeworks:',
      `  ${npx} backfill sec --sample`,
      `  curl -H 'X-API-Key: ${liveKey}' '${url}/v1/svc/fundamentals/NVDA/statements?period=annual'`,
      '',
      'Prices, after you set TAPEWORKS_ALPACA_KEY and TAPEWORKS_ALPACA_SECRET (free at https://alpaca.markets):',
      `  ${npx} backfill any --symbols AAPL`,
      `  ${npx} chart AAPL`,
    ]);
  });
});
