/**
 * Speed of the indicator kernels on a universe of daily bars, against npm libraries and against
 * copying memory: `node bench/kernels/kernels.ts [--quick | --smoke]`.
 *
 * Our columns go to memory that has been written before; the libraries allocate theirs, since
 * they offer nothing else. They get plain arrays, the form they document.
 */

import {
  type IndicatorInput,
  type IndicatorOutput,
  type IndicatorSpec,
  outputColumns,
} from '../../src/compute/columns/indicator-spec.ts';
import { LANES, Program } from '../../src/compute/columns/program.ts';
import { indicatorCatalogue } from '../../src/compute/indicators/catalogue.ts';
import { barsOf } from '../../test/compute/support/bars-of.ts';
import { definitions } from '../../test/compute/support/definitions/definitions.ts';
import { doubleFromExact } from '../../test/compute/support/exact.ts';
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
import {
  benchParams,
  type Peer,
  type PeerBars,
  type PeerKernel,
  peerBars,
  peers,
} from './peers.ts';

/** Indicators that every library has. Columns of all indicators would not fit in memory. */
const measured = indicatorCatalogue.filter(
  ({ name, isPublished }) => isPublished || name === 'atr',
);

/** Output columns of these indicators. */
const columnCount = measured.flatMap(({ outputs }) => outputs).length;
const COPY = `memory copy (1 column in, ${columnCount} out)`;

const SIZES = {
  smoke: { symbolCount: 4, barCount: 400, longCount: 5_000, rounds: 1 },
  quick: { symbolCount: 1_000, barCount: 2_520, longCount: 252_000, rounds: 5 },
  full: { symbolCount: 10_000, barCount: 2_520, longCount: 2_520_000, rounds: 11 },
};

const OURS = 'tapeworks';
const LAST = 'tapeworks, last values';
const ALL = 'all';

/** One symbol's bars with the columns its indicators are written to. */
interface Work {
  input: IndicatorInput;
  outputs: { spec: IndicatorSpec; out: IndicatorOutput }[];
}

/** Outputs are views of universe-wide columns, touched here so that no page is new when timed. */
function workOf(universe: IndicatorInput[], specs: readonly IndicatorSpec[] = measured): Work[] {
  const barCount = universe[0].close.length;
  const wide = specs.map((spec) => ({
    spec,
    columns: outputColumns(spec.outputs, universe.length * barCount),
  }));
  for (const { columns } of wide) for (const column of Object.values(columns)) column.fill(1);
  return universe.map((input, symbol) => {
    const view = (column: Float64Array) =>
      column.subarray(symbol * barCount, (symbol + 1) * barCount);
    const outputs = wide.map(({ spec, columns }) => {
      const views = Object.entries(columns).map(([name, column]) => [name, view(column)]);
      return { spec, out: Object.fromEntries(views) as IndicatorOutput };
    });
    return { input, outputs };
  });
}

/** Our name where we run as many symbols as a peer that can't run all of them in time. */
function ourName(symbolCount: number, universeCount: number): string {
  return symbolCount === universeCount ? OURS : `${OURS}, as many symbols`;
}

/**
 * Runs as many symbols at once as a program takes. Names of candidates are `library/indicator`.
 *
 * @param fromRow Rows before it are computed and not written.
 */
function ourCandidates(work: Work[], name = OURS, fromRow = 0): Candidates {
  const { length } = work[0].input.close;
  const run = (specs: readonly IndicatorSpec[]) => {
    const program = new Program(specs.flatMap((spec) => spec.expressions(benchParams(spec))));
    const tiles: { lanes: IndicatorInput[]; out: Float64Array[][] }[] = [];
    for (let from = 0; from < work.length; from += LANES) {
      const some = work.slice(from, from + LANES);
      const columnsOf = ({ outputs }: Work) =>
        outputs
          .filter(({ spec }) => specs.includes(spec))
          .flatMap(({ spec, out }) => spec.outputs.map((output) => out[output]));
      tiles.push({ lanes: some.map(({ input }) => input), out: some.map(columnsOf) });
    }
    return () => {
      for (const { lanes, out } of tiles) program.run(lanes, length, out, { fromRow });
    };
  };
  const rows = measured.map((spec) => [`${name}/${spec.name}`, run([spec])]);
  return { ...Object.fromEntries(rows), [`${name}/${ALL}`]: run(measured) };
}

function copyCandidate(work: Work[]): Candidates {
  const copy = () => {
    for (const { input, outputs } of work) {
      for (const { out } of outputs) {
        for (const column of Object.values(out)) column.set(input.close);
      }
    }
  };
  return { [`${COPY}/${ALL}`]: copy };
}

