/** Scans many files on several threads, so that hashing, counting and inflating use all cores. */

import { availableParallelism } from 'node:os';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { assert, MalformedInputError } from '../../base/errors.ts';
import { limits } from '../../base/limits/limits.ts';
import type { FetchContext } from '../contract/fetch-context.ts';
import type { InputFile } from './input-file.ts';
import { type FileScan, scanInput } from './scan-input.ts';

/** A file that can be read at `diskPath`, or why it cannot. */
export type ScannedFile =
  | { input: InputFile; diskPath: string; scan: FileScan }
  | { input: InputFile; damage: string };

export type ScanContext = Pick<FetchContext, 'onProgress' | 'signal'>;

export interface ScanJob {
  index: number;
  input: InputFile;
  unpackTo: string | undefined;
}

export type ScanOutcome = { index: number } & ({ scan: FileScan } | { damage: string });

const STEP = 'read files';

/**
 * Scans every file once; members, compressed files and loose JSON are unpacked into `folder`.
 *
 * @returns one entry per input, in the order given.
 */
export async function scanInputs(
  inputs: readonly InputFile[],
  folder: string,
  context: ScanContext,
): Promise<ScannedFile[]> {
  return (await Array.fromAsync(scanParts([inputs], folder, context)))[0];
}

/**
 * As `scanInputs`, part by part: while the caller works on one, the later ones are being scanned.
 *
 * @returns the entries of each part, in the order given.
 */
export async function* scanParts(
  parts: readonly (readonly InputFile[])[],
  folder: string,
  { onProgress, signal }: ScanContext,
): AsyncGenerator<ScannedFile[]> {
  let count = 0;
  const jobsByPart = parts.map((inputs) =>
    inputs.map((input) => {
      const index = count++;
      const unpackTo = isUnpacked(input) ? join(folder, `${index}.${input.form}`) : undefined;
      return { index, input, unpackTo };
    }),
  );
  const jobs = jobsByPart.flat();
  const outcomes = new Array<ScanOutcome>(jobs.length);
  let done = 0;
  let wake = () => {};
  const keep = (outcome: ScanOutcome) => {
    outcomes[outcome.index] = outcome;
    onProgress?.(STEP, ++done, jobs.length);
    wake();
  };
  const stop = new AbortController();
  const stopped = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const bytes = jobs.reduce((sum, { input }) => sum + input.bytes, 0);
  const isSmall = bytes < limits.ingest.scanThreadBytesMin;
  const scanning = isSmall
    ? scanHere(jobs, keep, stopped)
    : scanOnThreads(jobsByPart, keep, stopped);
  let isRunning = true;
  const ended = scanning.finally(() => {
    isRunning = false;
    wake();
  });
  // Its failure is thrown below, when the caller asks for more.
  ended.catch(() => undefined);
  try {
    for (const part of jobsByPart) {
      while (isRunning && !part.every(({ index }) => outcomes[index])) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (!isRunning) await ended;
      yield part.map(({ input, unpackTo, index }) => {
        const outcome = outcomes[index];
        assert(outcome, 'every file was scanned');
        if ('damage' in outcome) return { input, damage: outcome.damage };
        return { input, diskPath: unpackTo ?? input.path, scan: outcome.scan };
      });
    }
  } finally {
    stop.abort();
    await ended.catch(() => undefined);
  }
}

/** Whether DuckDB can only read a copy. */
function isUnpacked({ member, isGzip, isLooseJson }: InputFile): boolean {
  return member !== undefined || isGzip || isLooseJson;
}

/** One job; a damaged file is an outcome, not an error, so that the others go on. */
export async function runScanJob({ index, input, unpackTo }: ScanJob): Promise<ScanOutcome> {
  try {
    return { index, scan: await scanInput(input, unpackTo) };
  } catch (error) {
    if (!(error instanceof MalformedInputError)) throw error;
    return { index, damage: error.message };
  }
}

async function scanHere(
  jobs: readonly ScanJob[],
  keep: (outcome: ScanOutcome) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const job of jobs) {
    signal.throwIfAborted();
    keep(await runScanJob(job));
  }
}

async function scanOnThreads(
  jobsByPart: readonly (readonly ScanJob[])[],
  keep: (outcome: ScanOutcome) => void,
  signal: AbortSignal,
): Promise<void> {
  const count = Math.min(limits.ingest.scanThreadsMax, availableParallelism());
  const sharesByPart = jobsByPart.map((jobs) => shares(jobs, count));
  const jobsByThread = Array.from({ length: count }, (_, thread) =>
    sharesByPart.flatMap((part) => part[thread]),
  ).filter(({ length }) => length > 0);
  await Promise.all(jobsByThread.map((jobs) => scanOnThread(jobs, keep, signal)));
}

/** Splits jobs into shares of about the same number of bytes. */
function shares(jobs: readonly ScanJob[], count: number): ScanJob[][] {
  const parts = Array.from({ length: count }, () => ({ jobs: [] as ScanJob[], bytes: 0 }));
  for (const job of jobs.toSorted((a, b) => b.input.bytes - a.input.bytes)) {
    const smallest = parts.reduce((least, part) => (part.bytes < least.bytes ? part : least));
    smallest.jobs.push(job);
    smallest.bytes += job.input.bytes;
  }
  return parts.map((part) => part.jobs);
}

async function scanOnThread(
  jobs: ScanJob[],
  keep: (outcome: ScanOutcome) => void,
  signal: AbortSignal,
): Promise<void> {
  // Sources run as .ts here and as .js from a package.
  const module = `./scan-thread${extname(import.meta.url)}`;
  const worker = new Worker(new URL(module, import.meta.url), { workerData: jobs });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  worker.on('message', (outcomes: ScanOutcome[]) => outcomes.forEach(keep));
  worker.on('error', reject);
  worker.on('exit', () => resolve());
  try {
    signal.throwIfAborted();
    await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    await worker.terminate();
  }
}
