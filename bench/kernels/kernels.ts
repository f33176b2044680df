/**
 * Speed of the published indicators and the ATR: `node bench/kernels/kernels.ts [--quick | --smoke]`.
 * It is `tapeworks bench indicators` at fixed sizes, with the goals. `PYTHON` names an interpreter
 * whose libraries are compared too.
 */

import { indicatorRequests } from '../../src/compute/indicators/indicator-request.ts';
import { syntheticUniverse } from '../command/data/universe.ts';
import { ALL, benchIndicators, COPY } from '../command/indicators/bench.ts';
import { NEXT_BARS } from '../command/indicators/work.ts';
import { describeMachine } from '../command/measure/machine.ts';
import { closePeers, findPeers } from '../command/peers/find.ts';
import { type BenchDocument, OURS } from '../command/report/document.ts';
import { reportLines } from '../command/report/lines.ts';
import { tablesOf } from '../command/report/table.ts';
import { benchSizeFromArgs, checkResult, type Goal, goalLines } from '../harness.ts';

const SIZES = {
  smoke: { symbols: 8, bars: 400, rounds: 1, sampleMs: 1 },
  quick: { symbols: 1_000, bars: 2_520, rounds: 5, sampleMs: 100 },
  full: { symbols: 10_000, bars: 2_520, rounds: 11, sampleMs: 200 },
};

/** Goals by group, peer and least ratio of its time to ours. */
const GOALS: readonly (readonly [group: string, program: string, atLeast: number])[] = [
  ['cached', 'TA-Lib', 4],
  ['cached', '@ixjb94/indicators', 13],
  ['written', COPY, 1 / 1.2],
  ['last', 'TA-Lib', 15],
];
const NEXT_GOAL_NS = 10;

const size = benchSizeFromArgs();
const { symbols, bars, rounds, sampleMs } = SIZES[size];
const requests = indicatorRequests('sma:20,ema:20,rsi:14,macd:12:26:9,bollinger:20:2', '1d');
const universe = syntheticUniverse(symbols, bars);
const { PYTHON: python } = process.env;
const data = { symbols: universe.symbols, series: universe.bars, nextBars: NEXT_BARS };
const { drivers, missing } = await findPeers(
  { python, files: [], commands: [], folder: process.cwd() },
  data,
);
const onProgress = () => {};
const bench = { universe, requests, drivers, rounds, sampleMs, onProgress };
const result = await benchIndicators(bench).finally(() => closePeers(drivers));
for (const { item, program, status, detail } of result.checks) {
  // technicalindicators rounds its RSI to two decimals.
  const isKnown = status !== 'different' || detail.includes('rounded to 2 decimals');
  checkResult(isKnown || size === 'smoke', `${item} of ${program}: ${detail}`);
}

if (size === 'smoke') {
  console.log('kernels: results are right');
} else {
  const machine = describeMachine();
  const ours = { name: OURS, version: machine.tapeworks, driven: 'expressions, eight symbols' };
  const document: BenchDocument = {
    ...result,
    format: 'tapeworks-bench',
    formatVersion: 1,
    bench: 'indicators',
    startedAt: new Date().toISOString(),
    data: universe.description,
    isSynthetic: true,
    machine,
    programs: [ours, ...drivers.map(({ program }) => program)],
    missing,
  };
  console.log(`${reportLines(document).join('\n')}\n`);
  const rows = new Map(
    tablesOf(document).map(({ group, rows }) => [group.id, rows.find(({ item }) => item === ALL)!]),
  );
  const goals = GOALS.flatMap(([group, program, atLeast]): Goal[] => {
    const cell = rows.get(group)?.cells.find((one) => one?.program === program);
    return cell ? [{ name: `all, ${group} / ${program}`, ratio: cell.ratio, atLeast }] : [];
  });
  const nextNs = rows.get('next')!.ours.summary.median;
  const name = `all, ${NEXT_GOAL_NS} ns / one new bar`;
  console.log(goalLines([...goals, { name, ratio: NEXT_GOAL_NS / nextNs, atLeast: 1 }]));
}
