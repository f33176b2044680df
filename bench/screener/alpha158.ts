/**
 * The factors of qlib's Alpha158 in the language of screens: `npm run bench -- alpha158 [--quick
 * --smoke] [--data ZIP]`. `alpha158.txt` has their expressions. Each is compared with its definition
 * in numpy, over made series or the daily files of a zip, before anything is timed.
 *
 * Time is that of all values of all factors, in processor seconds of one thread.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Column } from '../../src/compute/columns/column.ts';
import { LANES, type Lane } from '../../src/compute/columns/layout.ts';
import { Program } from '../../src/compute/columns/program.ts';
import { compileScreen } from '../../src/screens/plan/compile.ts';
import { columnParts, dailyColumn } from '../../src/screens/study/truth-parts.ts';
import { generatedBars } from '../command/data/synthetic.ts';
import {
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  cpuMs,
  goalLines,
  machineLine,
  readable,
  takeDataDir,
} from '../harness.ts';

const DAYS = [5, 10, 20, 30, 60];
const NAMES = ['open', 'high', 'low', 'close', 'volume'] as const;

/** Means of products lose digits where both columns hardly vary. */
const DIFFERENCE_MAX = 1e-6;

/** Symbols that are checked, and series that are timed. */
const SIZES = {
  smoke: { checked: 2, timed: 8, bars: 500 },
  quick: { checked: 6, timed: 64, bars: 5040 },
  full: { checked: 40, timed: 400, bars: 5040 },
};
const GOAL = { symbols: 10_000, bars: 5040, seconds: 60, cores: 2 };

const VENV = fileURLToPath(new URL('../../.venv/bin/python', import.meta.url));
const SCRIPT = fileURLToPath(new URL('alpha158.py', import.meta.url));

const zip = takeDataDir();
const { checked, timed, bars } = SIZES[benchSizeFromArgs()];
const folder = benchFolder();

/** Returns expressions by name. */
function factors(): Map<string, string> {
  const text = readFileSync(new URL('alpha158.txt', import.meta.url), 'utf8');
  const all = new Map<string, string>();
  for (const line of text.trim().split('\n')) {
    const [name, expression] = line.split('\t');
    for (const days of name.includes('$d') ? DAYS : [0]) {
      const values: Record<string, number> = {
        ...{ d: days, less: days - 1, half: (days - 1) / 2 },
        unbiased: Math.sqrt(days / (days - 1)),
        rsqr: (days * days - 1) / 12 / ((days - 1) / 2) ** 2,
      };
      const filled = (part: string) => part.replaceAll(/\$(\w+)/g, (_, key) => `${values[key]}`);
      all.set(filled(name), filled(expression));
    }
  }
  return all;
}

function columnOfText(text: string): Column {
  const { sort, bars: groups } = compileScreen({ sort: text });
  return dailyColumn(sort!.expression, groups)!;
}

function checkedLanes(): Lane[] {
  if (zip) execFileSync(VENV, [SCRIPT, 'extract', zip, folder, `${checked}`]);
  else {
    const made = Array.from({ length: checked }, (_, i) => generatedBars(1000 + i, i));
    for (const name of NAMES) {
      writeFileSync(join(folder, name), Buffer.concat(made.map((one) => bytesOf(one[name]))));
    }
    const starts = [0];
    for (const one of made) starts.push(starts.at(-1)! + one.close.length);
    writeFileSync(join(folder, 'starts'), bytesOf(Int32Array.from(starts)));
  }
  const starts = new Int32Array(new Uint8Array(readFileSync(join(folder, 'starts'))).buffer);
  const read = (name: string) =>
    new Float64Array(new Uint8Array(readFileSync(join(folder, name))).buffer);
  const columns = Object.fromEntries(NAMES.map((name) => [name, read(name)]));
  return Array.from(starts.subarray(1), (end, i) =>
    Object.fromEntries(NAMES.map((name) => [name, columns[name].subarray(starts[i], end)])),
  );
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array | Int32Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

const all = factors();
const names = [...all.keys()];
const columns = names.map((name) => columnOfText(all.get(name)!));
const parts = columnParts(columns.map((column, i) => ({ column, plans: [i] })));
const programs = parts.map((part) => ({ ...part, program: new Program(part.columns) }));
const endOf = (lane: Lane) => (lane as Record<'close', Float64Array>).close.length;

function check(): void {
  const lanes = checkedLanes();
  const total = lanes.reduce((sum, lane) => sum + endOf(lane), 0);
  const ours = new Float64Array(names.length * total).fill(Number.NaN);
  let start = 0;
  for (const lane of lanes) {
    const end = endOf(lane);
    for (const { program, plans } of programs) {
      const out = plans.map(([i]) => {
        return ours.subarray(i * total + start, i * total + start + end);
      });
      program.run([lane], end, [out]);
    }
    start += end;
  }
  writeFileSync(join(folder, 'ours'), bytesOf(ours));
  writeFileSync(join(folder, 'names'), JSON.stringify(names));
  const text = execFileSync(VENV, [SCRIPT, 'check', folder], { encoding: 'utf8' });
  type Found = Record<string, { rows: number; difference: number; lacking: number }>;
  let [rows, worst, lacking] = [0, 0, 0];
  for (const [name, one] of Object.entries(JSON.parse(text) as Found)) {
    checkResult(one.rows > 0, `${name} has no value to compare`);
    const isNear = one.difference < DIFFERENCE_MAX;
    checkResult(isNear, `${name} differs by ${one.difference}`);
    rows += one.rows;
    lacking += one.lacking;
    worst = Math.max(worst, one.difference);
  }
  console.log(
    `${names.length} factors, ${readable(rows)} values of ${lanes.length} series: largest difference ${worst.toExponential(1)}; ${lacking} values are in one program alone`,
  );
}

function secondsOf(): number {
  const series = Array.from({ length: timed }, (_, i) => generatedBars(bars, i) as unknown as Lane);
  const run = () => {
    for (let at = 0; at < series.length; at += LANES) {
      const lanes = series.slice(at, at + LANES);
      for (const { program } of programs) program.runInPieces(lanes, bars, () => {});
    }
  };
  run();
  const startMs = cpuMs();
  run();
  return (cpuMs() - startMs) / 1000;
}

console.log(machineLine());
if (existsSync(VENV)) check();
else console.log('without the check: it needs .venv with numpy and pandas');
const seconds = secondsOf();
const scaled = (seconds * GOAL.symbols * GOAL.bars) / (timed * bars) / GOAL.cores;
console.log(
  `${timed} × ${bars}: ${readable(seconds)} s of processor time; ${GOAL.symbols} × ${GOAL.bars} on ${GOAL.cores} cores by that rate: ${readable(scaled)} s`,
);
const name = `${GOAL.seconds} s / ${names.length} factors`;
console.log(goalLines([{ name, ratio: GOAL.seconds / scaled, atLeast: 1 }]));
