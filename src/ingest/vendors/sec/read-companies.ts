/** Reads many companies on all cores, batch by batch, in bounded memory. */

import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { limits } from '../../../base/limits/limits.ts';
import type { FetchContext } from '../../contract/fetch-context.ts';
import type { CompanyOutcome } from './company-outcome.ts';
import type { CompanyAnswer, CompanyJob } from './company-thread.ts';
import { type CompanyInput, readCompany } from './read-company.ts';

/**
 * Companies in the order given, so that the same input always makes the same batches.
 */
export function companyBatches(inputs: readonly CompanyInput[]): CompanyInput[][] {
  const { batchBytes, batchCompanies } = limits.sec;
  const batches: CompanyInput[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const input of inputs) {
    if (bytes >= batchBytes || batches.at(-1)?.length === batchCompanies) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(input);
    bytes += bytesOf(input);
  }
  return batches;
}

const bytesOf = ({ files }: CompanyInput) => files.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * Outcomes batch by batch, in the order given; while the caller works on one, the next is read.
 *
 * @throws the signal's reason, and what breaks a thread. Damaged files are named in the outcomes.
 */
export async function* readCompanies(
  batches: readonly CompanyInput[][],
  { onProgress, signal }: Pick<FetchContext, 'onProgress' | 'signal'>,
): AsyncGenerator<CompanyOutcome[]> {
  const total = batches.flat().length;
  let done = 0;
  const report = () => onProgress?.('read companies', ++done, total);
  const bytes = batches.flat().reduce((sum, input) => sum + bytesOf(input), 0);
  if (bytes < limits.ingest.scanThreadBytesMin) {
    for (const batch of batches) yield await readHere(batch, report, signal);
    return;
  }
  const threads = startThreads(report, signal);
  try {
    let reading = threads.read(batches[0]);
    for (const [i] of batches.entries()) {
      const outcomes = reading;
      if (i + 1 < batches.length) reading = threads.read(batches[i + 1]);
      yield await outcomes;
    }
  } finally {
    await threads.stop();
  }
}

async function readHere(
  batch: readonly CompanyInput[],
  report: () => void,
  signal: AbortSignal | undefined,
): Promise<CompanyOutcome[]> {
  const outcomes: CompanyOutcome[] = [];
  for (const input of batch) {
    signal?.throwIfAborted();
    outcomes.push(await readCompany(input));
    report();
  }
  return outcomes;
}

interface Threads {
  /** Queues companies behind those of earlier calls. */
  read(batch: readonly CompanyInput[]): Promise<CompanyOutcome[]>;
  stop(): Promise<void>;
}

interface Task {
  input: CompanyInput;
  settle: (text: string) => void;
}

function startThreads(report: () => void, signal: AbortSignal | undefined): Threads {
  // Sources run as .ts here and as .js from a package.
  const module = new URL(`./company-thread${extname(import.meta.url)}`, import.meta.url);
  const count = Math.min(limits.ingest.scanThreadsMax, availableParallelism());
  const resourceLimits = { maxYoungGenerationSizeMb: limits.sec.threadYoungMegabytes };
  const workers = Array.from({ length: count }, () => new Worker(module, { resourceLimits }));
  const idle = [...workers];
  const queue: Task[] = [];
  const running = new Map<number, Task>();
  const broken = Promise.withResolvers<never>();
  // Nobody may be waiting when it breaks.
  broken.promise.catch(() => undefined);
  let nextIndex = 0;
  const work = () => {
    while (idle.length > 0 && queue.length > 0) {
      const [worker, task] = [idle.pop() as Worker, queue.shift() as Task];
      const job: CompanyJob = { index: nextIndex++, input: task.input };
      running.set(job.index, task);
      worker.postMessage(job);
    }
  };
  for (const worker of workers) {
    worker.on('error', broken.reject);
    worker.on('message', ({ index, text }: CompanyAnswer) => {
      running.get(index)?.settle(text);
      running.delete(index);
      idle.push(worker);
      report();
      work();
    });
  }
  const abort = () => broken.reject(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  return {
    async read(batch) {
      const texts = batch.map(
        (input) => new Promise<string>((settle) => queue.push({ input, settle })),
      );
      work();
      const all = await Promise.race([Promise.all(texts), broken.promise]);
      return all.map((text) => JSON.parse(text) as CompanyOutcome);
    },
    async stop() {
      signal?.removeEventListener('abort', abort);
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
