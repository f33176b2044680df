/**
 * Agents' tools, Massive's paths and OpenBB's against the routes that they call:
 * `node bench/http/adapters.ts [--quick | --smoke]`. One request at a time, over one connection.
 */

import { fillSandbox } from '../../jobs/load/sandbox.ts';
import { settingsFromEnv } from '../../src/base/config/config.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { API_SERVER, startServerProcess } from '../../src/bench/serving/child.ts';
import type { ApiReady } from '../../src/bench/serving/server.ts';
import { openSandbox, sandboxPlan } from '../../src/sandbox/source.ts';
import {
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  machineLine,
  readable,
  tableFromRows,
  timeInterleaved,
} from '../harness.ts';

const SIZES = {
  smoke: { stocks: 20, rounds: 5 },
  quick: { stocks: 100, rounds: 300 },
  full: { stocks: 500, rounds: 2000 },
};

/** A time at which this session's market is whole: results are the same on every day. */
const NOW_MS = Date.parse('2026-11-20T22:00:00Z');

const { stocks, rounds } = SIZES[benchSizeFromArgs()];
const dataDir = benchFolder();
const settings = settingsFromEnv({});
const paths = modePaths(dataDir, 'sandbox');
await fillSandbox(paths, { stocks }, { settings, verb: 'bench', nowMs: NOW_MS });
const { securities } = openSandbox(sandboxPlan({ stocks }, NOW_MS), NOW_MS);
const symbol = String(securities.find(({ type }) => type === 'stock')?.symbol);
/** Each tool with its arguments, and the route with a number that both must have. */
const tools: [tool: string, values: object, path: string, field: string][] = [
  ['get_bars', { symbols: [symbol] }, `technical/${symbol}?limit=20`, 'close'],
  ['screen', { limit: 20 }, 'screener?limit=20', 'marketCap'],
  ['search_symbols', { query: 'Q' }, 'symbols?search=Q&limit=10', 'firstBar'],
];
const [from, to] = ['2025-11-20', '2026-11-20'];
const seconds = (date: string) => Date.parse(date) / 1000;
const year = `technical/${symbol}?from=${from}&to=${to}&limit=1000`;
/** Each path of another protocol, and the route with a number that both must have. */
const others: [name: string, path: string, route: string, field: string][] = [
  [
    'Massive, aggregates',
    `/v2/aggs/ticker/${symbol}/range/1/day/${from}/${to}?limit=1000`,
    year,
    'close',
  ],
  [
    'Massive, SMA',
    `/v1/indicators/sma/${symbol}?window=20&limit=100`,
    `technical/${symbol}?indicators=sma:20&limit=100`,
    'value',
  ],
  [
    'OpenBB, history',
    `/udf/history?symbol=${symbol}&resolution=1D&from=${seconds(from)}&to=${seconds(to)}`,
    year,
    'close',
  ],
];
const server = await startServerProcess<ApiReady>(API_SERVER, [dataDir, 'sandbox']);
try {
  const { address, rawKey } = server.ready;
  const headers = {
    'X-API-Key': rawKey,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  async function read(path: string, init: RequestInit = {}): Promise<string> {
    const response = await fetch(address + path, { headers, ...init });
    const text = await response.text();
    checkResult(response.status === 200, `${path} gave status ${response.status}: ${text}`);
    return text;
  }
  const call = (name: string, values: object) => {
    const params = { name, arguments: values };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    return read('/mcp', { method: 'POST', body });
  };
  const candidates: Record<string, () => Promise<void>> = {};
  const pairs = [
    ...tools.map(([tool, values, ...route]) => [tool, () => call(tool, values), ...route] as const),
    ...others.map(([name, path, ...route]) => [name, () => read(path), ...route] as const),
  ];
  for (const [name, other, path, field] of pairs) {
    const plain = await read(`/v1/svc/${path}`);
    const number = new RegExp(`"${field}":"?([^,"}]+)`).exec(plain)?.[1];
    const result = await other();
    checkResult(number !== undefined && result.includes(number), `${name} has "${number}"`);
    candidates[name] = async () => void (await other());
    candidates[path] = async () => void (await read(`/v1/svc/${path}`));
  }
  const timings = await timeInterleaved(candidates, rounds);
  console.log(`${stocks} companies; ${machineLine()}\n`);
  const rows = pairs.map(([name, , path]) => {
    const [ours, plain] = [timings[name].medianMs, timings[path].medianMs];
    return [name, readable(ours), readable(plain), readable(ours / plain)];
  });
  console.log(tableFromRows(['', 'median ms', 'its route', 'ratio'], rows));
} finally {
  await server.stop();
}
