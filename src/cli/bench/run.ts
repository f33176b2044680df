/** Runs a bench: measures, prints, writes and compares. */

import { loadUniverse, type Universe } from '../../../bench/command/data/universe.ts';
import { cpuMs } from '../../../bench/command/measure/cpu-time.ts';
import { describeMachine } from '../../../bench/command/measure/machine.ts';
import { type ComparedRuns, compareRuns } from '../../../bench/command/report/compare.ts';
import {
  type BenchDocument,
  type BenchName,
  documentFromText,
  type RunCost,
} from '../../../bench/command/report/document.ts';
import { reportHtml } from '../../../bench/command/report/html.ts';
import { compareLines, reportLines } from '../../../bench/command/report/lines.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { UsageError } from '../../base/errors.ts';
import { quoted } from '../../base/quoted.ts';
import { monotonicMs, wallMs } from '../../base/world/clock.ts';
import { readFileSync, writeFileSync } from '../../base/world/files.ts';
import { loadavg } from '../../base/world/machine.ts';
import { process } from '../../base/world/process.ts';
import { createOutput, type Output } from '../output.ts';
import { withProgress } from '../progress.ts';

/** Options of each bench. */
export interface BenchOptions {
  symbols?: number;
  bars?: number;
  rounds?: number;
  data?: string;
  /** True for stdout, else the path of a file. */
  json?: true | string;
  report?: string;
  compare?: string;
  quick?: boolean;
  even?: boolean;
}

/** The measured part of a document. */
export type BenchResult = Omit<
  BenchDocument,
  'format' | 'formatVersion' | 'bench' | 'startedAt' | 'machine' | 'run'
>;

/** Version of this program. */
export const { version } = packageJson;

export type OnProgress = (step: string, done: number, total: number) => void;

interface Size {
  symbols: number;
  bars: number;
  rounds: number;
}

/** Bars to measure over, and the size of the bench with the rounds of the options. */
export interface BenchInput<S> {
  universe: Universe;
  size: S;
  onProgress: OnProgress;
}

/** Runs a bench over the bars of a universe. @param sizes Defaults of the options. */
export async function runUniverseBench<S extends Size>(
  bench: BenchName,
  options: BenchOptions,
  sizes: Readonly<Record<'quick' | 'full', S>>,
  measure: (input: BenchInput<S>) => Promise<Omit<BenchResult, 'data' | 'isSynthetic'>>,
): Promise<void> {
  const { quick, data, symbols, bars, even: isEven = bench === 'screens' } = options;
  const defaults = sizes[quick ? 'quick' : 'full'];
  const size = { ...defaults, rounds: options.rounds ?? defaults.rounds };
  await runBench(bench, options, async (output, onProgress) => {
    const universe = await loadUniverse({ data, symbols, bars, defaults, isEven });
    const { description, isSynthetic } = universe;
    output.note(description);
    const result = await measure({ universe, size, onProgress });
    return { ...result, data: description, isSynthetic };
  });
}

/** Measures, prints and writes; the exit code is 1 after a regression. */
export async function runBench(
  bench: BenchName,
  options: BenchOptions,
  measure: (output: Output, onProgress: OnProgress) => Promise<BenchResult>,
): Promise<void> {
  const output = createOutput(options.json === true);
  // A wrong file must not cost a run.
  const earlier = readEarlier(bench, options.compare);
  const head = {
    format: 'tapeworks-bench',
    formatVersion: 1,
    bench,
    startedAt: new Date(wallMs()).toISOString(),
    machine: describeMachine(),
  } as const;
  const [startMs, startCpuMs] = [monotonicMs(), cpuMs()];
  const result = await withProgress(output, ({ onProgress }) => measure(output, onProgress));
  const run = runCost(monotonicMs() - startMs, cpuMs() - startCpuMs);
  finishBench({ ...head, run, ...result }, options, earlier, output);
}

function runCost(wallMs: number, processorMs: number): RunCost {
  const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  const loadAtEnd = Number(loadavg()[0].toFixed(2));
  return { processorMs, wallMs, peakMegabytes, loadAtEnd };
}

/** Prints and writes a measured document, and compares it with an earlier one. */
const EXIT_REGRESSION = 1;

/** @throws {UsageError} The file does not exist, or is of another bench. */
function readEarlier(bench: BenchName, path: string | undefined): BenchDocument | undefined {
  if (path === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`--compare can't read ${quoted(path)}`, { cause: error });
  }
  const earlier = documentFromText(text, path);
  if (earlier.bench === bench) return earlier;
  throw new UsageError(
    `--compare must be of bench ${bench}, ${quoted(path)} is of ${earlier.bench}`,
  );
}

function finishBench(
  document: BenchDocument,
  options: BenchOptions,
  earlier: BenchDocument | undefined,
  output: Output,
): void {
  const compared: ComparedRuns | undefined = earlier && compareRuns(earlier, document);
  const lines = [...reportLines(document), ...(compared ? compareLines(compared) : [])];
  if (typeof options.json === 'string') {
    writeFile('--json', options.json, `${JSON.stringify(document, null, 1)}\n`);
    lines.push('', `${options.json}: all samples as JSON, for --compare`);
  }
  if (options.report !== undefined) {
    writeFile('--report', options.report, reportHtml(document, compared));
    lines.push(`${options.report}: the report as a page`);
  }
  output.result(compared ? { ...document, compared } : document, lines);
  if (compared?.hasRegression) process.exitCode = EXIT_REGRESSION;
}

function writeFile(flag: string, path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new UsageError(`${flag} can't be written: ${quoted(path)}`, { cause: error });
  }
}
