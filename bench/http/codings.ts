/**
 * Content codings: bytes, rate and the server's CPU time of a form, beside the plain one. A kept
 * answer is coded once, an answer of many symbols in turn for each of them, a bulk answer as it is
 * sent. Results are checked first: each form decodes to the plain one.
 */

import { get, type IncomingMessage } from 'node:http';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { syntheticUniverse } from '../../src/bench/data/universe.ts';
import {
  API_SERVER,
  type ServerProcess,
  startServerProcess,
} from '../../src/bench/serving/child.ts';
import { publishMarket } from '../../src/bench/serving/market.ts';
import type { ApiReady } from '../../src/bench/serving/server.ts';
import {
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  machineLine,
  readable,
  tableFromRows,
} from '../harness.ts';
import { type LoadResult, type LoadTarget, loadInterleaved } from './load.ts';

const SIZES = {
  smoke: { symbolCount: 40, barCount: 400, rounds: 1, durationS: 0.1, warmupS: 0 },
  quick: { symbolCount: 300, barCount: 2520, rounds: 3, durationS: 2, warmupS: 1 },
  full: { symbolCount: 1000, barCount: 2520, rounds: 7, durationS: 4, warmupS: 2 },
};

const CODINGS = ['identity', 'gzip', 'br'] as const;

type Coding = (typeof CODINGS)[number];

const QUERY = 'indicators=sma,ema,rsi,macd,bollinger&limit=250';

const BULK = '/v1/svc/candles?symbols=*&interval=1d&format=csv';

interface Asked {
  address: string;
  rawKey: string;
}

function openAnswer({ address, rawKey }: Asked, path: string, coding: Coding) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { 'X-API-Key': rawKey, 'Accept-Encoding': coding };
    get(address + path, { headers }, resolve).on('error', reject);
  });
}

/** Bytes on the wire, and the body. */
async function answerOf(asked: Asked, path: string, coding: Coding) {
  const answer = await openAnswer(asked, path, coding);
  checkResult(answer.statusCode === 200, `${path} gave status ${answer.statusCode}`);
  const named = answer.headers['content-encoding'] ?? 'identity';
  checkResult(named === coding, `${path} came as ${named}, asked as ${coding}`);
  const bytes = Buffer.concat(await answer.toArray());
  if (coding === 'identity') return { byteCount: bytes.length, body: bytes };
  const decoder = coding === 'gzip' ? createGunzip() : createBrotliDecompress();
  decoder.end(bytes);
  return { byteCount: bytes.length, body: Buffer.concat(await decoder.toArray()) };
}

/** @returns bytes on the wire by coding. */
async function checkedBytes(asked: Asked, path: string): Promise<Record<Coding, number>> {
  const plain = await answerOf(asked, path, 'identity');
  const counts = { identity: plain.byteCount, gzip: 0, br: 0 };
  for (const coding of ['gzip', 'br'] as const) {
    const { byteCount, body } = await answerOf(asked, path, coding);
    checkResult(body.equals(plain.body), `${path} as ${coding} is not what it is plain`);
    counts[coding] = byteCount;
  }
  return counts;
}

interface BulkResult {
  byteCount: number;
  seconds: number;
  cpuMs: number;
}

/** The answer is thrown away as it comes. */
async function bulk(asked: Asked, coding: Coding, cpuUs: () => Promise<number>) {
  const [beforeUs, startMs] = [await cpuUs(), performance.now()];
  let byteCount = 0;
  for await (const chunk of await openAnswer(asked, BULK, coding)) byteCount += chunk.length;
  const seconds = (performance.now() - startMs) / 1000;
  return { byteCount, seconds, cpuMs: ((await cpuUs()) - beforeUs) / 1000 };
}

const size = benchSizeFromArgs();
const { symbolCount, barCount, rounds } = SIZES[size];
const dataDir = benchFolder();
let api: ServerProcess<ApiReady> | undefined;
try {
  const { symbols, bars } = syntheticUniverse(symbolCount, barCount);
  await publishMarket(modePaths(dataDir, 'live').serving, { symbols, bars });
  api = await startServerProcess<ApiReady>(API_SERVER, [dataDir]);
  const { cpuUs, ready } = api;
  const technical = symbols.map((symbol) => `/v1/svc/technical/${symbol}?${QUERY}`);
  const paths = {
    'script of the API reference': ['/docs/swagger-ui-bundle.js'],
    'technical, repeated': technical.slice(0, 1),
    'technical, all symbols in turn': technical,
  };
  const bytes = new Map<string, Record<Coding, number>>();
  for (const [name, [first]] of Object.entries(paths)) {
    bytes.set(name, await checkedBytes(ready, first));
  }
  await checkedBytes(ready, `${BULK}&from=2017-01-01`);

  const targets = Object.entries(paths).flatMap(([name, some]) =>
    CODINGS.map((coding): [string, LoadTarget] => {
      const headers = { 'Accept-Encoding': coding };
      return [`${name}: ${coding}`, { ...ready, paths: some, headers, cpuUs }];
    }),
  );
  const results: Record<string, LoadResult> = await loadInterleaved(
    Object.fromEntries(targets),
    SIZES[size],
  );

  const bulks: Record<Coding, BulkResult[]> = { identity: [], gzip: [], br: [] };
  for (let round = 0; round < rounds; round++) {
    for (const coding of CODINGS) bulks[coding].push(await bulk(ready, coding, cpuUs));
  }

  console.log(`${symbolCount} symbols, ${barCount} daily bars each; ${machineLine()}\n`);
  const rows = Object.keys(paths).flatMap((name) =>
    CODINGS.map((coding) => {
      const { requestsPerS, cpuUsPerRequest, p99Ms } = results[`${name}: ${coding}`];
      const byteCount = bytes.get(name)?.[coding] ?? 0;
      return [
        ...[name, coding, byteCount.toLocaleString('en')],
        ...[readable(requestsPerS), readable(cpuUsPerRequest), readable(p99Ms)],
      ];
    }),
  );
  const heads = ['', 'coding', 'bytes', 'requests/s', 'server CPU µs', 'p99 ms'];
  console.log(`${tableFromRows(heads, rows)}\n`);
  const bulkRows = CODINGS.map((coding) => {
    const fastest = bulks[coding].reduce((a, b) => (b.seconds < a.seconds ? b : a));
    const { byteCount, seconds, cpuMs } = fastest;
    return [coding, readable(byteCount / 1e6), readable(seconds), readable(cpuMs / 1000)];
  });
  console.log(tableFromRows(['bulk CSV', 'MB', 's', 'server CPU s'], bulkRows));
  console.log();
  for (const name of Object.keys(paths)) {
    const { identity, gzip, br } = bytes.get(name)!;
    const cpu = (coding: Coding) => results[`${name}: ${coding}`].cpuUsPerRequest;
    console.log(
      `${name}: gzip ${readable(identity / gzip)} × shorter at ${readable(cpu('gzip') / cpu('identity'))} × the CPU time, ` +
        `br ${readable(identity / br)} × at ${readable(cpu('br') / cpu('identity'))} ×`,
    );
  }
} finally {
  await api?.stop();
}
