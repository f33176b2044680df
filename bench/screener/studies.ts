/**
 * Speed of studies over columns in memory, beside numpy with TA-Lib: `npm run bench -- studies
 * [--quick --smoke]`. Series have lengths as in a market: most whole, some young. Those
 * of polars, pandas and DuckDB that `.venv` has run the study too.
 *
 * Events, mean returns and means of the universe must be equal before anything is timed.
 */

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { answeredStudy } from '../../src/api/study/answer.ts';
import type { StudyRequest } from '../../src/api/study/request.ts';
import type { BarColumns } from '../../src/base/bars.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits.ts';
import { daysOfTimestamps } from '../../src/base/time/dates.ts';
import { generatedBars, symbolName } from '../../src/bench/data/synthetic.ts';
import { publishMarket } from '../../src/bench/serving/market.ts';
import { ScreenMemory } from '../../src/screens/run/screen-memory.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
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

const SIZES = {
  smoke: { symbols: 120, bars: 400, rounds: 1, pairs: 4 },
  quick: { symbols: 1000, bars: 2520, rounds: 3, pairs: 25 },
  full: { symbols: 10_000, bars: 2520, rounds: 3, pairs: 100 },
};

const HORIZONS = [1, 5, 20, 60];
/** Every tenth symbol is younger than the market. */
const YOUNG_EVERY = 10;

const VENV = fileURLToPath(new URL('../../.venv/bin/python', import.meta.url));
const python = existsSync(VENV) ? VENV : undefined;

type Pair = [rsi: number, average: number];

interface Answer {
  events: number;
  /** By horizon: mean return, and mean of the universe over events; NaN or null without any. */
  means: (number | null)[][];
}

const size = benchSizeFromArgs();
const { symbols, bars, rounds, pairs: pairCount } = SIZES[size];
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
const serving = modePaths(folder, 'live').serving;
await publishMarket(serving, {
  symbols: made.map((one) => one.symbol),
  bars: made.map((one) => one.bars),
});
const version = openPublished(serving)!;

const REQUEST: StudyRequest = {
  ...{ where: undefined, factor: undefined, universe: undefined, parameters: {} },
  ...{ mode: 'begins', entry: 'next_open', horizons: HORIZONS, by: 'none' },
  ...{ fromDay: undefined, toDay: undefined, hasCurrentFields: false },
  ...{ rows: 'summary', format: 'json' },
};

function ourTable(memory: ScreenMemory, request: Partial<StudyRequest>) {
  const run = answeredStudy(version, memory, { ...REQUEST, ...request });
  for (;;) {
    const step = run.next();
    if (step.done) return step.value.table;
  }
}

