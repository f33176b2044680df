/** `start` as a user meets it: first fill, printed key, other verbs beside it, second start. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ParsedJson } from '../../support/parsed-json.ts';
import { script } from '../../support/tools.ts';
import { writeCandleFile } from '../support/candle-file.ts';
import { putStarted } from '../support/full-sandbox.ts';
import { createCliFolder, type RunningCli } from '../support/run-cli.ts';

const folder = createCliFolder();
/** Printed by the first start; the tests ask a later one. */
let first: ParsedJson;
let started: RunningCli;

beforeAll(async () => {
  first = await putStarted(folder);
  started = await folder.start('start');
});
afterAll(() => folder.remove());

async function get(path: string, key: string = first.key): Promise<Response> {
  return fetch(`${started.document.address}/v1/svc/${path}`, { headers: { 'X-API-Key': key } });
}

/** The child that runs `serve`, as Linux tells. */
function apiProcessOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const isApi = (child: string) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('serve');
  return Number(children.find(isApi));
}

describe('the first start', () => {
  it('fills the sandbox with at least 500 securities and five years of bars', async () => {
    expect(first.symbols).toBeGreaterThanOrEqual(500);
    const [span] = await folder.json(
      ...['sql', '--mode', 'sandbox'],
      `SELECT count(DISTINCT symbol) AS symbols, date_diff('year', min(ts), max(ts)) AS years
       FROM candles`,
    );
    expect(span).toEqual({ symbols: first.symbols, years: 5 });
  });

  it('prints a sandbox key that works', async () => {
    expect(first.key).toMatch(/^svc_test_/);
    const [{ symbol }] = await folder.json(
      ...['sql', 'SELECT symbol FROM candles LIMIT 1', '--mode', 'sandbox'],
    );
    const quote = await get(`quotes/${symbol}`);
    expect(quote.status).toBe(200);
    const technical = await get(`technical/${symbol}?indicators=sma,ema,rsi,macd,bollinger`);
    const { indicators } = (await technical.json()) as { indicators: object };
    expect(Object.keys(indicators)).toEqual(['sma', 'ema', 'rsi', 'macd', 'bollinger']);
  });
});

describe('next to a running start', () => {
  it('status, sql and keys work', async () => {
    const { modes } = await folder.json('status');
    expect(modes.map(({ mode }: { mode: string }) => mode)).toEqual(['live', 'sandbox']);
    expect(await folder.json('sql', 'SELECT 1 AS one', '--mode', 'sandbox')).toEqual([{ one: 1 }]);
    expect(await folder.json('keys', 'list')).not.toEqual([]);
  });

  it('an extension is published without a restart, and a repeated one changes nothing', async () => {
    const before = (await folder.json('status')).modes;
    const report = await folder.json('backfill', 'sandbox');
    expect(report).toMatchObject({ segments: 0, seriesChanged: 0 });
    expect((await folder.json('status')).modes).toEqual(before);
  });
});

describe('the API process of a running start', () => {
  it('is started again on the same port when it is killed', async () => {
    const pid = apiProcessOf(started.process.pid as number);
    process.kill(pid, 'SIGKILL');
    const status = async () => (await get('quotes/batch?symbols=NONE')).status;
    await expect.poll(status, { timeout: 60_000 }).toBe(200);
    expect(apiProcessOf(started.process.pid as number)).not.toBe(pid);
  });
});

describe('a second start', () => {
  it('reuses what is there and prints no key, --new-key prints others', async () => {
    expect(started.document).toMatchObject({ key: null, liveKey: null, symbols: first.symbols });
    expect(await started.stop()).toBe(0);
    const next = await folder.start('start', '--new-key');
    expect(next.document.key).toMatch(/^svc_test_/);
    expect(next.document.key).not.toBe(first.key);
    expect(next.document.liveKey).toMatch(/^svc_live_/);
    expect(await next.stop()).toBe(0);
  });
});

it('a start that is killed leaves no server behind', async () => {
  const killed = await folder.start('start');
  const api = apiProcessOf(killed.process.pid as number);
  killed.process.kill('SIGKILL');
  const isGone = () => {
    try {
      process.kill(api, 0);
      return false;
    } catch {
      return true;
    }
  };
  await expect.poll(isGone, { timeout: 60_000 }).toBe(true);
});

describe.skipIf(!script)('the first start at a terminal', () => {
  const empty = createCliFolder();
  afterAll(() => empty.remove());

  it('prints the address and the next steps, then draws one line of progress', async () => {
    const bin = fileURLToPath(new URL('../../../bin/tapeworks.js', import.meta.url));
    const terminal = spawn(
      String(script),
      ['-qec', `'${process.execPath}' '${bin}' start`, '/dev/null'],
      {
        env: { PATH: process.env.PATH, TAPEWORKS_DATA_DIR: empty.dataDir, TAPEWORKS_PORT: '0' },
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    let shown = '';
    terminal.stdout.on('data', (chunk) => {
      shown += chunk;
    });
    await expect.poll(() => shown, { timeout: 300_000 }).toContain('The sandbox is filled');
    const visit = await fetch(/http:\S+\/docs/.exec(shown)?.[0] ?? '');
    expect(visit.status).toBe(200);
    // Ctrl-C.
    terminal.stdin.write('\x03');
    await once(terminal, 'close');
    // The links stay in view: no line tells of a request.
    expect(shown).not.toContain('"target"');
    const [, after] = shown.split('\r\x1b[KTapeworks ');
    const [text, ...progress] = after.split('\r\x1b[K');
    expect(progress.join('\n')).toMatch(/^Preparing data: load \d+ %/m);
    const filled = 'The sandbox is filled: 613 synthetic symbols with bars, statements and news.';
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

  it('is a plain start elsewhere, without steps once there are live data', async () => {
    const candles = join(empty.dataDir, 'abc.csv');
    writeCandleFile(candles, '2025-01-02', '2025-01-31');
    await empty.json('backfill', 'files', 'candles', candles);
    const plain = empty.spawn('start', '--new-key');
    let shown = '';
    plain.stdout?.on('data', (chunk) => {
      shown += chunk;
    });
    await expect.poll(() => shown).toContain('/v1/svc/symbols');
    plain.kill('SIGTERM');
    await once(plain, 'close');
    expect(shown).not.toContain('\x1b');
    expect(shown).not.toContain('Next, real data');
    expect(shown).toMatch(/^Tapeworks listens on .*\n\n {2}page /);
  });
});
