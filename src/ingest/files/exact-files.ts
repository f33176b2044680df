/** Reads files of a segment exactly: at once, or after the fast way lost a row. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { assert } from '../../base/errors.ts';
import { canonicalSymbol, symbolOrFault } from '../../base/symbols.ts';
import { latestCompletedSession } from '../../base/time/calendar.ts';
import { isClosedDay } from '../../base/time/closed-days.ts';
import { randomUUID } from '../../base/world/chance.ts';
import type { CandleFile, ExaminedFile } from '../../store/duckdb/connection/candle-segment.ts';
import { selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import type { FetchContext, FetchedSegment, SkippedInput } from '../contract/fetch-context.ts';
import { skippedGroups } from '../contract/skipped-notes.ts';
import { type SourceOptions, statedAsOf } from '../contract/source-options.ts';
import { symbolFromFileName } from '../names/file-name.ts';
import { countReasons, firstRefusals, writeQuarantine } from '../segments/quarantine.ts';
import { FILLED_DAY, INCOMPLETE_BAR, INCOMPLETE_DAY } from '../segments/row-rules.ts';
import type { Scratch } from '../segments/scratch.ts';
import { type Judged, levelledNote, stageAccepted, sumOf } from '../segments/settle-rows.ts';
import { closedDayCounts, isOtherMarket } from '../timing/closed-days.ts';
import { misdatedEnd } from '../timing/misdated.ts';
import { type DayFault, faultsOfDays } from '../timing/settle-days.ts';
import { isId } from '../values/symbol-columns.ts';
import { plainName } from './columns.ts';
import { readingOfFile } from './describe-reading.ts';
import { type Identify, readExactly } from './exact-read.ts';
import { inputNotes } from './file-notes.ts';
import type { CandleFileSource, CandleInput } from './prepare.ts';
import type { LeftSymbols } from './typed-days.ts';

/** Files that become one segment, or one for each kind of hours. */
export interface FileSegmentJob {
  source: CandleFileSource;
  options: SourceOptions;
  context: FetchContext;
  /** Must stay open while the segment is used. */
  scratch: Scratch;
  /** Files of one interval and basis, at least one. */
  inputs: readonly CandleInput[];
  path: string;
  /** Reported with the source's first segment. Receives files without a good row. */
  skipped: SkippedInput[];
}

interface RefusedRows {
  symbol: string;
  reason: string;
  count: number;
}

export interface FileReading extends FileSegmentJob {
  /** Id of the segment. */
  id: string;
  /** The inputs by file index: first those of the fast way, then all others. */
  ordered: CandleInput[];
  fastCount: number;
  rejectedByReason: Map<string, number>;
  /** Refused rows of known symbols. Files are examined again when a load is retried: each counts once. */
  refusedRows: Map<string, RefusedRows>;
  /** Lines of refused files by index, and of refused symbols by `index symbol`; no early bars. */
  refusedLines: Map<number | string, number>;
  /** Notes of the report about the files. The list grows until the segment is loaded. */
  notes: string[];
}

/** @param fast Inputs that the typed reader of the store takes. */
export function startReading(job: FileSegmentJob, fast: readonly CandleInput[] = []): FileReading {
  const { source, inputs, options, context } = job;
  const taken = new Set(fast);
  return {
    ...job,
    id: externalSegmentId(source.id, inputs, options, context.nowMs),
    ordered: [...fast, ...inputs.filter((input) => !taken.has(input))],
    fastCount: fast.length,
    rejectedByReason: new Map(),
    refusedRows: new Map(),
    refusedLines: new Map(),
    notes: inputNotes(inputs),
  };
}

/**
 * SHA-256 over the names and hashes of the files and the options that change their rows. Bars of
 * an open session change it once the session is complete, so that they are loaded then.
 */
