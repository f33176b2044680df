/** Scans many files on several threads, so that hashing, counting and inflating use all cores. */

import { join } from 'node:path';
import { limits } from '../../base/limits.ts';
import type { FetchContext } from '../contract/fetch-context.ts';
import type { InputFile } from './input-file.ts';
import scanJobs, { type FileScan, type ScanJob, type ScanOutcome } from './scan-input.ts';
import { startThreads } from './threads.ts';

/** A file that can be read at `diskPath`, or the reason why it can't. */
export type ScannedFile<Scan extends FileScan = FileScan> =
  | { input: InputFile; diskPath: string; scan: Scan }
  | { input: InputFile; damage: string };

export type ScanContext = Pick<FetchContext, 'onProgress' | 'signal'>;

const STEP = 'read files';

/** Function of the threads, and its module: a path relative to the URL, without its ending. */
export type ScanWork<Scan extends FileScan = FileScan> = readonly [
  work: (jobs: readonly ScanJob[]) => Promise<ScanOutcome<Scan>[]>,
  module: string,
  base: string,
];

/** Scans alone, without a change of contents. */
export const PLAIN_SCAN: ScanWork = [scanJobs, './scan-input', import.meta.url];

/** Bounds of the batch of jobs that a thread gets. Each batch wakes the main thread once. */
const BATCH = { bytesMax: 4 * 1024 * 1024, countMax: 50 };

/** Scans every file once; members, compressed files and loose JSON are unpacked into `folder`. */
export async function scanInputs(
  inputs: readonly InputFile[],
  folder: string,
  context: ScanContext,
): Promise<ScannedFile[]> {
  return (await Array.fromAsync(scanParts([inputs], folder, context, PLAIN_SCAN)))[0];
}

/** Scans part by part: while the caller works on one part, threads scan the next. */
export async function* scanParts<Scan extends FileScan>(
  parts: readonly (readonly InputFile[])[],
  folder: string,
  { onProgress, signal }: ScanContext,
  [work, module, base]: ScanWork<Scan>,
): AsyncGenerator<ScannedFile<Scan>[]> {
  let count = 0;
  const jobsByPart = parts.map((inputs) =>
    inputs.map((input): ScanJob => {
      const index = count++;
      const rewriteTo = join(folder, `${index}.table.${input.form}`);
      return isUnpacked(input)
        ? { input, rewriteTo, unpackTo: join(folder, `${index}.${input.form}`) }
        : { input, rewriteTo };
    }),
  );
  const batchesByPart = jobsByPart.map((jobs) =>
    batchesOf(jobs, ({ input }) => input.bytes, BATCH),
  );
  await using threads = startThreads(work, [module, base], {
    bytes: parts.flat().reduce((sum, input) => sum + input.bytes, 0),
    tasks: batchesByPart.flat().length,
    signal,
  });
  let done = 0;
  const scan = async (jobs: ScanJob[]) => {
    const outcomes = await threads.run(jobs);
    done += jobs.length;
    onProgress?.(STEP, done, count);
    return outcomes;
  };
  const scans = batchesByPart.map((batches) => inOrder(batches, scan));
  for (const [i, jobs] of jobsByPart.entries()) {
    const outcomes = await scans[i];
    // A thread takes 40 MB, which the load of the last part can use.
    if (i === scans.length - 1) await threads[Symbol.asyncDispose]();
    yield jobs.map(({ input, unpackTo }, n) => {
      const outcome = outcomes[n];
      if ('damage' in outcome) return { input, damage: outcome.damage };
      const { scan, diskPath = unpackTo ?? input.path } = outcome;
      return { input, diskPath, scan };
    });
  }
}

/** Runs the batches of a part and joins their outcomes. */
function inOrder<Outcome>(
  batches: readonly ScanJob[][],
  scan: (batch: ScanJob[]) => Promise<Outcome[]>,
): Promise<Outcome[]> {
  const outcomes = Promise.all(batches.map(scan)).then((all) => all.flat());
  // The failure is thrown when the caller comes to this part.
  outcomes.catch(() => undefined);
  return outcomes;
}

/** Batches of items in their order: one is full with so many items or once it has so many bytes. */
export function batchesOf<Item>(
  items: readonly Item[],
  bytesOf: (item: Item) => number,
  { bytesMax, countMax }: { bytesMax: number; countMax: number },
): Item[][] {
  const batches: Item[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const item of items) {
    if (bytes >= bytesMax || batches.at(-1)?.length === countMax) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(item);
    bytes += bytesOf(item);
  }
  return batches;
}

/** Returns true if DuckDB can only read a copy. */
function isUnpacked({ member, isGzip, isLooseJson }: InputFile): boolean {
  return member !== undefined || isGzip || isLooseJson;
}

/**
 * Splits files into parts of growing size: loading begins early, and a part is scanned while the
 * one before is loaded. The same files give the same parts, and so the same segments.
 */
export function inputParts(files: readonly InputFile[]): InputFile[][] {
  const parts: InputFile[][] = [[]];
  let bytesMax: number = limits.ingest.firstPartBytes;
  let bytes = 0;
  for (const file of files) {
    if (bytes + file.bytes > bytesMax && bytes > 0) {
      parts.push([]);
      bytesMax *= limits.ingest.partGrowth;
      bytes = 0;
    }
    parts[parts.length - 1].push(file);
    bytes += file.bytes;
  }
  return parts;
}
