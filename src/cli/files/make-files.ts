/**
 * Makes the set of Parquet files of the published version. Files whose content is that of the set
 * before are kept, also those that a killed run has finished.
 */

import { createHash, hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import { parquetFromTable, parquetPieces } from '../../api/responses/parquet.ts';
import type { Table } from '../../api/responses/table.ts';
import { candlesParquetPieces } from '../../api/routes/candles/parquet.ts';
import { actionsOf, tableFromActions } from '../../api/routes/corporate-actions/route.ts';
import { tableFromQuotes } from '../../api/routes/quotes/route.ts';
import { tableFromListings } from '../../api/routes/symbols/route.ts';
import type { ModePaths } from '../../base/config/data-dir.ts';
import { type FileContent, hashFile } from '../../base/copy-file.ts';
import { makeFolder, removeFile, UNFINISHED_ENDING } from '../../base/durable-file.ts';
import { StoreBusyError } from '../../base/errors.ts';
import { lockFile } from '../../base/file-lock.ts';
import { limits } from '../../base/limits.ts';
import { latestCompletedSession } from '../../base/time/calendar.ts';
import { STORED_INTRADAY } from '../../base/time/intervals.ts';
import { landFile } from '../../ingest/segments/land-file.ts';
import type { PublishedVersion } from '../../store/arrow/read/published-version.ts';
import { openPublished } from '../../store/arrow/read/reader.ts';
import {
  type FileDataset,
  type FilePart,
  type FileSet,
  type ParquetFile,
  readFileSets,
  requestedName,
  swapFileSets,
  unneededFiles,
} from '../../store/parquet/file-sets.ts';
import { adjustmentsTable } from './adjustments.ts';
import { RECORD_SCHEMAS, type RecordDataset, recordTables } from './record-lists.ts';
import {
  dailySpans,
  endOfDayUs,
  type HashedSpan,
  intradaySpans,
  storedSeries,
} from './stored-bars.ts';

/** Part of every hash; increase it when the same content gives other bytes. */
const FORM_VERSION = 1;

export interface MadeFiles {
  /** Id of the version; empty while nothing is published. */
  version: string;
  files: number;
  bytes: number;
  /** Files and bytes that this run wrote. */
  written: number;
  writtenBytes: number;
  /** Files of older sets that this run removed. */
  removed: number;
}

export interface MakeFilesDeps {
  onProgress: (stage: string, done: number, total: number) => void;
  signal: AbortSignal;
}

/** A file to be made, unless one of its name exists. */
interface PlannedFile extends FilePart {
  contentHash: string;
  /** Undefined if it has no rows. */
  pieces: () => Iterable<Uint8Array> | undefined;
}

/**
 * Makes the files of the published version and swaps `files.json`.
 *
 * @throws {StoreBusyError} Another process makes files of this mode.
 * @throws {CorruptDataError} A published file is damaged; the sets stay as they are.
 */
export async function makeFiles(paths: ModePaths, deps: MakeFilesDeps): Promise<MadeFiles> {
  using version = openPublished(paths.serving);
  if (!version) {
    return { version: '', files: 0, bytes: 0, written: 0, writtenBytes: 0, removed: 0 };
  }
  makeFolder(paths.files);
  using lock = lockFile(join(paths.files, 'files.lock'));
  if (!lock) {
    throw new StoreBusyError('files', `Another process makes the Parquet files of ${paths.mode}`);
  }
  return await new FileMaker(paths.files, version, deps).make();
}

class FileMaker {
  readonly #folder: string;
  readonly #version: PublishedVersion;
  readonly #deps: MakeFilesDeps;
  readonly #older: FileSet[];
  readonly #files: ParquetFile[] = [];
  readonly #inputs: Record<string, string> = {};
  #written: ParquetFile[] = [];
  #tickEndMs = 0;

  constructor(folder: string, version: PublishedVersion, deps: MakeFilesDeps) {
    this.#folder = folder;
    this.#version = version;
    this.#deps = deps;
    this.#older = readFileSets(folder);
  }

  async make(): Promise<MadeFiles> {
    const version = this.#version;
    await this.#daily();
    await this.#intraday();
    for (const dataset of Object.keys(RECORD_SCHEMAS) as RecordDataset[]) {
      await this.#records(dataset);
    }
    const { symbol: listed } = version.listings;
    await this.#table('adjustments', adjustmentsTable(version, '1d'));
    await this.#table(
      'corporate-actions',
      tableFromActions(listed.flatMap((symbol) => actionsOf(version, symbol))),
    );
    await this.#table('symbols', tableFromListings(version, [...listed.keys()]));
    const quotes = version.symbols.flatMap((symbol) => version.quote(symbol) ?? []);
    await this.#table('quotes', tableFromQuotes(quotes));
    return this.#publish();
  }

  async #publish(): Promise<MadeFiles> {
    for (const file of this.#files) file.sha256 ??= await this.#hashOf(file);
    const set: FileSet = {
      version: this.#version.id,
      createdMs: this.#version.createdMs,
      inputs: this.#inputs,
      files: this.#files,
    };
    const others = this.#older.filter(({ version }) => version !== set.version);
    const sets = [set, ...others.slice(0, limits.files.olderSetsMax)];
    await swapFileSets(this.#folder, sets);
    const unneeded = unneededFiles(this.#folder, sets);
    for (const name of unneeded) removeFile(this.#folder, name);
    return {
      version: set.version,
      files: set.files.length,
      bytes: sumOf(set.files),
      written: this.#written.length,
      writtenBytes: sumOf(this.#written),
      removed: unneeded.length,
    };
  }

  async #daily(): Promise<void> {
    await this.#unlessKept('1d', this.#version.dailyId, async () => {
      await this.#bars(
        '1d',
        dailySpans(this.#version, () => this.#tick()),
      );
    });
  }

  async #intraday(): Promise<void> {
    const { intradayPart, createdMs } = this.#version;
    if (!intradayPart) return;
    // A session's minutes are complete when it has ended, so a month is written once a day.
    const day = latestCompletedSession(createdMs);
    for (const interval of STORED_INTRADAY) {
      const inputs = hashOf([intradayPart.manifest, day]);
      await this.#unlessKept(interval, inputs, async () => {
        const spans = intradaySpans(this.#version, interval, endOfDayUs(day), () => this.#tick());
        await this.#bars(interval, spans);
      });
    }
  }

  async #bars(
    interval: '1d' | (typeof STORED_INTRADAY)[number],
    spans: AsyncIterable<HashedSpan>,
  ): Promise<void> {
    for await (const { span, hash: contentHash } of spans) {
      const { year, month } = span;
      await this.#add({
        ...{ dataset: 'candles', interval, year, month, contentHash },
        pieces: () => {
          const series = storedSeries(this.#version, interval, span);
          return withRows(series, (all) => candlesParquetPieces(all, interval === '1d'));
        },
      });
    }
  }

  async #records(dataset: RecordDataset): Promise<void> {
    const { lists, directory } = this.#version.manifest;
    const layers = lists?.layers[dataset] ?? [];
    if (layers.length === 0) return;
    const contentHash = hashOf([layers, directory]);
    const pieces = () => parquetPieces(recordTables(this.#version, dataset));
    await this.#add({ ...WHOLE, dataset, contentHash, pieces });
  }

  async #table(dataset: FileDataset, table: Table): Promise<void> {
    if (table[0].values.length === 0) return;
    const bytes = parquetFromTable(table);
    const contentHash = createHash('sha256').update(bytes).digest('hex');
    await this.#add({ ...WHOLE, dataset, contentHash, pieces: () => [bytes] });
  }

  /** Keeps the files of an interval from the set before if its inputs are the same. */
  async #unlessKept(
    interval: FilePart['interval'],
    inputs: string,
    make: () => Promise<void>,
  ): Promise<void> {
    const name = `candles ${interval} ${FORM_VERSION}`;
    this.#inputs[name] = inputs;
    const before = this.#older[0];
    const kept = before?.files.filter((file) => {
      return file.dataset === 'candles' && file.interval === interval;
    });
    const isWhole = kept?.every((file) => existsSync(join(this.#folder, file.name)));
    if (isWhole && before.inputs[name] === inputs) this.#files.push(...kept!);
    else await make();
  }

  async #add({ contentHash, pieces, ...part }: PlannedFile): Promise<void> {
    this.#deps.onProgress('files', this.#files.length, this.#files.length + 1);
    const stem = requestedName(part).replace(/\.parquet$/, '');
    const digest = hash('sha256', `${FORM_VERSION} ${limits.parquet.groupRows} ${contentHash}`);
    const name = `${stem}-${digest.slice(0, 16)}.parquet`;
    const path = join(this.#folder, name);
    if (existsSync(path)) {
      const known = this.#older.flatMap(({ files }) => files).find((file) => file.name === name);
      this.#files.push({ ...part, name, bytes: (await stat(path)).size, sha256: known?.sha256 });
      return;
    }
    const made = pieces();
    if (!made) return;
    const file = { ...part, name, ...(await this.#write(path, made)) };
    this.#files.push(file);
    this.#written.push(file);
  }

  /** Reads a file of an older program, or of a run that was killed before it noted the hash. */
  async #hashOf({ name }: ParquetFile): Promise<string | undefined> {
    return (await hashFile(join(this.#folder, name), this.#deps.signal))?.sha256;
  }

  async #write(path: string, pieces: Iterable<Uint8Array>): Promise<FileContent> {
    const unfinished = path + UNFINISHED_ENDING;
    const file = await open(unfinished, 'w');
    const digest = createHash('sha256');
    let bytes = 0;
    try {
      for (const piece of pieces) {
        await file.writeFile(piece);
        digest.update(piece);
        bytes += piece.length;
        this.#deps.signal.throwIfAborted();
      }
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    await landFile(unfinished, path);
    return { bytes, sha256: digest.digest('hex') };
  }

  /** Lets signals be handled now and then. */
  async #tick(): Promise<void> {
    if (performance.now() < this.#tickEndMs) return;
    await nextTick();
    this.#deps.signal.throwIfAborted();
    this.#tickEndMs = performance.now() + limits.files.tickMs;
  }
}

const WHOLE = { interval: null, year: null, month: null };

function sumOf(files: readonly ParquetFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function hashOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value));
}

/** Calls `use` with series that have rows; returns undefined if there are none. */
function withRows<S extends { rowCount: number }, T>(
  series: Iterable<S>,
  use: (series: Iterable<S>) => T,
): T | undefined {
  const filled = Iterator.from(series).filter(({ rowCount }) => rowCount > 0);
  const first = filled.next();
  if (first.done) return undefined;
  function* all() {
    yield first.value!;
    yield* filled;
  }
  return use(all());
}
