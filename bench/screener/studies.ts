/**
 * Speed of studies over columns in memory, beside numpy with TA-Lib: `npm run bench -- studies
 * [--quick --smoke]`. Series have lengths as in a market: most whole, some young. Those of polars,
 * pandas and DuckDB that `.venv` has run the study over 1,000 of them; pandas, DuckDB and the sweep of
 * numpy run once.
 *
 * Events, mean returns and means of the universe must be equal before anything is timed.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answeredStudy } from '../../src/api/study/answer.ts';
import type { StudyRequest } from '../../src/api/study/request.ts';
import type { BarColumns } from '../../src/base/bars.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits.ts';
import { ScreenMemory } from '../../src/screens/run/screen-memory.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import type { Snapshot } from '../../src/store/arrow/snapshot/snapshot.ts';
import { generatedBars, symbolName } from '../command/data/synthetic.ts';
import { publishMarket } from '../command/serving/market.ts';
import {
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  cpuMs,
  type Goal,
  goalLines,
  machineLine,
  medianOf,
  readable,
} from '../harness.ts';
import { type Answer, checkEqual, openRivals, writtenColumns } from './study-rivals.ts';

/**
 * polars, pandas and DuckDB run over the first `few` symbols alone: over all of them they take most of
 * the benchmark's time. Their time grows as the bars do, so ratios are by bar.
 */
const SIZES = {
  smoke: { symbols: 120, bars: 400, rounds: 1, pairs: 4, few: 120 },
  quick: { symbols: 1000, bars: 2520, rounds: 3, pairs: 25, few: 1000 },
  full: { symbols: 10_000, bars: 2520, rounds: 3, pairs: 100, few: 1000 },
};

const HORIZONS = [1, 5, 20, 60];
/** Every tenth symbol is younger than the market. */
const YOUNG_EVERY = 10;

const VENV = fileURLToPath(new URL('../../.venv/bin/python', import.meta.url));
const python = existsSync(VENV) ? VENV : undefined;

type Pair = [rsi: number, average: number];

const size = benchSizeFromArgs();
const { symbols, bars, rounds, pairs: pairCount, few } = SIZES[size];
const folder = benchFolder();

function seriesOf(number: number): BarColumns {
  const isYoung = number % YOUNG_EVERY === YOUNG_EVERY - 1;
  return generatedBars(isYoung ? 30 + ((number * 7919) % (bars - 30)) : bars, number);
}

const made = Array.from({ length: symbols }, (_, number) => ({
  symbol: symbolName(number),
  bars: seriesOf(number),
}));
made.sort((a, b) => (a.symbol < b.symbol ? -1 : 1));

/** Publishes some of the series, and opens them. */
async function marketOf(part: typeof made, name: string): Promise<Snapshot> {
  const { serving } = modePaths(join(folder, name), 'live');
  await publishMarket(serving, {
    symbols: part.map((one) => one.symbol),
    bars: part.map((one) => one.bars),
  });
  return openPublished(serving)!;
}

const version = await marketOf(made, 'all');

const REQUEST: StudyRequest = {
  ...{ where: undefined, factor: undefined, universe: undefined, parameters: {} },
  ...{ mode: 'begins', entry: 'next_open', horizons: HORIZONS, by: 'none' },
  ...{ fromDay: undefined, toDay: undefined, hasCurrentFields: false },
  ...{ rows: 'summary', format: 'json' },
};

function ourTable(memory: ScreenMemory, request: Partial<StudyRequest>, of = version) {
  const run = answeredStudy(of, memory, { ...REQUEST, ...request });
  for (;;) {
    const step = run.next();
    if (step.done) return step.value.table;
  }
}

/** A row of the summary is a combination and a horizon, horizons last. */
function ourAnswers(request: Partial<StudyRequest>, of = version): Answer[] {
  const table = ourTable(newMemory(), request, of);
  const column = (name: string) => table.find((one) => one.name === name)!.values;
  const rows = Array.from({ length: column('events').length / HORIZONS.length }, (_, i) => i * 4);
  return rows.map((row) => ({
    events: Number(column('events')[row]),
    means: HORIZONS.map((_, h) => [
      Number(column('mean')[row + h]),
      Number(column('universeMean')[row + h]),
    ]),
  }));
}

const whereOf = ([rsi, average]: Pair) => `rsi(${rsi}) < 30 and close > 1.0001 * sma(${average})`;
const ONE: Pair = [14, 200];

/** Pairs in the order of a sweep by `n`, then by `m`. */
const side = Math.round(Math.sqrt(pairCount));
const RSI = Array.from({ length: side }, (_, i) => 5 + i);
const AVERAGES = Array.from({ length: side }, (_, i) => 50 + 15 * i);
const PAIRS: Pair[] = RSI.flatMap((n) => AVERAGES.map((m): Pair => [n, m]));
const SWEEP: Partial<StudyRequest> = {
  where: 'rsi($n) < 30 and close > 1.0001 * sma($m)',
  parameters: { $n: `${RSI[0]}..${RSI.at(-1)}:1`, $m: `${AVERAGES[0]}..${AVERAGES.at(-1)}:15` },
};

