/**
 * Screens through a running server: the latency of one that was asked before, the cost of the most
 * expensive expressions, and the latency of quotes while such screens run all the time. `--data DIR`
 * fills a folder that stays.
 */

import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'undici';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { syntheticUniverse } from '../command/data/universe.ts';
import { publishMarket } from '../command/serving/market.ts';
import {
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  machineLine,
  medianOf,
  readable,
  tableFromRows,
  takeDataDir,
  timingFromSamples,
} from '../harness.ts';
import { documentOf, launch } from '../launch.ts';
import { countLatency, type LatencyCounts, latencyAt } from './latency-histogram.ts';
import { startOpenLoop } from './open-loop.ts';

const SIZES = {
  smoke: { symbolCount: 40, barCount: 300, asks: 20, rounds: 1, durationS: 0.2, ratePerS: 50 },
  quick: { symbolCount: 2000, barCount: 2520, asks: 300, rounds: 3, durationS: 3, ratePerS: 300 },
  full: {
    symbolCount: 10_000,
    barCount: 2520,
    asks: 1000,
    rounds: 5,
    durationS: 10,
    ratePerS: 300,
  },
};

/** Screens that run at once: as many as an account may have in progress. */
const HOSTILE_AT_ONCE = 4;
const CONDITIONS = 32;
/** Connections on which quotes are requested. */
const CONNECTIONS = 32;

interface Answer {
  status: number;
  /** From the request to the last byte. */
  totalMs: number;
  /** On the thread of screens: until the page was made, and the part that was computing. */
  screenMs: number;
  workMs: number;
  rows: number;
}

function screenerOf(address: string, rawKey: string) {
  const client = new Client(address);
  return {
    async ask(query: Record<string, string>): Promise<Answer> {
      const path = `/v1/svc/screener?${new URLSearchParams(query)}`;
      const startMs = performance.now();
      const { statusCode, headers, body } = await client.request({
        path,
        method: 'GET',
        headers: { 'X-API-Key': rawKey },
      });
      const json = (await body.json()) as { total?: number };
      const totalMs = performance.now() - startMs;
      const timing = /screen;dur=([\d.]+), work;dur=([\d.]+)/.exec(
        String(headers['server-timing']),
      );
      const [screenMs, workMs] = [Number(timing?.[1]), Number(timing?.[2])];
      return { status: statusCode, totalMs, screenMs, workMs, rows: json.total ?? 0 };
    },
    close: () => client.close(),
  };
}

type Screener = ReturnType<typeof screenerOf>;

/** Hostile expressions by what makes them expensive; `#` is a period of its own. */
const HOSTILE: Record<string, string> = {
  'windows that are scanned': 'cci(#) > 1',
  'recursions over whole histories': 'rsi(#) > 1',
  'recursions with branches': 'supertrend(#, 3) > 1',
};

let seed = 0;

/** Returns a screen of the most conditions that no screen before it shares a part with. */
function hostileScreen(condition: string): Record<string, string> {
  const where = Array.from({ length: CONDITIONS }, () =>
    condition.replaceAll('#', String(2 + (seed++ % 990))),
  );
  return { where: where.join(' and '), limit: '1' };
}

async function untilReady(screener: Screener): Promise<void> {
  while ((await screener.ask({ where: 'close > 1' })).status !== 200);
}

async function checkRows(screener: Screener): Promise<void> {
  const [expression, filter] = [
    await screener.ask({ where: 'close >= 50' }),
    await screener.ask({ price_min: '50' }),
  ];
  checkResult(expression.rows === filter.rows, `${expression.rows} rows, not ${filter.rows}`);
  checkResult(expression.rows > 0, 'the screen has no rows');
}

/** Asks for pages of a kept result, each of another size, so that no cache of pages has it. */
async function measureAgain(screener: Screener, asks: number) {
  const screen = { where: 'rsi(14) < 60 and close > sma(200)' };
  const first = await screener.ask(screen);
  const again: Answer[] = [];
  for (let i = 0; i < asks; i++) {
    again.push(await screener.ask({ ...screen, limit: String(10 + (i % 21)) }));
  }
  checkResult(
    again.every(({ workMs }) => workMs === 0),
    'a kept result was computed again',
  );
  return {
    first,
    inside: timingFromSamples(again.map(({ screenMs }) => screenMs)),
    outside: timingFromSamples(again.map(({ totalMs }) => totalMs)),
  };
}

