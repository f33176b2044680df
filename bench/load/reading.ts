/**
 * Cost of the reading of files: the share of a load's processor time in which Tapeworks finds what
 * files mean (dialect, symbols, dates, zone, basis, decimals, volume), by a profile of the whole
 * process and the time of its statements. Scanning, staging and checking rows are not the reading.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runMeasured } from '../command/measure/measured-child.ts';
import {
  type BenchSize,
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  type Goal,
  goalLines,
  machineLine,
  medianOf,
  readable,
  tableFromRows,
} from '../harness.ts';
import { writeMinutes, writeOneFile, writeRealLikeFiles } from './backfill-files.ts';
import type { LoadTimes } from './statement-time.ts';

/** Largest share of the reading. */
const SHARE_MAX = 0.03;
const SYMBOLS: Record<BenchSize, number> = { smoke: 5, quick: 500, full: 2000 };
const ROUNDS: Record<BenchSize, number> = { smoke: 1, quick: 3, full: 5 };
/** Five sessions of the minutes. */
const WEEK = ['2024-03-04', '2024-03-05', '2024-03-06', '2024-03-07', '2024-03-08'];
/** Rooms and files of the reading. The others of `files` stage rows. */
const READING =
  /^src\/ingest\/(?:shapes|timing|values|names|files\/(?:evidence|basis|candle-interval|columns|describe-reading|dialect|file-notes|prepare|sample|settle-basis|survey-|symbol-column|ticker-column|wide-parquet))/;
const REAL_ZIP = fileURLToPath(
  new URL('../../../shared/realdata/daily/universe_2017.zip', import.meta.url),
);
const cli = fileURLToPath(new URL('../../bin/tapeworks.js', import.meta.url));
const preload = pathToFileURL(fileURLToPath(new URL('./statement-time.ts', import.meta.url))).href;
const checkout = new URL('../../', import.meta.url).href;

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
}

/** Milliseconds in which a thread works, and in which its innermost frame is of the reading. */
function profileTimes({ nodes, samples, timeDeltas }: Profile): { busy: number; reading: number } {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const isBusy = (id: number) => frames.get(id)!.functionName !== '(idle)';
  const isReading = (id: number) => {
    if (!isBusy(id)) return false;
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const [, path = ''] = frames.get(at)!.url.split(checkout);
      if (/^(?:src|jobs)\//.test(path)) return READING.test(path);
    }
    return false;
  };
  const sum = (isCounted: (id: number) => boolean) =>
    samples.reduce((total, id, at) => total + (isCounted(id) ? timeDeltas[at] : 0), 0) / 1000;
  return { busy: sum(isBusy), reading: sum(isReading) };
}

/** Profile of the main thread, by its name. */
const THREAD_0 = /^CPU\.\d+\.\d+\.\d+\.0\./;

const size = benchSizeFromArgs();
const root = benchFolder();
const universe = writeRealLikeFiles(join(root, 'files'), SYMBOLS[size]);
const inputs: [name: string, path: string][] = [
  ...(size !== 'smoke' && existsSync(REAL_ZIP)
    ? [['real files', REAL_ZIP] as [string, string]]
    : []),
  ['files like real', join(root, 'files')],
  ['one file', writeOneFile(join(root, 'one'), universe)],
  ['one file of minutes', writeMinutes(join(root, 'minutes'), SYMBOLS[size] / 5, WEEK)],
];
const rows: string[][] = [];
const goals: Goal[] = [];
for (const [name, input] of inputs) {
  const runs: Awaited<ReturnType<typeof measure>>[] = [];
  for (let round = 0; round < ROUNDS[size]; round++) runs.push(await measure(input));
  const median = (of: (run: (typeof runs)[number]) => number) => medianOf(runs.map(of));
  const share = median(({ code, statements, cpuMs }) => (code + statements) / cpuMs);
  const cells = [median(({ code }) => code), median(({ statements }) => statements)];
  rows.push([name, ...[...cells, median(({ cpuMs }) => cpuMs), 100 * share].map(readable)]);
  goals.push({ name: `${name}, 3 % over its share`, ratio: SHARE_MAX / share, atLeast: 1 });
}
console.log(machineLine());
console.log(tableFromRows(['', 'code ms', 'statements ms', 'CPU ms', 'share %'], rows));
if (size !== 'smoke') console.log(goalLines(goals));

async function measure(input: string) {
  const folder = join(root, 'run');
  mkdirSync(folder);
  const profiled = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--import', preload, cli];
  const { stdout, cpuMs } = await runMeasured(
    [...profiled, 'backfill', 'files', 'candles', input, '--json'],
    { TAPEWORKS_DATA_DIR: join(folder, 'data'), LOAD_TIMES: join(folder, 'times.json') },
  );
  checkResult(JSON.parse(stdout).accepted > 0, `${input} gave no rows`);
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const files = readdirSync(folder).filter((file) => file.endsWith('.cpuprofile'));
  checkResult(files.length > 0, 'no profile was written');
  const times: LoadTimes = read('times.json');
  const profiles = files.map((file) => ({ file, ...profileTimes(read(file)) }));
  // A profile counts the time that a thread waits for a processor, which others may use.
  const { busy } = profiles.find(({ file }) => THREAD_0.test(file))!;
  const code = (profiles.reduce((sum, { reading }) => sum + reading, 0) * times.threadMs) / busy;
  const statements = Object.entries(times.statementMs)
    .filter(([file]) => READING.test(file))
    .reduce((sum, [, ms]) => sum + ms, 0);
  rmSync(folder, { recursive: true });
  return { code, statements, cpuMs };
}