const newMemory = () => new ScreenMemory(limits.screens.memoryBytesMax);

function timed(run: () => unknown): number {
  const startMs = cpuMs();
  run();
  return cpuMs() - startMs;
}

const one = ourAnswers({ where: whereOf(ONE) });
const swept = ourAnswers(SWEEP);
checkResult(one[0].events > 0, 'the study has no events');

const samples: Record<string, number[]> = {};
const add = (name: string, ms: number) => {
  samples[name] ??= [];
  samples[name].push(ms);
};

const series = made.map(({ bars }) => bars);
/** Starts rivals over the columns of some series; undefined without Python. */
const rivalsOf = (columns: string, some: typeof series) =>
  python === undefined
    ? undefined
    : openRivals(python, writtenColumns(join(folder, columns), some));

const all = rivalsOf('columns', series);
const first = await all?.run('numpy', [ONE]);
const numpyVersion = first?.version ?? undefined;
if (all && first && numpyVersion !== undefined) {
  checkEqual(one, first.answers);
  const { answers, cpuMs } = await all.run('numpy', PAIRS);
  checkEqual(swept, answers);
  add('numpy sweep', cpuMs);
}

const OTHERS = ['polars', 'pandas', 'duckdb'];
/** By rival over a part of the symbols, its version. */
const otherVersions = new Map<string, string>();
const part = made.slice(0, few);
const others = rivalsOf('part', series.slice(0, few));
if (others) {
  const ours = ourAnswers({ where: whereOf(ONE) }, await marketOf(part, 'few'));
  for (const name of OTHERS) {
    const { version: found, answers, cpuMs } = await others.run(name, [ONE]);
    if (found === null) continue;
    otherVersions.set(name, found);
    checkEqual(ours, answers);
    add(name, cpuMs);
  }
}

for (let round = 0; round < rounds; round++) {
  const opened = newMemory();
  add(
    'version',
    timed(() => ourTable(opened, { where: whereOf(ONE) })),
  );
  // Another study has read the columns, and nothing else of the next one.
  const memory = newMemory();
  ourTable(memory, { where: 'close < 0', entry: 'next_close' });
  add(
    'first',
    timed(() => ourTable(memory, { where: whereOf(ONE) })),
  );
  add(
    'next',
    timed(() => ourTable(memory, { where: whereOf([14 + round + 1, 190 - round]) })),
  );
  add(
    'sweep',
    timed(() => ourTable(memory, SWEEP)),
  );
  add(
    'deciles',
    timed(() => ourTable(memory, { factor: 'roc(close, 126)', rows: 'deciles' })),
  );
  if (otherVersions.has('polars')) add('polars', (await others!.run('polars', [ONE])).cpuMs);
  if (numpyVersion) add('numpy', (await all!.run('numpy', [ONE])).cpuMs);
}
await all?.close();
await others?.close();

const medianMs = (name: string) => medianOf(samples[name]);
const barsOf = (some: typeof made) => some.reduce((sum, { bars }) => sum + bars.close.length, 0);
console.log(machineLine());
console.log(`${symbols} series, ${barsOf(made)} bars; ${one[0].events} events; processor time`);
const titles: Record<string, string> = {
  version: 'a study, the first text of a version',
  first: 'the first text with its horizons, columns in memory',
  next: 'the next text',
  sweep: `a sweep of ${PAIRS.length} pairs`,
  deciles: 'tenths by month',
  numpy: `the study with ${numpyVersion}`,
  'numpy sweep': 'the sweep with it, once',
};
for (const [name, found] of otherVersions) {
  titles[name] = `the study of ${few} series, ${barsOf(part)} bars, with ${found}`;
}
for (const [name, title] of Object.entries(titles)) {
  if (samples[name]) console.log(`${title}: ${readable(medianMs(name))} ms`);
}
const goals: Goal[] = [];
for (const name of otherVersions.keys()) {
  // By bar, since the rival has fewer.
  const ratio = medianMs(name) / barsOf(part) / (medianMs('next') / barsOf(made));
  // There is no goal for pandas and DuckDB.
  if (name === 'polars') goals.push({ name: 'polars / study, next, by bar', ratio, atLeast: 15 });
  else console.log(`${name} / study, next, by bar: ${readable(ratio)}`);
}
if (numpyVersion) {
  goals.push(
    { name: 'numpy / study, first', ratio: medianMs('numpy') / medianMs('first'), atLeast: 10 },
    { name: 'numpy / study, next', ratio: medianMs('numpy') / medianMs('next'), atLeast: 10 },
    { name: 'numpy / sweep', ratio: medianMs('numpy sweep') / medianMs('sweep'), atLeast: 3 },
  );
}
if (!numpyVersion) console.log('without numpy: it needs .venv with numpy and TA-Lib');
if (goals.length > 0) console.log(goalLines(goals));