function externalSegmentId(
  sourceId: string,
  files: readonly CandleInput[],
  options: SourceOptions,
  nowMs: number,
): string {
  const latest = latestCompletedSession(nowMs);
  const isOpen = ({ stamps, dialect }: CandleInput) =>
    stamps === undefined && dialect.newestDay > latest;
  // A reading that another version of this program did not find makes another segment.
  const shiftOf = ({ dialect }: CandleInput) =>
    dialect.dateShift === 'written' ? undefined : dialect.dateShift;
  const hasBasisOfRows = ({ dialect }: CandleInput) => dialect.columns.adjustment !== undefined;
  const reading = {
    source: sourceId,
    basis: files[0].dialect.basis,
    symbol: options.symbol,
    symbols: options.symbols?.toSorted(),
    fromDay: options.fromDay,
    toDay: options.toDay,
    asOfUs: options.asOfUs,
    dateOrder: options.dateOrder,
    columns: foundColumns(files),
    decimal: files.some(({ dialect }) => dialect.decimal === 'comma') ? 'comma' : options.decimal,
    interval: options.interval,
    zone: options.zone,
    stamps: options.stamps ?? (files[0].stamps?.isAtEnd ? 'end' : undefined),
    dates: options.dates ?? files.map(shiftOf).find((shift) => shift !== undefined),
    // With `--basis`, the same files keep rows of another basis.
    hasBasisOfRows: files.some(hasBasisOfRows) || undefined,
    openUntil: files.some(isOpen) ? latest : undefined,
  };
  const hash = createHash('sha256').update(`${JSON.stringify(reading)}\n`);
  const lines = files.map(({ name, sha256 }) => `${sha256} ${name}\n`);
  for (const line of lines.toSorted()) hash.update(line);
  return hash.digest('hex');
}

/** Columns of symbols and volumes that every version has read. */
const LONG_READ: ReadonlySet<string> = new Set(['symbol', 'ticker', 'volume', 'vol', 'v']);

/** Columns that earlier versions did not read: with them the files have other rows. */
function foundColumns(files: readonly CandleInput[]): string[] | undefined {
  const names = files.flatMap(({ dialect: { header, columns } }) => {
    if (columns.message !== undefined) return [];
    const found = [columns.symbol, columns.volume, columns.moreVolume];
    return found.flatMap((at) => (at === undefined ? [] : [header[at]]));
  });
  const unusual = names.filter((name) => !LONG_READ.has(plainName(name)));
  return unusual.length > 0 ? [...new Set(unusual)].toSorted() : undefined;
}

/** Facts of a segment that hold for daily bars and bars of minutes. */
export function segmentHead({ source, options, inputs, path }: FileSegmentJob) {
  return {
    dataset: 'candles',
    source: source.id,
    interval: inputs[0].stamps?.interval ?? '1d',
    basis: inputs[0].dialect.basis,
    asOfUs: statedAsOf(options),
    origin: path,
    kind: 'external',
    isKept: options.keep,
    skipped: [],
  } as const satisfies Partial<FetchedSegment>;
}

/** Reasons that do not speak against a file. */
const EARLY = [INCOMPLETE_BAR, INCOMPLETE_DAY, FILLED_DAY];

/** False if the user states the interval, and for files of one symbol, whose stamps show it. */
export function mayHoldLonger(
  { options, ordered }: Pick<FileReading, 'options' | 'ordered'>,
  indexes: readonly number[],
): boolean {
  const hasSymbols = ({ dialect: { columns } }: CandleInput) =>
    columns.symbol !== undefined || columns.ticker !== undefined;
  return options.interval === undefined && indexes.some((index) => hasSymbols(ordered[index]));
}

/** Returns the rows of one symbol in a file, as the store takes them. */
export function candleFile(
  input: CandleInput,
  symbol: string,
  dataLines: number,
  options: SourceOptions,
): CandleFile {
  const { name, sha256, modifiedUs, dialect } = input;
  const reading = JSON.stringify(readingOfFile(input, options));
  const file = { path: name, symbol, dataLines, sha256, modifiedUs, reading };
  return dialect.scalesVolume ? { ...file, scalesVolume: true } : file;
}

