/**
 * Reads served series on a thread, so that reading and the caller's work use two cores. Bars travel
 * through a few pieces of shared memory that are reused: nothing is copied, and memory stays flat.
 */

import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { BarColumns } from '../../../base/bars.ts';
import type { ModePaths } from '../../../base/config/data-dir.ts';
import type { Interval } from '../../../base/time/intervals.ts';
import type { WinningSeries } from './read-bars.ts';

/** Request with which the thread is started. */
export interface ReadAheadRequest {
  paths: ModePaths;
  interval: Interval;
  /** Undefined means all. */
  symbols: readonly string[] | undefined;
}

/** Several series, with their columns one after the other in `memory`. */
export interface SeriesBatch {
  memory: SharedArrayBuffer;
  series: (Omit<WinningSeries, 'bars'> & { rowCount: number })[];
}

/** Reply of the reader: memory to fill again, or a stop. */
export type ReadAheadReply = SharedArrayBuffer | 'stop';

/** Bytes of a row: six columns of eight. */
export const ROW_BYTES = 48;

/**
 * Streams series as `streamWinningBars` does, up to three batches ahead. This process may have the
 * store open for reading too; the caller keeps writers out with the writer lock.
 *
 * @returns series whose bars are valid until the next one is read.
 */
export async function* readAhead(request: ReadAheadRequest): AsyncGenerator<WinningSeries> {
  // Sources run as .ts here and as .js from a package.
  const module = `./read-ahead-thread${extname(import.meta.url)}`;
  const worker = new Worker(new URL(module, import.meta.url), { workerData: request });
  const batches: SeriesBatch[] = [];
  let wake = () => {};
  let failure: unknown;
  let isRunning = true;
  const exit = once(worker, 'exit').catch((error) => {
    failure = error;
  });
  worker.on('message', (batch: SeriesBatch) => {
    batches.push(batch);
    wake();
  });
  exit.then(() => {
    isRunning = false;
    wake();
  });
  const reply = (message: ReadAheadReply) => worker.postMessage(message);
  try {
    for (;;) {
      const batch = batches.shift();
      if (batch) {
        yield* seriesOf(batch);
        reply(batch.memory);
      } else if (isRunning) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else break;
    }
    if (failure) throw failure;
  } finally {
    // The thread closes the store itself; terminated, it would leave it open.
    reply('stop');
    await exit;
  }
}

function* seriesOf({ memory, series }: SeriesBatch): Generator<WinningSeries> {
  let offset = 0;
  for (const { rowCount, ...provenance } of series) {
    yield { ...provenance, bars: barsAt(memory, offset, rowCount) };
    offset += rowCount * ROW_BYTES;
  }
}

/** Returns the columns of a series at an offset of a batch's memory. */
export function barsAt(memory: SharedArrayBuffer, offset: number, rowCount: number): BarColumns {
  const at = (column: number) => offset + column * rowCount * 8;
  return {
    timestampUs: new BigInt64Array(memory, at(0), rowCount),
    open: new Float64Array(memory, at(1), rowCount),
    high: new Float64Array(memory, at(2), rowCount),
    low: new Float64Array(memory, at(3), rowCount),
    close: new Float64Array(memory, at(4), rowCount),
    volume: new Float64Array(memory, at(5), rowCount),
  };
}