/** A row of the summary is a combination and a horizon, horizons last. */
function ourAnswers(memory: ScreenMemory, request: Partial<StudyRequest>): Answer[] {
  const table = ourTable(memory, request);
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

interface Run {
  /** Null if the program is not there. */
  version: string | null;
  cpuMs: number;
  answers: Answer[];
}

/** A program that answers each line of its input by one. */
interface Rival {
  next(): Promise<Run>;
  run(question: unknown): Promise<Run>;
  close(): void;
}

function openRival(interpreter: string, name: string, columns: string): Rival {
  const script = fileURLToPath(new URL(name, import.meta.url));
  const child = spawn(interpreter, [script, columns], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse(String((await lines.next()).value));
  return {
    next,
    run(question) {
      child.stdin.write(`${JSON.stringify(question)}\n`);
      return next();
    },
    close: () => child.stdin.end(),
  };
}

/** Writes the columns that rivals read, and returns their folder. */
function writtenColumns(): string {
  const columns = join(folder, 'columns');
  mkdirSync(columns);
  const days = made.map((one) => daysOfTimestamps(one.bars.timestampUs));
  const all = [...new Set(days.flatMap((one) => [...one]))].sort((a, b) => a - b);
  const sessionOf = new Map(all.map((day, session) => [day, session]));
  const starts = [0];
  for (const one of days) starts.push(starts.at(-1)! + one.length);
  const write = (name: string, values: Float64Array | Int32Array) =>
    writeFileSync(join(columns, name), values);
  const total = starts.at(-1)!;
  for (const name of ['open', 'close'] as const) {
    const joined = new Float64Array(total);
    for (const [i, one] of made.entries()) joined.set(one.bars[name], starts[i]);
    write(name, joined);
  }
  const sessions = new Int32Array(total);
  for (const [i, one] of days.entries()) {
    sessions.set(
      one.map((day) => sessionOf.get(day)!),
      starts[i],
    );
  }
  write('session', sessions);
  write('starts', Int32Array.from(starts));
  return columns;
}

function checkEqual(ours: readonly Answer[], theirs: readonly Answer[]): void {
  checkResult(ours.length === theirs.length, `${ours.length} studies, not ${theirs.length}`);
  for (const [i, one] of theirs.entries()) {
    checkResult(ours[i].events === one.events, `${ours[i].events} events, not ${one.events}`);
    const isNear = one.means.flat().every((mean, at) => {
      const our = ours[i].means.flat()[at]!;
      return mean === null ? Number.isNaN(our) : Math.abs(our - mean) < 1e-9;
    });
    checkResult(isNear, `means ${ours[i].means} are not ${one.means}`);
  }
}

function timed(run: () => unknown): number {
  const startMs = cpuMs();
  run();
  return cpuMs() - startMs;
}

const columns = python ? writtenColumns() : '';
const rival = python === undefined ? undefined : openRival(python, 'studies.py', columns);
const rivalVersion = (await rival?.next())?.version;
const others = python === undefined ? undefined : openRival(python, 'study_rivals.py', columns);
/** By rival, its version. */
const otherVersions = new Map<string, string>();
const kept = newMemory();
const one = ourAnswers(kept, { where: whereOf(ONE) });
const swept = ourAnswers(kept, SWEEP);
checkResult(one[0].events > 0, 'the study has no events');
if (rival) {
  checkEqual(one, (await rival.run([ONE])).answers);
  checkEqual(swept, (await rival.run(PAIRS)).answers);
}

for (const name of others ? ['polars', 'pandas', 'duckdb'] : []) {
  const { version, answers } = await others!.run([name, ...ONE]);
  if (version === null) continue;
  otherVersions.set(name, version);
  checkEqual(one, answers);
}

const samples: Record<string, number[]> = {};
const add = (name: string, ms: number) => {
  samples[name] ??= [];
  samples[name].push(ms);
};
for (let round = 0; round < rounds; round++) {
  const memory = newMemory();
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
  for (const name of otherVersions.keys()) {
    add(name, (await others!.run([name, ...ONE])).cpuMs);
  }
  if (!rival) continue;
  add('numpy', (await rival.run([ONE])).cpuMs);
  add('numpy sweep', (await rival.run(PAIRS)).cpuMs);
}
rival?.close();
others?.close();

const medianMs = (name: string) => medianOf(samples[name]);
const total = made.reduce((sum, each) => sum + each.bars.close.length, 0);
console.log(machineLine());
console.log(`${symbols} series, ${total} bars; ${one[0].events} events; processor time`);
const titles: Record<string, string> = {
  first: 'a study, columns in memory, the first text',
  next: 'the next text',
  sweep: `a sweep of ${PAIRS.length} pairs`,
  deciles: 'tenths by month',
  numpy: `the study with ${rivalVersion}`,
  'numpy sweep': 'the sweep with it',
};
for (const [name, version] of otherVersions) titles[name] = `the study with ${version}`;
for (const name of Object.keys(samples)) {
  console.log(`${titles[name]}: ${readable(medianMs(name))} ms`);
}
const goals: Goal[] = [];
for (const name of otherVersions.keys()) {
  const ratio = medianMs(name) / medianMs('next');
  // There is no goal for pandas and DuckDB.
  if (name === 'polars') goals.push({ name: 'polars / study, next', ratio, atLeast: 15 });
  else console.log(`${name} / study, next: ${readable(ratio)}`);
}
if (rival) {
  goals.push(
    { name: 'numpy / study, first', ratio: medianMs('numpy') / medianMs('first'), atLeast: 10 },
    { name: 'numpy / study, next', ratio: medianMs('numpy') / medianMs('next'), atLeast: 10 },
    { name: 'numpy / sweep', ratio: medianMs('numpy sweep') / medianMs('sweep'), atLeast: 3 },
  );
}
if (!rival) console.log('without numpy: it needs .venv with numpy and TA-Lib');
if (goals.length > 0) console.log(goalLines(goals));
