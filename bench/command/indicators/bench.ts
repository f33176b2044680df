/** The bench of indicators: ours and peers' over the same bars, checked first. */

import { countText } from '../../../src/base/count-text.ts';
import { limits } from '../../../src/base/limits.ts';
import type { IndicatorRequest } from '../../../src/compute/indicators/indicator-request.ts';
import type { Universe } from '../data/universe.ts';
import { benchLimits } from '../limits.ts';
import { workClock } from '../measure/cpu-time.ts';
import { measureRounds } from '../measure/rounds.ts';
import { yardstick } from '../measure/yardstick.ts';
import type { PeerDriver, PeerMode } from '../peers/driver.ts';
import {
  type BenchDocument,
  type Check,
  type Group,
  type Measurement,
  OURS,
  taskOf,
} from '../report/document.ts';
import { BenchMemory, copyRun } from './bench-memory.ts';
import { knownDifferences } from './differences.ts';
import { TOLERANCE } from './equality.ts';
import {
  barCountOf,
  CHECKED_SERIES,
  checkOf,
  type Item,
  loadText,
  peerCandidate,
  type Skipped,
  skippedText,
  type Timed,
} from './peer-candidates.ts';
import {
  BAR_MODES,
  type BenchMode,
  cachedRun,
  lastRun,
  MODE_TITLES,
  MODES,
  NEXT_BARS,
  nextRun,
  programOf,
  writtenRun,
} from './work.ts';

export interface IndicatorBench {
  universe: Universe;
  requests: readonly IndicatorRequest[];
  drivers: readonly PeerDriver[];
  rounds: number;
  /** Time of one sample of a peer; slow peers are given fewer symbols. */
  sampleMs: number;
  onProgress: (step: string, done: number, total: number) => void;
}

export const COPY = 'memory copy';

/** The item of all requested indicators at once. */
export const ALL = 'all';

const WARMUP_ROUNDS = 2;
const SAMPLE_MS_MIN = 2;

export type IndicatorResult = Pick<
  BenchDocument,
  'groups' | 'checks' | 'measurements' | 'yardstickNs' | 'rules'
>;

const GROUPS: readonly Group[] = MODES.map((mode) => ({
  id: mode,
  title: MODE_TITLES[mode],
  unit: BAR_MODES.includes(mode) ? 'bar' : 'symbol',
  ...(mode === 'cached' && { peersOf: 'written' }),
}));

const { nowMs, name: clockName } = workClock();

const RULES = [
  `times are ${clockName}`,
  `equality: peers' values are compared with ours over the ${CHECKED_SERIES} longest series; a difference of ` +
    `at most ${TOLERANCE} of the value, or of 1 where it is smaller, is rounding`,
  'one thread each; each round runs every candidate once; bars are in memory, in the form that ' +
    'the program wants, before its time begins',
  'peers keep the result of one symbol at a time; "written to memory" keeps ours of all symbols',
  `"one new bar" adds ${NEXT_BARS} bars in turn; its time is for one of them`,
];

/** @throws {Error} Two of our own ways give different bits. */
export async function benchIndicators(bench: IndicatorBench): Promise<IndicatorResult> {
  const { requests, drivers, onProgress } = bench;
  const known = knownDifferences();
  const checks: Check[] = [];
  const measurements: Measurement[] = [];
  const yardstickNs: number[] = [];
  const items = requests.map((request) => ({ item: request.key, requests: [request] }));
  const isAllAtOnce = requests.length > 1 && requests.length <= limits.indicator.perRequestMax;
  if (isAllAtOnce) items.push({ item: ALL, requests: [...requests] });
  const { rowCount, writtenSeries } = writtenPart(bench, items);
  const skipped: Skipped = new Map();
  const memories = { read: new BenchMemory(), written: new BenchMemory() };
  for (const [done, one] of items.entries()) {
    onProgress(one.item, done, items.length);
    checkOwnModes(bench.universe, one.requests);
    const programs: { driver: PeerDriver; mode: PeerMode }[] = [];
    for (const driver of drivers) {
      for (const mode of ['written', 'last', 'next'] as const) {
        const offers = await Promise.all(one.requests.map((each) => driver.offers(mode, each)));
        if (offers.every(Boolean)) programs.push({ driver, mode });
      }
    }
    for (const { driver, mode } of programs) {
      if (mode !== 'written' || one.item === ALL) continue;
      checks.push(await checkOf(driver, one.requests[0], bench.universe, known));
    }
    const ours = ourCandidates(bench.universe, writtenSeries, memories, one);
    const theirs: Timed[] = [];
    for (const program of programs) {
      const candidate = await peerCandidate(program, one, bench, skipped);
      if (candidate) theirs.push(candidate);
    }
    const timed = [...ours, ...theirs];
    const wall = new Map<string, number[]>();
    const samples = await measureRounds([...timed, { id: 'yardstick', run: yardstick }], {
      rounds: bench.rounds,
      warmupRounds: WARMUP_ROUNDS,
      sampleMsMin: SAMPLE_MS_MIN,
      ...{ nowMs, wall },
    });
    for (const { id, task, program, load, unitCount } of timed) {
      const samplesNs = (samples.get(id) ?? []).map((ms) => (ms * 1e6) / unitCount);
      const wallNs = wall.get(id)?.map((ms) => (ms * 1e6) / unitCount);
      measurements.push({ task, program, load, samplesNs, ...(wallNs && { wallNs }) });
    }
    yardstickNs.push(...(samples.get('yardstick') ?? []).map((ms) => ms * 1e6));
  }
  onProgress('done', items.length, items.length);
  const all = bench.universe.barCount;
  const rules = [
    ...RULES,
    ...(rowCount === all
      ? []
      : [`"written to memory" takes ${countText(rowCount)} of ${countText(all)} bars`]),
    ...[...skipped].map(([program, places]) => skippedText(program, places, bench.universe)),
  ];
  return { groups: GROUPS, checks, measurements, yardstickNs, rules };
}

