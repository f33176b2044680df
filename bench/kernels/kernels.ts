/**
 * Speed of the indicator kernels on a universe of daily closes, against npm libraries and against
 * copying memory: `node bench/kernels/kernels.ts [--quick | --smoke]`.
 *
 * Our columns go to memory that has been written before; the libraries allocate theirs, since
 * they offer nothing else. They get plain arrays, the form they document.
 */

import { indicatorCatalogue } from '../../src/compute/indicators/catalogue.ts';
import {
  type IndicatorInput,
  type IndicatorOutput,
  type IndicatorSpec,
  outputColumns,
} from '../../src/compute/indicators/indicator-spec.ts';
import { doubleFromExact } from '../../test/compute/support/exact.ts';
import { exactColumns } from '../../test/compute/support/exact-columns.ts';
import { randomWalk } from '../../test/compute/support/hostile-series.ts';
import {
  benchSizeFromArgs,
  type Candidates,
  checkResult,
  type Goal,
  goalLines,
  machineLine,
  readable,
  type Timing,
  tableFromRows,
  timeInterleaved,
} from '../harness.ts';
import { benchParams, type Peer, type PeerKernel, peers } from './peers.ts';

const SIZES = {
  smoke: { symbolCount: 4, barCount: 400, longCount: 5_000, rounds: 1 },
  quick: { symbolCount: 1_000, barCount: 2_520, longCount: 252_000, rounds: 5 },
  full: { symbolCount: 10_000, barCount: 2_520, longCount: 2_520_000, rounds: 11 },
};

const OURS = 'tapeworks';
const COPY = 'memory copy (1 column in, 9 out)';
const ALL = 'all five';

/** One symbol's closes with the columns its indicators are written to. */
interface Work {
  close: Float64Array;
  input: IndicatorInput;
  outputs: { spec: IndicatorSpec; out: IndicatorOutput }[];
}

/** Outputs are views of universe-wide columns, touched here so that no page is new when timed. */
function workOf(closes: Float64Array[]): Work[] {
  const barCount = closes[0].length;
  const wide = indicatorCatalogue.map((spec) => ({
    spec,
    columns: outputColumns(spec.outputs, closes.length * barCount),
  }));
  for (const { columns } of wide) for (const column of Object.values(columns)) column.fill(1);
  return closes.map((close, symbol) => {
    const view = (column: Float64Array) =>
      column.subarray(symbol * barCount, (symbol + 1) * barCount);
    const outputs = wide.map(({ spec, columns }) => {
      const views = Object.entries(columns).map(([name, column]) => [name, view(column)]);
      return { spec, out: Object.fromEntries(views) as IndicatorOutput };
    });
    return { close, input: { close }, outputs };
  });
}

/** Our name where we run as many symbols as a peer that can't run all of them in time. */
function ourName(symbolCount: number, universeCount: number): string {
  return symbolCount === universeCount ? OURS : `${OURS}, as many symbols`;
}

/** Names of candidates are `library/indicator`. */
function ourCandidates(work: Work[], name = OURS): Candidates {
  const one = (index: number) => () => {
    for (const { input, outputs } of work) {
      const { spec, out } = outputs[index];
      spec.compute(input, benchParams[spec.name], out);
    }
  };
  const all = () => {
    for (const { input, outputs } of work) {
      for (const { spec, out } of outputs) spec.compute(input, benchParams[spec.name], out);
    }
  };
  const rows = indicatorCatalogue.map((spec, index) => [`${name}/${spec.name}`, one(index)]);
  return { ...Object.fromEntries(rows), [`${name}/${ALL}`]: all };
}

function copyCandidate(work: Work[]): Candidates {
  const copy = () => {
    for (const { close, outputs } of work) {
      for (const { out } of outputs) for (const column of Object.values(out)) column.set(close);
    }
  };
  return { [`${COPY}/${ALL}`]: copy };
}

function peerCandidates({ name, kernels }: Peer, closes: number[][]): Candidates {
  // Looking at each result keeps the engine from dropping a call as unused.
  const run = (kernel: PeerKernel, close: number[]) =>
    checkResult(kernel.run(close) !== undefined, `${name} returned nothing`);
  const one = (indicator: string) => () => {
    for (const close of closes) run(kernels[indicator], close);
  };
  const all = () => {
    for (const close of closes) for (const kernel of Object.values(kernels)) run(kernel, close);
  };
  const rows = Object.keys(kernels).map((indicator) => [`${name}/${indicator}`, one(indicator)]);
  return { ...Object.fromEntries(rows), [`${name}/${ALL}`]: all };
}