/** Does the work of `CandleSegment.examine` for files of the fast way. */
export async function examineFiles(
  reading: FileReading,
  fileIndexes: readonly number[],
): Promise<ExaminedFile[]> {
  const { ordered, fastCount, scratch } = reading;
  assert(
    fileIndexes.every((index) => index < fastCount),
    'rows that were read exactly are as promised',
  );
  const identify: Identify = (index, symbolText) => {
    const named = symbolOfRow(reading, ordered[index], symbolText);
    return 'reason' in named ? named : { series: index };
  };
  const parquetPath = join(scratch.folder, `${randomUUID()}.parquet`);
  const result = await readFiles(reading, fileIndexes, {
    identify,
    symbolOf: (series) => ordered[series].symbol,
  });
  if (sumOf(result.rejectedByFile) > 0) await countRefused(reading, ordered);
  await keepRefused(reading, reading.id);
  await stageAccepted(scratch, parquetPath);
  return fileIndexes.map((fileIndex) => ({
    fileIndex,
    parquetPath,
    accepted: result.acceptedByFile.get(fileIndex) ?? 0,
    rejected: result.rejectedByFile.get(fileIndex) ?? 0,
  }));
}

/**
 * Counts the refused rows of each symbol, so that a few bad ones do not hold the others.
 * @param series Symbols by series of the table `judged`.
 * @returns the number of refused rows by series.
 */
export async function countRefused(
  { scratch, refusedRows, ordered }: FileReading,
  series: readonly { symbol: string | undefined }[],
): Promise<Map<number, number>> {
  const found = await selectRows<{ at: number; reason: string; count: number }>(
    await scratch.connect(),
    `SELECT series AS at, reason, count(*)::DOUBLE AS count FROM judged
     WHERE reason IS NOT NULL AND series IS NOT NULL GROUP BY ALL ORDER BY ALL`,
  );
  const counts = new Map<number, number>();
  for (const { at, reason, count } of found) {
    counts.set(at, (counts.get(at) ?? 0) + count);
    const key = `${series === ordered ? 'file' : 'series'} ${at} ${reason}`;
    refusedRows.set(key, { symbol: series[at].symbol!, reason, count });
  }
  return counts;
}

/** Adds the refused rows of some symbols, by reason. */
export function refusedOf(
  { refusedRows }: FileReading,
  symbols: readonly string[],
): Map<string, number> {
  const isIn = new Set(symbols);
  const counts = new Map<string, number>();
  for (const { symbol, reason, count } of refusedRows.values()) {
    if (isIn.has(symbol)) counts.set(reason, (counts.get(reason) ?? 0) + count);
  }
  return counts;
}

/** Writes the refused rows so far to the quarantine of the segment `id`. */
export async function keepRefused(
  { ordered, scratch, context, source, rejectedByReason }: FileReading,
  id: string,
): Promise<void> {
  if (rejectedByReason.size === 0) return;
  const names = ordered.map(({ name }) => name);
  await writeQuarantine(scratch, context, { id, source: source.id, names });
}

/**
 * Reads files into the scratch table `judged`.
 * @param symbolOf Symbol of a series that `identify` gave.
 * @param left By index, the symbols to read of a file; missing: all.
 */
export async function readFiles(
  reading: FileReading,
  indexes: readonly number[],
  { identify, symbolOf }: { identify: Identify; symbolOf: (series: number) => string | undefined },
  left: ReadonlyMap<number, LeftSymbols> = new Map(),
): Promise<Judged> {
  const { ordered, scratch, context, options, rejectedByReason } = reading;
  const result = await readExactly(scratch, {
    files: indexes.map((index) => ({ index, ...ordered[index], ...left.get(index) })),
    identify,
    nowMs: context.nowMs,
    window: options,
    isOne: options.symbol !== undefined,
    areDatesRight: areDatesRight(options),
    mayHoldLonger: mayHoldLonger(reading, indexes),
    servedDays: (series) => context.servedDays?.(symbolOf(series) ?? ''),
    faultsOfDays: (...found) => faultsOfFileDays(reading, ...found),
  });
  for (const [reason, count] of await countReasons(scratch)) rejectedByReason.set(reason, count);
  addNotes(reading, [
    ...(await emptyVolumeNotes(reading)),
    ...levelledNote(sumOf(result.levelledByFile)),
    ...result.notes,
  ]);
  const refused = indexes.filter(
    (index) => result.rejectedByFile.get(index) === ordered[index].dataLines,
  );
  await nameRefusedFiles(reading, refused);
  return result;
}

