/**
 * Staged segments that wait to be loaded together: a transaction costs some 150 ms, and a run may
 * have thousands of tasks with a few rows each.
 */

import { join } from 'node:path';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits.ts';
import { clearTimeout, setTimeout } from '../../src/base/world/clock.ts';
import type { Fetched } from '../../src/ingest/contract/fetch-context.ts';
import { batchKey } from '../../src/store/duckdb/candles/candle-batch.ts';

export class WaitingSegments {
  readonly #paths: Pick<ModePaths, 'segments'>;
  readonly #load: (batch: readonly Fetched[]) => Promise<void>;
  #batches = new Map<string, Fetched[]>();
  #held = { segments: 0, rows: 0, series: 0 };

  constructor(
    paths: Pick<ModePaths, 'segments'>,
    load: (batch: readonly Fetched[]) => Promise<void>,
  ) {
    this.#paths = paths;
    this.#load = load;
  }

  /**
   * Loads a large segment, or one whose rows do not stay, at once; others once the batch is full.
   */
  async add(segment: Fetched): Promise<void> {
    const key = this.#keyOf(segment);
    const { rows, series } = sizeOf(segment);
    const { batchSegmentsMax, batchRowsMax, batchSeriesMax, aloneRowsMin } = limits.store;
    if (key === undefined || rows >= aloneRowsMin) return this.#load([segment]);
    const batch = this.#batches.get(key) ?? [];
    batch.push(segment);
    this.#batches.set(key, batch);
    const held = this.#held;
    held.segments++;
    held.rows += rows;
    held.series += series;
    const isFull =
      held.segments >= batchSegmentsMax ||
      held.rows >= batchRowsMax ||
      held.series >= batchSeriesMax;
    if (isFull) await this.flush();
  }

  async flush(): Promise<void> {
    const batches = this.#batches;
    this.#batches = new Map();
    this.#held = { segments: 0, rows: 0, series: 0 };
    for (const batch of batches.values()) await this.#load(batch);
  }

  /** Returns the kind of a segment; undefined if it is loaded alone. */
  #keyOf(segment: Fetched): string | undefined {
    if ('facts' in segment) return undefined;
    if ('parquetPath' in segment) return `rows ${segment.dataset}`;
    return batchKey(segment, join(this.#paths.segments, `${segment.id}.parquet`));
  }
}

function sizeOf(segment: Fetched): { rows: number; series: number } {
  if ('facts' in segment) return { rows: segment.facts.length, series: 0 };
  if ('parquetPath' in segment) return { rows: segment.accepted, series: 0 };
  const rows = segment.files.reduce((sum, { dataLines }) => sum + dataLines, 0);
  return { rows, series: segment.files.length };
}

/**
 * Yields the items, and undefined at each pause: if the next item takes longer than `pauseMs`, at
 * the end, and before an error.
 */
export async function* orPause<T>(
  items: AsyncIterable<T>,
  pauseMs: number,
): AsyncGenerator<T | undefined> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = iterator.next();
      if (!(await isDoneWithin(next, pauseMs))) yield undefined;
      const result = await next.catch(() => undefined);
      if (!result || result.done) {
        yield undefined;
        await next;
        return;
      }
      yield result.value;
    }
  } finally {
    await iterator.return?.();
  }
}

async function isDoneWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const done = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}
