/** Runs a bench: measures, prints, writes and compares. */

import packageJson from '../../../package.json' with { type: 'json' };
import { describeMachine } from '../../bench/measure/machine.ts';
import type { BenchDocument, BenchName } from '../../bench/report/document.ts';
import { createOutput, type Output } from '../output.ts';
import { withProgress } from '../progress.ts';
import { finishBench, readEarlier } from './finish.ts';
import type { BenchOptions } from './options.ts';

/** The measured part of a document. */
export type BenchResult = Omit<
  BenchDocument,
  'format' | 'formatVersion' | 'bench' | 'startedAt' | 'machine'
>;

/** Version of this program. */
export const { version } = packageJson;

export type OnProgress = (step: string, done: number, total: number) => void;

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
    startedAt: new Date().toISOString(),
    machine: describeMachine(),
  } as const;
  const result = await withProgress(output, ({ onProgress }) => measure(output, onProgress));
  finishBench({ ...head, ...result }, options, earlier, output);
}
