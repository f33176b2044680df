/** Loads the segments of records into a new store. */

import { join } from 'node:path';
import type { Settings } from '../../src/base/config/config.ts';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { hashFile } from '../../src/base/copy-file.ts';
import { StoreBusyError, TapeworksError } from '../../src/base/errors.ts';
import { failpoint } from '../../src/base/failpoints.ts';
import type { Fetched } from '../../src/ingest/contract/fetch-context.ts';
import { fetchedFromStaged } from '../../src/ingest/segments/staged-segment.ts';
import { sourceNamed } from '../../src/ingest/sources/sources.ts';
import { servedDaysOf } from '../../src/store/arrow/read/served-days.ts';
import { type MarketDb, openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import type { WriterLock } from '../../src/store/duckdb/connection/writer-lock.ts';
import type { LocalRequest } from '../contract/partition.ts';
import type { RunDeps } from '../contract/reports.ts';
import { loadFetched } from '../load/load-fetched.ts';
import { partOf } from '../load/segment-part.ts';
import type { SegmentRecord } from '../load/segment-records.ts';
import { WaitingSegments } from '../load/waiting-segments.ts';

export interface LostSegment {
  /** Id of the segment; for published data, a name. */
  id: string;
  origin: string;
  reason: string;
}

export interface RebuildDeps extends RunDeps {
  settings: Settings;
}

/** Error codes of a missing, unreadable or damaged file; DuckDB's errors have words instead. */
const INPUT_CODES = /^(ENOENT|ENOTDIR|EISDIR|EACCES|EPERM|EIO|Z_\w+)$/;
const INPUT_FAILURE = /^(Invalid Input|Conversion|Out of Range|Serialization) Error/;

const CHANGED = 'its files have another content by now, or are gone';

/** The new store while it is filled; no other process uses it. */
export class RecordLoader {
  readonly lost: LostSegment[] = [];
  readonly #paths: ModePaths;
  readonly #lock: WriterLock;
  readonly #deps: RebuildDeps;
  readonly #loaded = new Set<string>();
  #done = 0;
  #market: MarketDb | undefined;

  constructor(paths: ModePaths, lock: WriterLock, deps: RebuildDeps) {
    this.#paths = paths;
    this.#lock = lock;
    this.#deps = deps;
  }

  get loadedCount(): number {
    return this.#loaded.size - this.lost.filter(({ id }) => this.#loaded.has(id)).length;
  }

  async market(): Promise<MarketDb> {
    const { verb, nowMs, onWaiting } = this.#deps;
    const options = { verb, nowMs, onWaiting, lock: this.#lock };
    this.#market ??= await openMarketForWriting(this.#paths, options);
    return this.#market;
  }

  /**
   * Loads records in the order of the loads, each with the time of its first load.
   *
   * @throws failures that no record caused, such as a full disk.
   */
  async load(records: readonly SegmentRecord[]): Promise<void> {
    const total = this.#done + records.length;
    for (const run of runsOf(records)) await this.#loadRun(run, total);
    this.#deps.onProgress?.('rebuild', total, total);
  }

  async finish(): Promise<void> {
    const market = await this.market();
    failpoint('checkpoint store', 'rebuilt');
    await market.connection.run('CHECKPOINT');
    this.close();
  }

  close(): void {
    this.#market?.close();
    this.#market = undefined;
  }

  /** Loads records of one time; small staged ones together. */
  async #loadRun(run: readonly SegmentRecord[], total: number): Promise<void> {
    const { onProgress, signal } = this.#deps;
    const [{ loadedMs }] = run;
    const asked = new Set<string>();
    const waiting = new WaitingSegments(this.#paths, (batch) => this.#loadBatch(batch, loadedMs));
    for (const record of run) {
      signal?.throwIfAborted();
      onProgress?.('rebuild', this.#done++, total);
      if (this.#loaded.has(record.id)) continue;
      const fault = record.staged ? await this.#stagedFault(record) : undefined;
      if (record.staged && !fault) {
        this.#loaded.add(record.id);
        const segment = fetchedFromStaged(record.staged, this.#paths.segments);
        await waiting.add(asLoaded(segment, record));
      } else if (record.question) {
        const question = JSON.stringify(record.question);
        // One request returns all that its files still give.
        if (!asked.has(question)) await this.#askAgain(record, run, waiting);
        asked.add(question);
        const reason = fault ? `${fault}, and ${CHANGED}` : CHANGED;
        if (!this.#loaded.has(record.id)) this.#lose(record, reason);
      } else this.#lose(record, fault ?? 'it was read from files that no record names');
    }
    await waiting.flush();
  }

  #lose({ id, origin }: Pick<SegmentRecord, 'id' | 'origin'>, reason: string): void {
    this.lost.push({ id, origin, reason });
  }

  /** Loads a batch; if it fails, one by one, so that good segments are not lost with bad ones. */
  async #loadBatch(batch: readonly Fetched[], nowMs: number): Promise<void> {
    try {
      await loadFetched(await this.market(), batch, { nowMs, guard: () => undefined });
    } catch (error) {
      // The connection cannot be trusted after a failed statement.
      this.close();
      if (batch.length > 1) {
        for (const segment of batch) await this.#loadBatch([segment], nowMs);
      } else {
        this.#throwUnlessOfInput(error);
        const { origin } = batch[0];
        this.#lose({ id: 'id' in batch[0] ? batch[0].id : origin, origin }, reasonOf(error));
      }
    }
  }

  async #stagedFault({ id, staged, sha256 }: SegmentRecord): Promise<string | undefined> {
    if (staged?.kind === 'facts') return undefined;
    const path = join(this.#paths.segments, `${id}.parquet`);
    try {
      const content = await hashFile(path, this.#deps.signal, sha256);
      if (!content) return `"${path}" is missing`;
      return content.sha256 === sha256 ? undefined : `"${path}" does not match its SHA-256`;
    } catch (error) {
      this.#throwUnlessOfInput(error);
      return `"${path}" can't be read: ${(error as Error).message}`;
    }
  }

  /** Repeats a request and loads the segments with known ids. */
  async #askAgain(
    record: SegmentRecord,
    run: readonly SegmentRecord[],
    waiting: WaitingSegments,
  ): Promise<void> {
    const { question, loadedMs, origin } = record;
    const source = await sourceNamed(question?.source ?? '')?.load();
    if (!source?.fetch || !question) return;
    const { settings, signal } = this.#deps;
    const fileAsOfUs = fileAsOf(record);
    const servedDays = servedDaysOf(this.#paths.serving);
    const context = {
      ...{ paths: this.#paths, settings, nowMs: loadedMs, signal, fileAsOfUs, servedDays },
    };
    const wanted = wantedOf(run, question);
    const answer = source.fetch(question.slice, context);
    for await (const segment of this.#orLoss(answer, origin)) {
      for (const [asked, one] of wantedSegments(segment, wanted)) {
        if (this.#loaded.has(asked.id)) continue;
        this.#loaded.add(asked.id);
        await waiting.add(asLoaded(one, asked));
      }
    }
  }

  /** Yields the segments of a source until it fails; records the failure as a loss. */
  async *#orLoss(answer: AsyncIterable<Fetched>, origin: string): AsyncGenerator<Fetched> {
    const next = answer[Symbol.asyncIterator]();
    try {
      for (;;) {
        const result = await next.next().catch((error: unknown) => {
          this.#throwUnlessOfInput(error);
          this.#lose({ id: origin, origin }, reasonOf(error));
        });
        if (!result || result.done) return;
        yield result.value;
      }
    } finally {
      await next.return?.();
    }
  }

  /** Throws failures that are not about an input: a full disk, a busy store, a defect. */
  #throwUnlessOfInput(error: unknown): void {
    this.#deps.signal?.throwIfAborted();
    const isTold = error instanceof TapeworksError && !(error instanceof StoreBusyError);
    const code = String((error as NodeJS.ErrnoException).code);
    if (!isTold && !INPUT_CODES.test(code) && !INPUT_FAILURE.test(reasonOf(error))) throw error;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function* runsOf(records: readonly SegmentRecord[]): Generator<SegmentRecord[]> {
  let run: SegmentRecord[] = [];
  for (const record of records) {
    if (run.length > 0 && run[0].loadedMs !== record.loadedMs) {
      yield run;
      run = [];
    }
    run.push(record);
  }
  if (run.length > 0) yield run;
}

/** Returns the as-of of the files at the time of the load. */
function fileAsOf({ staged, modified }: SegmentRecord): bigint | undefined {
  const us = staged ? staged.asOfUs : modified?.[0][1];
  return us === undefined ? undefined : BigInt(us);
}

/** Restores the modification times of the load: a file may have been touched since. */
function asLoaded(segment: Fetched, { modified = [] }: SegmentRecord): Fetched {
  if (!('files' in segment)) return segment;
  const times = new Map(modified);
  const files = segment.files.map((file) => {
    const us = times.get(file.path);
    return { ...file, modifiedUs: us === undefined ? undefined : BigInt(us) };
  });
  return { ...segment, files };
}

/** Pairs a segment that was read again, or its parts, with the records of them. */
function wantedSegments(
  segment: Fetched,
  wanted: ReadonlyMap<string, SegmentRecord>,
): [SegmentRecord, Fetched][] {
  if (!('id' in segment)) return [];
  const whole = wanted.get(segment.id);
  if (whole) return [[whole, segment]];
  if (!('files' in segment)) return [];
  return [...wanted.values()].flatMap((record): [SegmentRecord, Fetched][] =>
    record.part?.of === segment.id ? [[record, partOf(segment, record.part)]] : [],
  );
}

function wantedOf(run: readonly SegmentRecord[], asked: LocalRequest): Map<string, SegmentRecord> {
  const text = JSON.stringify(asked);
  const like = run.filter(({ question }) => JSON.stringify(question) === text);
  return new Map(like.map((record) => [record.id, record]));
}
