/**
 * The endpoints over HTTP against a bare Express handler that sends the same bytes, and against
 * the answer as it is usually built. Results are checked first.
 *
 * Client and servers are processes of their own. Rates depend on what else the machine and the
 * client do; CPU time of the server per request depends on little else, so ratios come from both.
 */

import {
  API_SERVER,
  type ServerProcess,
  startServerProcess,
} from '../../src/bench/serving/child.ts';
import type { ApiReady } from '../../src/bench/serving/server.ts';
import {
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  goalLines,
  machineLine,
  readable,
  tableFromRows,
} from '../harness.ts';
import { type LoadTarget, load, loadInterleaved } from './load.ts';
import { createBenchMarket } from './market.ts';
import type { PeerReady } from './peer.ts';

const SIZES = {
  smoke: { symbolCount: 40, barCount: 400, rounds: 1, durationS: 0.1, warmupS: 0 },
  quick: { symbolCount: 1000, barCount: 2520, rounds: 3, durationS: 2, warmupS: 2 },
  full: { symbolCount: 1000, barCount: 2520, rounds: 7, durationS: 4, warmupS: 2 },
};

const BARS_ASKED = 250;
const QUERY = `indicators=sma,ema,rsi,macd,bollinger&limit=${BARS_ASKED}`;

/** A page of 20 rows out of some thirds of the market. */
const SCREEN = 'price_min=20&price_max=150&change_pct_min=-1&sort=volume';

interface Answered {
  indicators: Record<string, { value: number }[]>;
  candles: object[];
}

async function bodyOf({ address, rawKey }: LoadTarget, path: string): Promise<string> {
  const answer = await fetch(address + path, { headers: { 'X-API-Key': rawKey } });
  checkResult(answer.status === 200, `${path} gave status ${answer.status}`);
  return answer.text();
}

/** The peer computes EMA, RSI and MACD from fewer bars and rounds RSI, so SMA and candles count. */
async function checkAnswers(api: LoadTarget, bare: LoadTarget, peer: LoadTarget): Promise<void> {
  for (const path of [api.paths[0], bare.paths[0]]) {
    checkResult((await bodyOf(api, path)) === (await bodyOf(bare, path)), `${path} differs bare`);
  }
  const [ours, theirs] = (await Promise.all(
    [api, peer].map(async (target) => JSON.parse(await bodyOf(target, api.paths[0]))),
  )) as [Answered, Answered];
  checkResult(ours.candles.length === BARS_ASKED, `${BARS_ASKED} candles are answered`);
  const equalCandles = JSON.stringify(ours.candles) === JSON.stringify(theirs.candles);
  checkResult(equalCandles, 'candles differ from the peer');
  ours.indicators.sma.forEach(({ value }, i) => {
    const error = Math.abs(value - theirs.indicators.sma[i].value);
    checkResult(error < 1e-9 * Math.abs(value), `SMA ${i} differs from the peer by ${error}`);
  });
}

const size = benchSizeFromArgs();
const { symbolCount, barCount, durationS } = SIZES[size];
const dataDir = benchFolder();
const children: ServerProcess<unknown>[] = [];
try {
  const market = await createBenchMarket(dataDir, symbolCount, barCount);
  const api = await startServerProcess<ApiReady>(API_SERVER, [dataDir]);
  children.push(api);
  const peer = await startServerProcess<PeerReady>(new URL('./peer.ts', import.meta.url), [
    market.duckdbPath,
    String(BARS_ASKED),
  ]);
  children.push(peer);
  const { address, bareAddress, rawKey } = api.ready;
  const onApi = (paths: string[]): LoadTarget => ({ address, rawKey, paths, cpuUs: api.cpuUs });
  const onBare = (paths: string[]): LoadTarget => ({ ...onApi(paths), address: bareAddress });
  const onPeer = (paths: string[]): LoadTarget => ({
    ...onApi(paths),
    address: peer.ready.address,
    cpuUs: peer.cpuUs,
  });
  const firstSymbol = market.symbols[0];
  const quote = [`/v1/svc/quotes/${firstSymbol}`];
  const screener = [`/v1/svc/screener?${SCREEN}`];
  const technical = market.symbols.map((symbol) => `/v1/svc/technical/${symbol}?${QUERY}`);
  await checkAnswers(onApi(technical), onBare(quote), onPeer(technical));

  const results = await loadInterleaved(
    {
      quote: onApi(quote),
      'quote, bare Express': onBare(quote),
      screener: onApi(screener),
      'screener, bare Express': onBare(screener),
      'technical, repeated': onApi(technical.slice(0, 1)),
      'technical, bare Express': onBare(technical.slice(0, 1)),
      'technical, all symbols in turn': onApi(technical),
      'technical as Arrow, all symbols in turn': onApi(
        technical.map((path) => `${path}&format=arrow`),
      ),
      'technical, DuckDB + technicalindicators': onPeer(technical),
    },
    SIZES[size],
  );
  const cycled = results['technical, all symbols in turn'];
  const halfLoad = await load(onApi(technical), durationS, Math.ceil(cycled.requestsPerS / 2));

  console.log(`${symbolCount} symbols, ${barCount} daily bars each; ${machineLine()}`);
  console.log(`process start to listening: ${readable(api.startMs)} ms\n`);
  const rows = Object.entries(results).map(([name, result]) => [
    name,
    readable(result.requestsPerS),
    readable(result.cpuUsPerRequest),
    readable(result.p99Ms),
  ]);
  console.log(tableFromRows(['', 'requests/s', 'server CPU µs', 'p99 ms'], rows));
  console.log(`\nall symbols in turn at half load: p99 ${readable(halfLoad.p99Ms)} ms\n`);
  const rate = (a: keyof typeof results, b: keyof typeof results) =>
    results[a].requestsPerS / results[b].requestsPerS;
  const cpu = (a: keyof typeof results, b: keyof typeof results) =>
    results[b].cpuUsPerRequest / results[a].cpuUsPerRequest;
  const goals = (
    [
      ['quote', 'quote, bare Express', 0.7],
      ['screener', 'screener, bare Express', 0.7],
      ['technical, repeated', 'technical, bare Express', 0.8],
      ['technical, all symbols in turn', 'technical, DuckDB + technicalindicators', 5],
    ] as const
  ).flatMap(([ours, other, atLeast]) => [
    { name: `${ours} / ${other}, requests`, ratio: rate(ours, other), atLeast },
    { name: `${ours} / ${other}, CPU time`, ratio: cpu(ours, other), atLeast },
  ]);
  // Cold code on a small market says nothing about speed.
  if (size !== 'smoke') console.log(goalLines(goals));
} finally {
  await Promise.all(children.map((child) => child.stop()));
}