function peerCandidates({ name, kernels }: Peer, universe: PeerBars[]): Candidates {
  // Looking at each result keeps the engine from dropping a call as unused.
  const run = (kernel: PeerKernel, bars: PeerBars) =>
    checkResult(kernel.run(bars) !== undefined, `${name} returned nothing`);
  const one = (indicator: string) => () => {
    for (const bars of universe) run(kernels[indicator], bars);
  };
  const all = () => {
    for (const bars of universe) for (const { name } of measured) run(kernels[name], bars);
  };
  const rows = measured.map((spec) => [`${name}/${spec.name}`, one(spec.name)]);
  return { ...Object.fromEntries(rows), [`${name}/${ALL}`]: all };
}

/** Our last values and the libraries' must be those of exact arithmetic. */
function checkResults(bars: IndicatorInput): void {
  const [{ input, outputs }] = workOf([bars], indicatorCatalogue);
  for (const { spec, out } of outputs) {
    const params = benchParams(spec);
    spec.compute(input, params, out);
    const exact = definitions[spec.name].exact(bars, params);
    for (const output of spec.outputs) {
      const expected = doubleFromExact(exact[output].at(-1) as bigint);
      checkLast(`${OURS} ${spec.name} ${output}`, out[output], expected, 1e-12);
      for (const { name, kernels } of peers) {
        const column = kernels[spec.name]?.columns(peerBars(bars))[output];
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
function universeCandidates(universe: IndicatorInput[]): {
  candidates: Candidates;
  symbolCounts: Record<string, number>;
} {
  const work = workOf(universe);
  const candidates: Candidates = {
    ...copyCandidate(work),
    ...ourCandidates(work),
    ...ourCandidates(work, LAST, universe[0].close.length - 1),
  };
  const symbolCounts: Record<string, number> = {
    [COPY]: universe.length,
    [OURS]: universe.length,
    [LAST]: universe.length,
  };
  for (const peer of peers) {
    const count = Math.max(1, Math.round(universe.length * peer.universeShare));
    symbolCounts[peer.name] = count;
    Object.assign(candidates, peerCandidates(peer, universe.slice(0, count).map(peerBars)));
  }
  // What fits the caches is faster for anyone: the slowest peer is compared with us on its symbols.
  const fewest = Math.min(...Object.values(symbolCounts));
  const name = ourName(fewest, universe.length);
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
    const rowCount = symbolCounts[library] * barCount;
    return timing ? readable(rowCount / timing.medianMs / 1000) : '';
  };
  const names = measured.map((spec) => spec.name);
  const header = ['M bars/s', 'symbols', ...names, ALL, 'ms min', 'median', 'p99'];
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
const universe = Array.from({ length: symbolCount }, (_, i) => barsOf(randomWalk(barCount, i + 1)));
checkResults(universe[0]);

const { candidates, symbolCounts } = universeCandidates(universe);
const timings = await timeInterleaved(candidates, rounds);

const best = peers[0];
const long = barsOf(randomWalk(longCount, symbolCount + 1));
const longTimings = await timeInterleaved(
  { ...ourCandidates(workOf([long])), ...peerCandidates(best, [peerBars(long)]) },
  rounds,
);

/** Returns a library's time for all indicators per symbol, over ours on as many symbols. */
function ratioTo(library: string): number {
  const name = ourName(symbolCounts[library], symbolCount);
  const ours = symbolCounts[name] === symbolCounts[library] ? name : OURS;
  const timePerSymbol = (name: string) => timings[`${name}/${ALL}`].medianMs / symbolCounts[name];
  return timePerSymbol(library) / timePerSymbol(ours);
}

if (size === 'smoke') {
  console.log('kernels: results are right');
} else {
  console.log(`${symbolCount} symbols of ${barCount} daily bars, ${rounds} rounds, one thread`);
  console.log(`${machineLine()}\n`);
  console.log(`${speedTable(timings, symbolCounts, barCount)}\n`);
  console.log(`all take ${readable(1 / ratioTo(COPY))} times the memory copy`);
  const longRatio =
    longTimings[`${best.name}/${ALL}`].medianMs / longTimings[`${OURS}/${ALL}`].medianMs;
  const goals: Goal[] = [
    { name: `all / ${best.name}`, ratio: ratioTo(best.name), atLeast: 3.8 },
    {
      name: 'all / technicalindicators',
      ratio: ratioTo('technicalindicators'),
      atLeast: 150,
    },
    {
      name: `all, one series of ${longCount} bars / ${best.name}`,
      ratio: longRatio,
      atLeast: 3.8,
    },
  ];
  console.log(goalLines(goals));
}