/** Runs hostile screens all the time. @returns a function that stops it and gives their number. */
function runHostile(address: string, rawKey: string): () => Promise<number> {
  let isOver = false;
  let count = 0;
  const conditions = Object.values(HOSTILE);
  const running = Array.from({ length: HOSTILE_AT_ONCE }, async (_, place) => {
    const screener = screenerOf(address, rawKey);
    for (; !isOver; count++) {
      await screener.ask(hostileScreen(conditions[(place + count) % conditions.length]));
    }
    await screener.close();
  });
  return async () => {
    isOver = true;
    await Promise.all(running);
    return count;
  };
}

/** Returns the p99, in milliseconds, of requests at a steady rate. */
async function p99At(ratePerS: number, address: string, rawKey: string, path: string) {
  const latencies: LatencyCounts = [];
  const loop = startOpenLoop({
    ...{ address, rawKey, ratePerS, connections: CONNECTIONS },
    next: () => ({
      path,
      check: ({ status }) => checkResult(status === 200, `${path} gave ${status}`),
    }),
    onAnswer: (latencyMs) => countLatency(latencies, latencyMs),
    onFailure: ({ message }) => checkResult(false, `${path}: ${message}`),
  });
  await delay(durationS * 1000);
  await loop.stop();
  return latencyAt(latencies, 0.99);
}

const given = takeDataDir();
const size = SIZES[benchSizeFromArgs()];
const { symbolCount, barCount, asks, rounds, durationS, ratePerS } = size;
const dataDir = given ?? benchFolder();
const folder = modePaths(dataDir, 'live').serving;
const { symbols, bars } = syntheticUniverse(symbolCount, barCount);
if (!existsSync(folder)) await publishMarket(folder, { symbols, bars });
const [symbol] = symbols;
const keyOptions = ['--mode', 'live', '--label', 'bench', '--scopes', 'all', '--limit', 'none'];
const { rawKey } = await documentOf(launch(dataDir, ['keys', 'create', ...keyOptions]));
const server = launch(dataDir, ['serve']);
try {
  const { address } = await documentOf(server);
  const screener = screenerOf(address, rawKey);
  await untilReady(screener);
  await checkRows(screener);
  console.log(`${symbolCount} symbols × ${barCount} bars; ${machineLine()}\n`);

  const { first, inside, outside } = await measureAgain(screener, asks);
  const timeRow = (name: string, { medianMs, p99Ms }: typeof inside) =>
    [name, readable(medianMs), readable(p99Ms)] as const;
  console.log(
    tableFromRows(
      ['rsi(14) < 60 and close > sma(200)', 'median ms', 'p99 ms'],
      [
        ['first, on the thread of screens', readable(first.screenMs), ''],
        [...timeRow('again, on the thread of screens', inside)],
        [...timeRow('again, end to end', outside)],
      ],
    ),
  );

  const costs: string[][] = [];
  for (const [name, condition] of Object.entries(HOSTILE)) {
    const { status, workMs, totalMs } = await screener.ask(hostileScreen(condition));
    checkResult(status === 200 || status === 400, `a hostile screen gave ${status}`);
    costs.push([
      name,
      condition,
      status === 200 ? readable(workMs / 1000) : 'refused',
      readable(totalMs / 1000),
    ]);
  }
  console.log(
    `\n${tableFromRows([`${CONDITIONS} conditions`, 'such as', 'work s', 'end to end s'], costs)}`,
  );

  const quotes = () => p99At(ratePerS, address, rawKey, `/v1/svc/quotes/${symbol}`);
  const alone: number[] = [];
  const beside: number[] = [];
  let screens = 0;
  await quotes();
  for (let round = 0; round < rounds; round++) {
    alone.push(await quotes());
    const stop = runHostile(address, rawKey);
    beside.push(await quotes());
    screens += await stop();
  }
  const [aloneMs, besideMs] = [medianOf(alone), medianOf(beside)];
  console.log(
    `\n${tableFromRows(
      [`a quote ${ratePerS} times a second`, 'p99 ms, median of rounds', 'screens'],
      [
        ['alone', readable(aloneMs), ''],
        [`beside ${HOSTILE_AT_ONCE} hostile screens`, readable(besideMs), String(screens)],
      ],
    )}`,
  );
  await screener.close();
  const atMost = (name: string, ms: number, goalMs: number) =>
    `${name}: ${readable(ms)} ms (goal at most ${goalMs}, ${ms <= goalMs ? 'met' : 'MISSED'})`;
  console.log('');
  console.log(atMost('asked again, on the thread of screens', inside.medianMs, 0.1));
  console.log(atMost('p99 of quotes beside hostile screens, more', besideMs - aloneMs, 5));
} finally {
  server.kill('SIGTERM');
  await new Promise((resolve) => server.once('exit', resolve));
}
