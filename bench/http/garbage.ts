/**
 * Latency of a quote at a steady rate, alone and while other connections send garbage: noise,
 * headers without end, and requests that the server refuses.
 */

import { connect } from 'node:net';
import { API_SERVER, startServerProcess } from '../../src/bench/serving/child.ts';
import type { ApiReady } from '../../src/bench/serving/server.ts';
import {
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  machineLine,
  readable,
  tableFromRows,
} from '../harness.ts';
import { type LoadResult, type LoadTarget, load } from './load.ts';
import { createBenchMarket } from './market.ts';

const SIZES = {
  smoke: { durationS: 0.2, ratePerS: 50 },
  quick: { durationS: 3, ratePerS: 300 },
  full: { durationS: 10, ratePerS: 300 },
};

/** Connections that bring garbage, each a new one when the server has closed it. */
const AT_ONCE = 16;

const HEAD = 'GET /v1/svc/quotes/AAAA HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';

/** Bytes of each kind of garbage, and the status of its response. */
const GARBAGE: Readonly<Record<string, [bytes: string, status: number]>> = {
  noise: ['hello there\r\n\r\n', 400],
  'headers of 40 KiB': [`${HEAD}X-Long: ${'y'.repeat(40_960)}\r\n\r\n`, 431],
  'an unknown key': [`${HEAD}X-API-Key: svc_live_unknown\r\n\r\n`, 401],
  'a length beside chunks': [`${HEAD}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, 400],
};

/** @returns the status of the answer. */
function bring(address: string, bytes: string): Promise<number> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    // The server may reset what it has not read.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(Number(answer.split(' ')[1])));
  });
}

/** Brings garbage until the work is done. @returns how many connections it took. */
async function beside<T>(
  work: Promise<T>,
  address: string,
  bytes: string,
): Promise<{ result: T; count: number }> {
  let isOver = false;
  let count = 0;
  const connections = Array.from({ length: AT_ONCE }, async () => {
    for (; !isOver; count++) await bring(address, bytes);
  });
  const result = await work;
  isOver = true;
  await Promise.all(connections);
  return { result, count };
}

const { durationS, ratePerS } = SIZES[benchSizeFromArgs()];
const dataDir = benchFolder();
const market = await createBenchMarket(dataDir, 1, 300);
const api = await startServerProcess<ApiReady>(API_SERVER, [dataDir]);
try {
  const { address, rawKey } = api.ready;
  const paths = [`/v1/svc/quotes/${market.symbols[0]}`];
  const target: LoadTarget = { address, rawKey, paths, cpuUs: api.cpuUs };
  for (const [name, [bytes, status]] of Object.entries(GARBAGE)) {
    const answered = await bring(address, bytes);
    checkResult(answered === status, `${name} is answered ${answered}, not ${status}`);
  }
  const rowOf = (name: string, { p99Ms, requestsPerS }: LoadResult, count?: number) => [
    name,
    count === undefined ? '' : readable(count / durationS),
    readable(requestsPerS),
    readable(p99Ms),
  ];
  const rows = [rowOf('alone', await load(target, durationS, ratePerS))];
  for (const [name, [bytes]] of Object.entries(GARBAGE)) {
    const { result, count } = await beside(load(target, durationS, ratePerS), address, bytes);
    rows.push(rowOf(name, result, count));
  }
  console.log(`a quote ${ratePerS} times a second; ${machineLine()}\n`);
  console.log(tableFromRows(['beside', 'garbage/s', 'quotes/s', 'p99 ms'], rows));
} finally {
  await api.stop();
}
