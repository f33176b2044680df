/**
 * Makes the set of Parquet files of the published version. Files whose content is that of the set
 * before are kept, also those that a killed run has finished.
 */

import { hash } from 'node:crypto';
import { join } from 'node:path';
import { parquetFromTable, parquetPieces } from '../../api/responses/parquet.ts';
import { labelsOf } from '../../api/responses/sessions.ts';
import type { Table } from '../../api/responses/table.ts';
import { candlesParquetPieces } from '../../api/routes/candles/parquet.ts';
import type { ModePaths } from '../../base/config/data-dir.ts';
import { hashFile } from '../../base/copy-file.ts';
import { fileDatasets, type RowFile } from '../../base/datasets/datasets.ts';
import { makeFolder, removeFile, UNFINISHED_ENDING } from '../../base/durable-file.ts';
import { StoreBusyError } from '../../base/errors.ts';
import { lockFile } from '../../base/file-lock.ts';
import { limits } from '../../base/limits.ts';
import { latestCompletedSession } from '../../base/time/calendar.ts';
import { STORED_INTRADAY } from '../../base/time/intervals.ts';
import { stat } from '../../base/world/file-promises.ts';
import { existsSync } from '../../base/world/files.ts';
import { placeFile } from '../../ingest/segments/place-file.ts';
import type { SourceInterval } from '../../screens/run/bars-on-basis.ts';
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
import { recordTables, WHOLE_TABLES } from './record-lists.ts';
import {
  dailySpans,
  endOfDayUs,
  type HashedSpan,
  intradaySpans,
  storedSeries,
} from './stored-bars.ts';
import { ticker, writePieces } from './write-pieces.ts';

/** Part of every hash; increase it when the same content gives other bytes. */
const FORM_VERSION = 3;

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
  return await makeSet(paths.files, version, deps);
}

async function makeSet(
  folder: string,
  version: PublishedVersion,
  { onProgress, signal }: MakeFilesDeps,
): Promise<MadeFiles> {
  const older = readFileSets(folder);
  const files: ParquetFile[] = [];
  const written: ParquetFile[] = [];
  const inputs: Record<string, string> = {};
  const tick = ticker(signal);

  async function add({ contentHash, pieces, ...part }: PlannedFile): Promise<void> {
    onProgress('files', files.length, files.length + 1);
    const stem = requestedName(part).replace(/\.parquet$/, '');
    const digest = hash('sha256', `${FORM_VERSION} ${limits.parquet.groupRows} ${contentHash}`);
    const name = `${stem}-${digest.slice(0, 16)}.parquet`;
    const path = join(folder, name);
    if (existsSync(path)) {
      const known = older.flatMap((set) => set.files).find((file) => file.name === name);
      files.push({ ...part, name, bytes: (await stat(path)).size, sha256: known?.sha256 });
      return;
    }
    const made = pieces();
    if (!made) return;
    const content = await writePieces(path + UNFINISHED_ENDING, made, signal);
    await placeFile(path + UNFINISHED_ENDING, path);
    const file = { ...part, name, ...content };
    files.push(file);
    written.push(file);
  }

  async function addTable(dataset: FileDataset, table: Table): Promise<void> {
    if (table[0].values.length === 0) return;
    const bytes = parquetFromTable(table);
    await add({ ...WHOLE, dataset, contentHash: hash('sha256', bytes), pieces: () => [bytes] });
  }

  async function addRecords(dataset: RowFile): Promise<void> {
    const { lists, directory } = version.manifest;
    const layers = lists?.layers[dataset] ?? [];
    if (layers.length === 0) return;
    const contentHash = hashOf([layers, directory]);
    const pieces = () => parquetPieces(recordTables(version, dataset));
    await add({ ...WHOLE, dataset, contentHash, pieces });
  }

  /** Keeps the files of an interval from the set before if its inputs are the same. */
  async function addBars(
    interval: SourceInterval,
    input: string,
    spans: AsyncIterable<HashedSpan>,
  ): Promise<void> {
    const name = `candles ${interval} ${FORM_VERSION}`;
    inputs[name] = input;
    const before = older[0];
    const kept = before?.files.filter(
      (file) => file.dataset === 'candles' && file.interval === interval,
    );
    const isWhole = kept?.every((file) => existsSync(join(folder, file.name)));
    if (isWhole && before.inputs[name] === input) {
      files.push(...kept!);
      return;
    }
    for await (const { span, hash: contentHash } of spans) {
      const { year, month } = span;
      const pieces = () =>
        withRows(storedSeries(version, interval, span), (all) =>
          candlesParquetPieces(all, labelsOf({ interval })),
        );
      await add({ dataset: 'candles', interval, year, month, contentHash, pieces });
    }
  }

  await addBars('1d', version.dailyId, dailySpans(version, tick));
  if (version.intradayPart) {
    // A session's minutes are complete when it has ended, so a month is written once a day.
    const day = latestCompletedSession(version.createdMs);
    const input = hashOf([version.intradayPart.manifest, day]);
    for (const interval of STORED_INTRADAY) {
      await addBars(interval, input, intradaySpans(version, interval, endOfDayUs(day), tick));
    }
  }
  for (const { name } of fileDatasets) await addRecords(name);
  for (const [name, tableOf] of Object.entries(WHOLE_TABLES)) {
    await addTable(name as keyof typeof WHOLE_TABLES, tableOf(version));
  }

  // An older program, or a run that was killed, has left the file without its hash.
  for (const file of files) {
    file.sha256 ??= (await hashFile(join(folder, file.name), signal))?.sha256;
  }
  const set: FileSet = { version: version.id, createdMs: version.createdMs, inputs, files };
  const others = older.filter((one) => one.version !== set.version);
  const sets = [set, ...others.slice(0, limits.files.olderSetsMax)];
  await swapFileSets(folder, sets);
  const unneeded = unneededFiles(folder, sets);
  for (const name of unneeded) removeFile(folder, name);
  return {
    version: set.version,
    files: files.length,
    bytes: sumOf(files),
    written: written.length,
    writtenBytes: sumOf(written),
    removed: unneeded.length,
  };
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