/** Takes as many series as fit the bound of our output columns. */
function writtenPart({ universe }: IndicatorBench, items: readonly Item[]) {
  const outputs = items.map(({ requests }) =>
    requests.reduce((sum, { spec }) => sum + spec.outputs.length, 0),
  );
  const rowsMax = benchLimits.outputBytesMax / 8 / Math.max(...outputs);
  let rowCount = 0;
  const end = universe.bars.findIndex(({ close }) => {
    rowCount += close.length;
    return rowCount > rowsMax;
  });
  if (end >= 0) rowCount -= universe.bars[end].close.length;
  const writtenSeries = end < 0 ? universe.bars : universe.bars.slice(0, Math.max(1, end));
  rowCount = Math.max(rowCount, writtenSeries[0].close.length);
  return { rowCount, writtenSeries };
}

function ourCandidates(
  { bars, barCount }: Universe,
  writtenSeries: Universe['bars'],
  memories: { read: BenchMemory; written: BenchMemory },
  { item, requests }: Item,
): Timed[] {
  const program = programOf(requests);
  const timed = (
    mode: BenchMode,
    program: string,
    run: () => void,
    counts: { symbols: number; bars: number; units: number },
  ): Timed => ({
    id: `${mode} ${program}`,
    task: taskOf(mode, item),
    program,
    load: loadText(counts.symbols, counts.bars),
    unitCount: counts.units,
    run,
  });
  const whole = { symbols: bars.length, bars: barCount };
  const writtenBars = barCountOf(writtenSeries);
  const written = { symbols: writtenSeries.length, bars: writtenBars, units: writtenBars };
  const placed = memories.read.take(program, bars, false);
  const placedWritten = memories.written.take(program, writtenSeries, true);
  const candidates = [
    timed('cached', OURS, cachedRun(program, placed), { ...whole, units: barCount }),
    timed('written', OURS, writtenRun(program, placedWritten), written),
    timed('written', COPY, copyRun(placedWritten), written),
    timed('last', OURS, lastRun(program, placed).run, { ...whole, units: bars.length }),
  ];
  const next = nextRun(program, bars);
  if (next) {
    const units = next.places.length * NEXT_BARS;
    candidates.push(
      timed('next', OURS, next.run, { symbols: next.places.length, bars: units, units }),
    );
  }
  return candidates;
}

/** Checks that each way gives the bits of the catalogue's own kernel at the newest bar. */
function checkOwnModes({ bars }: Universe, requests: readonly IndicatorRequest[]): void {
  const some = bars.slice(0, CHECKED_SERIES);
  const program = programOf(requests);
  const expected = some.map((one) =>
    requests.flatMap(({ spec, params }) => {
      const columns = spec.compute(one, params);
      return spec.outputs.map((output) => columns[output]);
    }),
  );
  const placed = new BenchMemory().take(program, some, true);
  writtenRun(program, placed)();
  for (const [place, { outputs }] of placed.symbols.entries()) {
    requireBits(
      'written',
      outputs.map((column) => column.at(-1)!),
      expected[place],
    );
  }
  for (const [mode, newest] of [
    ['last', lastRun(program, placed)],
    ['next', nextRun(program, some)],
  ] as const) {
    newest?.run();
    for (const [entry, place] of (newest?.places ?? []).entries()) {
      const values = newest!.values.map((column) => column[entry]);
      requireBits(mode, values, expected[place]);
    }
  }
}

function requireBits(
  mode: BenchMode,
  values: readonly number[],
  columns: readonly Float64Array[],
): void {
  for (const [i, value] of values.entries()) {
    const expected = columns[i].at(-1)!;
    if (Object.is(value, expected)) continue;
    throw new Error(`wrong result: ${mode}, output ${i}: ${value} instead of ${expected}`);
  }
}