/** Returns why days of a symbol, in rising order, are none of the daily bars of a file. */
export function faultsOfFileDays(
  { ordered, options }: FileReading,
  fileIndex: number,
  days: readonly number[],
  isOfFile: boolean,
): DayFault[] {
  const { interval, dates } = options;
  // A shift that was found explains the dates already.
  const isShifted = ordered[fileIndex].dialect.dateShift !== 'written';
  const asked = { interval, dates: dates ?? (isShifted ? 'written' : undefined) };
  return faultsOfDays(days, asked, isOfFile);
}

/** Returns true if the user states that each date is that of a bar of a day. */
export function areDatesRight({ dates, interval }: Pick<SourceOptions, 'dates' | 'interval'>) {
  return dates === 'written' || interval === '1d';
}

/** Returns true for days of which the rows of a file of one symbol must be judged one by one. */
export function areFalseDays(
  reading: FileReading,
  fileIndex: number,
  days: readonly number[],
  filledDays: readonly number[],
): boolean {
  const mayBeWrong = !areDatesRight(reading.options);
  if (mayBeWrong && (hasWrongClosedDays(days, filledDays) || misdatedEnd(days))) return true;
  return faultsOfFileDays(reading, fileIndex, days, true).length > 0;
}

/** Returns true for days without a session, unless they show another market. */
export function hasWrongClosedDays(
  days: readonly number[],
  filledDays: readonly number[],
): boolean {
  return days.some(isClosedDay) && !isOtherMarket(closedDayCounts(days, filledDays));
}

/** Files are examined again when a load is retried: each note counts once. */
export function addNotes({ notes }: FileReading, more: readonly string[]): void {
  notes.push(...more.filter((note) => !notes.includes(note)));
}

/** Notes on symbols whose rows all lack a volume, after `readExactly`. */
async function emptyVolumeNotes({ ordered, scratch }: FileReading): Promise<string[]> {
  const found = await selectRows<{ file: number; count: number }>(
    await scratch.connect(),
    `SELECT file_index AS file, count(*)::DOUBLE AS count FROM series_of
     WHERE is_asked AND NOT has_volume GROUP BY 1 ORDER BY 1`,
  );
  const noted = found.map(({ file }) => ({
    name: ordered[file].name,
    reason: 'a column of volumes without any volume: volume is 0',
  }));
  return skippedGroups(noted).map(({ text }) => text);
}

/** Reports files that have rows and no good one, with the rule that the first row breaks. */
async function nameRefusedFiles(
  { ordered, scratch, skipped, refusedLines }: FileReading,
  indexes: readonly number[],
): Promise<void> {
  // Files are examined again when a load is retried.
  const unnamed = indexes.filter((index) => !refusedLines.has(index));
  for (const { file, count, ...fault } of await firstRefusals(scratch, unnamed, EARLY)) {
    refusedLines.set(file, count);
    skipped.push({ name: ordered[file].name, ...fault });
  }
}

/** Symbol of a row, by its own column, else `--symbol`, else the file's name. */
export function symbolOfRow(
  { source }: FileReading,
  { symbol, dialect }: CandleInput,
  symbolText: string | null,
): { symbol: string } | { reason: string } {
  const hasTicker = dialect.columns.ticker !== undefined;
  if (symbol !== undefined && !hasTicker) return { symbol };
  if (symbolText === null) return { reason: 'symbol is missing' };
  // Stooq's tickers are spelled as its files are named.
  const read = hasTicker && /\.us$/i.test(symbolText) ? symbolFromFileName : canonicalSymbol;
  const found = symbolOrFault(() => read(symbolText, source.symbolForm));
  if ('fault' in found) return { reason: `symbol ${found.fault}` };
  if (isId(symbolText)) return { reason: 'symbol is a number or an id' };
  const isTheFiles = symbol === undefined || found.symbol === symbol;
  return isTheFiles ? found : { reason: 'ticker is not the one of the file name' };
}
