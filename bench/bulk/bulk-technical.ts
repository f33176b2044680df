/**
 * Indicators of the whole universe in one response against a request for each symbol:
 * `node bench/bulk/bulk-technical.ts [--quick | --smoke]`. Results are checked first.
 */

import { type Table, tableFromIPC } from 'apache-arrow';
import { startServerProcess } from '../command/serving/child.ts';
import { closedLoop } from '../command/serving/closed-loop.ts';
import {
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  goalLines,
  machineLine,
  readable,
} from '../harness.ts';
import { printMeasured, takeInterleaved } from './load.ts';
import { createBulkMarket } from './market.ts';
import type { BulkReady } from './server.ts';

const SIZES = {
  smoke: { symbolCount: 20, barCount: 2520, rounds: 1, durationMs: 250 },
  quick: { symbolCount: 2000, barCount: 2520, rounds: 3, durationMs: 3000 },
  full: { symbolCount: 7000, barCount: 2520, rounds: 7, durationMs: 10_000 },
};

const FIVE = 'indicators=sma:20,ema:20,rsi:14,macd:12:26:9,bollinger:20:2&adjustment=raw';
const ALL = `/v1/svc/technical?symbols=*&${FIVE}`;

const OURS = 'five indicators as Arrow';
const ADJUSTED = 'five indicators as Arrow, split-adjusted on read';
const LATEST = 'five indicators, newest rows only';
const CANDLES = 'candles alone as Arrow';
const CSV = 'five indicators as CSV, every tenth symbol';

/** Connections of single requests. */
const CONNECTIONS = 32;

/** First and last symbols that are compared with single responses. */
const CHECKED = 12;

async function tableFrom({ address, rawKey }: BulkReady, path: string): Promise<Table> {
  const answer = await fetch(address + path, { headers: { 'X-API-Key': rawKey } });
  checkResult(answer.status === 200, `${path} gave ${answer.status}`);
  return tableFromIPC(new Uint8Array(await answer.arrayBuffer()));
}

/** Compares values with those of single responses, to the bit. */
async function checkValues(server: BulkReady, symbols: readonly string[]): Promise<void> {
  const some = [...new Set([...symbols.slice(0, CHECKED), ...symbols.slice(-CHECKED)])];
  const bulk = await tableFrom(server, `/v1/svc/technical?symbols=${some}&${FIVE}`);
  let row = 0;
  for (const symbol of some) {
    const path = `/v1/svc/technical/${symbol}?limit=all&format=arrow&${FIVE}`;
    const single = await tableFrom(server, path);
    const rows = bulk.slice(row, row + single.numRows);
    row += single.numRows;
    checkResult(rows.getChild('symbol')?.get(0) === symbol, `rows of ${symbol}`);
    for (const { name } of single.schema.fields) {
      const [ours, theirs] = [rows, single].map((table) => table.getChild(name)!);
      for (let i = 0; i < single.numRows; i++) {
        checkResult(Object.is(ours.get(i), theirs.get(i)), `${name} of ${symbol} in row ${i}`);
      }
    }
  }
  checkResult(row === bulk.numRows, `${bulk.numRows} rows instead of ${row}`);
}

const { symbolCount, barCount, rounds, durationMs } = SIZES[benchSizeFromArgs()];
const dataDir = benchFolder();
const symbols = await createBulkMarket(dataDir, symbolCount, barCount);
console.log(`${symbolCount} symbols, ${barCount} daily bars each; ${machineLine()}\n`);
const server = await startServerProcess<BulkReady>(new URL('./server.ts', import.meta.url), [
  dataDir,
]);
try {
  const { address, rawKey } = server.ready;
  await checkValues(server.ready, symbols);
  const tenth = symbols.filter((_, number) => number % 10 === 0);
  const results = await takeInterleaved(
    server,
    {
      [OURS]: { address, path: ALL },
      [ADJUSTED]: { address, path: ALL.replace('raw', 'split') },
      [LATEST]: { address, path: `${ALL}&latest=true` },
      [CANDLES]: { address, path: '/v1/svc/candles?symbols=*&adjustment=raw' },
      [CSV]: { address, path: `/v1/svc/technical?symbols=${tenth}&${FIVE}&format=csv` },
    },
    rounds,
  );
  printMeasured(results);
  const paths = symbols.map(
    (symbol) => `/v1/svc/technical/${symbol}?limit=all&format=arrow&${FIVE}`,
  );
  const beforeUs = await server.cpuUs();
  const target = { address, paths, headers: { 'X-API-Key': rawKey } };
  const single = await closedLoop(target, CONNECTIONS, durationMs);
  const perSymbol = symbolCount / single.requests;
  const singleMs = perSymbol * single.ms;
  const singleCpuMs = (perSymbol * ((await server.cpuUs()) - beforeUs)) / 1000;
  console.log(
    `${symbolCount} single requests: ${readable(singleMs)} ms, ` +
      `${readable(singleCpuMs)} ms of CPU time\n`,
  );
  const { ms, cpuMs, rssBytes } = results[OURS];
  const goals = [
    { name: `${OURS}: time of single requests ÷ ours`, ratio: singleMs / ms, atLeast: 10 },
    {
      name: `${OURS}: CPU time of single requests ÷ ours`,
      ratio: singleCpuMs / cpuMs,
      atLeast: 10,
    },
    { name: `${OURS}: 300 MB ÷ resident`, ratio: 300e6 / rssBytes, atLeast: 1 },
  ];
  console.log(goalLines(goals));
} finally {
  await server.stop();
}