/** Our last values and the libraries' must be those of exact arithmetic. */
function checkResults(close: Float64Array): void {
  const [{ input, outputs }] = workOf([close]);
  for (const { spec, out } of outputs) {
    const params = benchParams[spec.name];
    spec.compute(input, params, out);
    const exact = exactColumns(spec.name, close, params);
    for (const output of spec.outputs) {
      const expected = doubleFromExact(exact[output].at(-1) as bigint);
      checkLast(`${OURS} ${spec.name} ${output}`, out[output], expected, 1e-12);
      for (const { name, kernels } of peers) {
        const column = kernels[spec.name].columns(Array.from(close))[output];
        // technicalindicators rounds its RSI to two decimals.
        if (column) checkLast(`${name} ${spec.name} ${output}`, column, expected, 1e-2);
      }
    }
  }
}

function checkLast(
  what: string,
  column: ArrayLike<number>,
  expected: number,
  tolerance: number,
): void {
  const last = column[column.length - 1];
  const isNear = Math.abs(last - expected) <= tolerance * Math.max(1, Math.abs(expected));
  checkResult(isNear, `${what} ends in ${last}, exact arithmetic in ${expected}`);
}

/** Peers get as much of the universe as they manage in reasonable time. */
function universeCandidates(closes: Float64Array[]): {
  candidates: Candidates;
  symbolCounts: Record<string, number>;
} {
  const work = workOf(closes);
  const candidates: Candidates = { ...copyCandidate(work), ...ourCandidates(work) };
  const symbolCounts: Record<string, number> = { [COPY]: closes.length, [OURS]: closes.length };
  for (const peer of peers) {
    const count = Math.max(1, Math.round(closes.length * peer.universeShare));
    symbolCounts[peer.name] = count;
    const plain = closes.slice(0, count).map((close) => Array.from(close));
    Object.assign(candidates, peerCandidates(peer, plain));
  }
  // What fits the caches is faster for anyone: the slowest peer is compared with us on its symbols.
  const fewest = Math.min(...Object.values(symbolCounts));
  const name = ourName(fewest, closes.length);
  symbolCounts[name] = fewest;
  Object.assign(candidates, ourCandidates(work.slice(0, fewest), name));
  return { candidates, symbolCounts };
}

function speedTable(
  timings: Record<string, Timing>,
  symbolCounts: Record<string, number>,
  barCount: number,
): string {
  const speed = (library: string, indicator: string) => {
    const timing = timings[`${library}/${indicator}`];
    const closeCount = symbolCounts[library] * barCount;
    return timing ? readable(closeCount / timing.medianMs / 1000) : '';
  };
  const names = indicatorCatalogue.map((spec) => spec.name);
  const header = ['M closes/s', 'symbols', ...names, ALL, 'ms min', 'median', 'p99'];
  const rows = Object.keys(symbolCounts).map((library) => {
    const { minMs, medianMs, p99Ms } = timings[`${library}/${ALL}`];
    const speeds = [...names, ALL].map((name) => speed(library, name));
    const times = [minMs, medianMs, p99Ms].map(readable);
    return [library, readable(symbolCounts[library]), ...speeds, ...times];
  });
  return tableFromRows(header, rows);
}

const size = benchSizeFromArgs();
const { symbolCount, barCount, longCount, rounds } = SIZES[size];
const closes = Array.from({ length: symbolCount }, (_, i) => randomWalk(barCount, i + 1));
checkResults(closes[0]);

const { candidates, symbolCounts } = universeCandidates(closes);
const timings = await timeInterleaved(candidates, rounds);

const best = peers[0];
const long = randomWalk(longCount, symbolCount + 1);
const longTimings = await timeInterleaved(
  { ...ourCandidates(workOf([long])), ...peerCandidates(best, [Array.from(long)]) },
  rounds,
);

/** How many times our time for all five, per close, a library takes; on its symbols if we ran them. */
function ratioTo(library: string): number {
  const name = ourName(symbolCounts[library], symbolCount);
  const ours = symbolCounts[name] === symbolCounts[library] ? name : OURS;
  const timePerSymbol = (name: string) => timings[`${name}/${ALL}`].medianMs / symbolCounts[name];
  return timePerSymbol(library) / timePerSymbol(ours);
}

if (size === 'smoke') {
  console.log('kernels: results are right');
} else {
  console.log(`${symbolCount} symbols of ${barCount} daily closes, ${rounds} rounds, one thread`);
  console.log(`${machineLine()}\n`);
  console.log(`${speedTable(timings, symbolCounts, barCount)}\n`);
  console.log(`all five take ${readable(1 / ratioTo(COPY))} times the memory copy`);
  const longRatio =
    longTimings[`${best.name}/${ALL}`].medianMs / longTimings[`${OURS}/${ALL}`].medianMs;
  const goals: Goal[] = [
    { name: `all five / ${best.name}`, ratio: ratioTo(best.name), atLeast: 3.8 },
    {
      name: 'all five / technicalindicators',
      ratio: ratioTo('technicalindicators'),
      atLeast: 150,
    },
    {
      name: `all five, one series of ${longCount} closes / ${best.name}`,
      ratio: longRatio,
      atLeast: 3.8,
    },
  ];
  console.log(goalLines(goals));
}
