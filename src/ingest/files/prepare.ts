import { basename, join } from 'node:path';
import { MalformedInputError, ParameterError } from '../../base/errors.ts';
import { type SymbolForm, symbolOrFault } from '../../base/symbols.ts';
import type { DateShift } from '../contract/choices.ts';
import type { FetchContext, SkippedInput } from '../contract/fetch-context.ts';
import type { Answer } from '../contract/reading.ts';
import { isAsked, type SourceOptions } from '../contract/source-options.ts';
import { TOO_LONG } from '../inputs/file-lines.ts';
import type { InputFile } from '../inputs/input-file.ts';
import { listInputs } from '../inputs/list-inputs.ts';
import { emptyReason } from '../inputs/scan-input.ts';
import { inputParts, type ScannedFile, scanParts } from '../inputs/scan-inputs.ts';
import {
  dayFromFolders,
  isNameOfPiece,
  namesInSeveralFolders,
  periodFromFileName,
  symbolFromFileName,
} from '../names/file-name.ts';
import type { Scratch } from '../segments/scratch.ts';
import { readParquetThrough } from '../segments/sql-text.ts';
import { besideBars } from '../shapes/lean.ts';
import { SHAPED_SCAN, type ShapedScan } from '../shapes/scan-shaped.ts';
import { intervalFromPeriod, otherBarsFromPeriod } from '../timing/periods.ts';
import { type StatedLength, settleDates } from '../timing/settle-days.ts';
import { otherSecurityOfName } from '../values/other-securities.ts';
import { type IntradayStamps, timingOfFile } from './candle-interval.ts';
import { decimalMark } from './decimals.ts';
import { type CandleDialect, dialectFromSample } from './dialect.ts';
import { clocksOfSymbols } from './evidence/symbol-clocks.ts';
import { parseMinutes } from './fast-select.ts';
import { unreadColumnNotes } from './file-notes.ts';
import {
  type FileSample,
  SAMPLE_ROWS_FEW,
  SAMPLE_ROWS_MANY,
  sampleFromCsvFile,
  sampleFromHead,
  sampleFromJsonLines,
  sampleFromParquet,
  spreadRows,
} from './sample.ts';
import { adjustedColumn } from './settle-basis.ts';
import { surveyDates, surveyStamps } from './survey-stamps.ts';
import { isNamedByDay, withTickerColumn } from './ticker-column.ts';

import { plainParquet } from './wide-parquet.ts';

export interface CandleFileSource {
  id: string;
  /** Spelling of symbols in file names and symbol columns. */
  symbolForm: SymbolForm;
  /** True if every file holds one symbol and is named after it. */
  isNamedBySymbol: boolean;
  zone?: string;
  /** Refuses files of other dialects, with the reason. */
  refusal?(dialect: CandleDialect): string | undefined;
}

export interface CandleInput {
  /** Name as the user knows it. */
  name: string;
  diskPath: string;
  sha256: string;
  modifiedUs: bigint;
  dataLines: number;
  /** False if the typed reader can't read it safely, or it has another symbol's ticker. */
  isPlain: boolean;
  dialect: CandleDialect;
  /** Lines that a rewritten file has before its first one. */
  addedLines: number;
  /** Undefined if a column names the symbols. */
  symbol: string | undefined;
  /** Stamps of bars of minutes; undefined for daily bars. */
  stamps: IntradayStamps | undefined;
  /** Reasons to refuse symbols of a file of minutes, by their text. */
  symbolFaults?: ReadonlyMap<string, string>;
  /** True for the text of a symbol whose rows are of another input of the file. */
  isOfOther?: (symbolText: string) => boolean;
  /** Number of the file in `parsed_minutes`, if all of its lines are there. */
  parsedAs?: number;
}

export interface PreparedFiles {
  files: CandleInput[];
  skipped: SkippedInput[];
  isPart: boolean;
}

/**
 * Lists, unpacks and scans files part by part: one part is loaded while the next is scanned.
 * @throws {ParameterError} `symbol`: it was given for files of different names.
 */
export async function* prepareFiles(
  source: CandleFileSource,
  options: SourceOptions & { path: string },
  scratch: Scratch,
  context: FetchContext,
): AsyncGenerator<PreparedFiles> {
  const list = await listInputs(options.path, undefined, true);
  const wanted = source.isNamedBySymbol
    ? list.files.filter((file) => isWanted(file, source, options))
    : list.files;
  // With one symbol for all files, take one part: the check must end before anything is loaded.
  const parts = options.symbol === undefined ? inputParts(wanted) : [wanted];
  const isPart = parts.length > 1;
  const contents = new Set<string>();
  const ambiguous = namesInSeveralFolders(
    options.symbol === undefined ? wanted.map(({ name }) => name) : [],
  );
  let { skipped } = list;
  for await (const scanned of scanParts(parts, scratch.folder, context, SHAPED_SCAN)) {
    const prepared: PreparedFiles = { files: [], skipped, isPart };
    skipped = [];
    for (const file of scanned) {
      const result = await prepareFile(file, source, options, { scratch, nowMs: context.nowMs });
      if ('reason' in result) prepared.skipped.push({ name: file.input.name, ...result });
      else if (result.symbol !== undefined && ambiguous.get(result.name) === result.symbol) {
        prepared.skipped.push({ name: result.name, ...refused(IN_SEVERAL_FOLDERS) });
      } else if (result.symbol === undefined || isAsked(result.symbol, options)) {
        const key = `${result.sha256} ${result.symbol} ${dayFromFolders(result.name)}`;
        if (!contents.has(key)) prepared.files.push(result);
        else prepared.skipped.push({ name: result.name, reason: 'a copy of another file' });
        contents.add(key);
      }
    }
    if (options.symbol !== undefined) refuseSeveralNames(options.symbol, prepared.files, source);
    yield timedFiles(prepared, source, options, scratch);
  }
}

const IN_SEVERAL_FOLDERS =
  'its name and its folder may both name the symbol, as files of this name stand in folders of other tickers; say whose candles they hold in a column "symbol", or name the folders symbol=AAPL';

/** Separates daily files from intraday ones. Some files need a look at all their stamps. */
async function timedFiles(
  { files, skipped, isPart }: PreparedFiles,
  source: CandleFileSource,
  options: SourceOptions,
  scratch: Scratch,
): Promise<PreparedFiles> {
  const toSurvey = files.filter(({ dialect }) => dialect.hasTimes);
  const parsed = await parseMinutes(scratch, toSurvey);
  const surveys = await surveyStamps(scratch, toSurvey, parsed);
  const surveyByFile = new Map(toSurvey.map((file, index) => [file, surveys[index]]));
  const timed: PreparedFiles = { files: [], skipped, isPart };
  const toDate: CandleInput[] = [];
  for (const file of files) {
    const timing = timingOfFile(file.dialect, surveyByFile.get(file), options, source.zone);
    if (timing === '1d') {
      const daily = { ...file, dialect: datedByDay(file.dialect) };
      (daily.dialect.hasClock ? toDate : timed.files).push(daily);
    } else if ('reason' in timing) skipped.push({ name: file.name, ...refused(timing.reason) });
    else {
      const place = toSurvey.indexOf(file);
      const zone = { zone: timing.zone, words: timing.reading.zone?.words ?? timing.zone };
      const { reading, zoneColumn } = file.dialect;
      const isOfColumn = zoneColumn !== undefined && timing.zone === zoneColumn.value;
      const isStated = [options.zone, source.zone, reading.zone, isOfColumn].some(Boolean);
      const { faults, notes } = clocksOfSymbols(surveyByFile.get(file)!, zone, isStated);
      const reason = file.dialect.columns.symbol === undefined ? faults.get('') : undefined;
      if (reason !== undefined) {
        skipped.push({ name: file.name, ...refused(reason) });
        continue;
      }
      file.dialect.notes.push(...notes);
      const symbolFaults = faults;
      const isTyped = parsed.has(place) && symbolFaults.size === 0;
      timed.files.push({
        ...{ ...file, stamps: timing, symbolFaults },
        ...(isTyped && { parsedAs: place }),
      });
    }
  }
  const dates = await surveyDates(scratch, toDate);
  for (const [index, file] of toDate.entries()) {
    const settled = settleDates(dates[index], options);
    if ('reason' in settled) skipped.push({ name: file.name, ...refused(settled.reason) });
    else {
      const hasTimes = dates[index].some(({ minute }) => minute !== 0);
      const dialect = datedDialect({ ...file.dialect, hasTimes }, settled);
      timed.files.push({ ...file, dialect });
    }
  }
  return timed;
}

/** Dates daily bars by their column of days, if timestamps have one beside them. */
function datedByDay(dialect: CandleDialect): CandleDialect {
  const { day, columns } = dialect;
  if (day === undefined) return dialect;
  const { column: date, dateFormat } = day;
  const format = { dateFormat, strptime: undefined, hasTimes: false, hasClock: false };
  return { ...dialect, ...format, columns: { ...columns, date } };
}

function datedDialect(dialect: CandleDialect, dates: Answer<DateShift>): CandleDialect {
  const newestDay = dialect.newestDay + (dates.value === 'next' ? 1 : 0);
  const reading = { ...dialect.reading, dates };
  return { ...dialect, dateShift: dates.value, newestDay, reading };
}

/** Refuses `--symbol` for several names, because it must not make one symbol of a whole folder. */
function refuseSeveralNames(
  symbol: string,
  files: readonly CandleInput[],
  source: CandleFileSource,
): void {
  const unnamed = files.filter(({ dialect }) => dialect.columns.symbol === undefined);
  const names = new Set(unnamed.map(({ name }) => basename(name)));
  const symbols = new Set(
    unnamed
      .map(({ name }) => symbolOfFile(name, source, {}))
      .flatMap((named) => ('symbol' in named ? [named.symbol] : [])),
  );
  // `2023.csv` and `2024.csv` are pieces of one history.
  const arePieces = symbols.size === 0 && names.keys().every(isNameOfPiece);
  if (symbols.size < 2 && (names.size < 2 || arePieces)) return;
  const [first, second] = names.size > 1 ? names : unnamed.map(({ name }) => name);
  throw new ParameterError(
    'symbol',
    `--symbol ${symbol} says whose candles a single file holds, and there are "${first}" and "${second}"; to pick symbols use --symbols`,
  );
}

function isWanted(file: InputFile, source: CandleFileSource, options: SourceOptions): boolean {
  if (isNamedByDay(file.name)) return true;
  const symbol = symbolOfFile(file.name, source, options);
  return 'reason' in symbol || isAsked(symbol.symbol, options);
}

type Skip = Omit<SkippedInput, 'name'>;

function refused(reason: string): Skip {
  return { reason, isRefused: true };
}

async function prepareFile(
  found: ScannedFile<ShapedScan>,
  source: CandleFileSource,
  options: SourceOptions,
  { scratch, nowMs }: { scratch: Scratch; nowMs: number },
): Promise<CandleInput | Skip> {
  const beside = besideBars(found.input.name);
  if (beside !== undefined) return { reason: beside };
  if ('damage' in found) return refused(found.damage);
  const scanned = await withPlainParquet(found, scratch);
  if ('reason' in scanned) return scanned;
  const { input, diskPath, scan } = scanned;
  if (scan.bytes === 0) return { reason: emptyReason(input) };
  if (scan.lineCount === 0 && input.form !== 'parquet') return { reason: 'it is blank' };
  if (/\\/.test(diskPath) && /[*?[]/.test(diskPath)) {
    return refused('its path has a backslash beside one of * ? [, which DuckDB cannot open');
  }
  const { dateOrder, basis, interval, dates } = options;
  const named = symbolOfFile(input.name, source, {});
  const asked = {
    ...{ nowMs, dateOrder, basis, interval, dates, name: input.name },
    symbol: 'symbol' in named ? named.symbol : undefined,
    stated: lengthOfName(input.name),
    askedSymbol: options.symbol,
  };
  let sampled = await sampleFile(scanned, scratch, false);
  if (typeof sampled === 'string') return refused(sampled);
  const isThorough = sampled.sample.rows.length >= sampled.dataLines;
  if (input.form === 'csv' && !isThorough && adjustedColumn(sampled.sample) >= 0) {
    const { sample } = sampled;
    sample.spread = await spreadRows(diskPath, scan, sample.delimiter);
  }
  let dialect = dialectFromSample(sampled.sample, { ...asked, isThorough });
  if ('reason' in dialect && dialect.needsMoreRows) {
    sampled = await sampleFile(scanned, scratch, true);
    if (typeof sampled === 'string') return refused(sampled);
    dialect = dialectFromSample(sampled.sample, asked);
  }
  if ('reason' in dialect) {
    const hasUnread = sampled.sample.rows.length === 0 && sampled.dataLines > 0;
    if (hasUnread) return refused(`none of its rows is good: ${TOO_LONG}`);
    return sampled.dataLines === 0 ? { reason: dialect.reason } : refused(dialect.reason);
  }
  const mark = await decimalMark(sampled.sample, dialect.columns, scanned, options.decimal);
  if (mark && 'reason' in mark) return refused(mark.reason);
  if (mark) {
    dialect.decimal = mark.value;
    dialect.reading.decimals = mark;
  }
  dialect.notes.push(...unreadColumnNotes(dialect));
  if (scan.shape?.note !== undefined) dialect.notes.push(scan.shape.note);
  const refusal = source.refusal?.(dialect);
  if (refusal) return refused(refusal);
  if (dialect.columns.ticker !== undefined) {
    const symbolOf = (text: string) => {
      const found = symbolOfFile(text, source, {});
      return 'symbol' in found ? found.symbol : undefined;
    };
    const named = isNamedByDay(input.name) ? undefined : symbolOf(input.name);
    const isSelected = options.symbol !== undefined;
    dialect = withTickerColumn(dialect, sampled.sample, { named, isSelected }, symbolOf);
  }
  const naming = namingOf(input.name, dialect, source);
  const symbol =
    dialect.columns.symbol !== undefined
      ? { symbol: undefined }
      : naming === source && options.symbol === undefined
        ? named
        : symbolOfFile(input.name, naming, options);
  if ('reason' in symbol) return refused(symbol.reason);
  const only = symbol.symbol ?? onlySymbol(sampled.sample, dialect);
  if (only !== undefined) {
    const { open, high, low, close } = dialect.columns;
    const prices = [open, high, low, close].filter((at) => at !== undefined);
    const other = otherSecurityOfName(only, sampled.sample, prices);
    if (other.fault !== undefined && options.symbol === undefined) return refused(other.fault);
    if (other.note !== undefined) dialect.notes.push(other.note);
  }
  // The column that a rewritten table has for its basis says less than what was rewritten.
  const stated = scan.shape?.stated;
  const isOfShape = basis === undefined && stated?.basis?.value === dialect.reading.basis?.value;
  const hasFolder = basename(input.name) !== input.name;
  if (symbol.symbol !== undefined && options.symbol === undefined && hasFolder) {
    const own = symbolOfFile(basename(input.name), naming, {});
    const isOfFolder = 'reason' in own || own.symbol !== symbol.symbol;
    if (isOfFolder) dialect.reading.symbol ??= byFolder(symbol.symbol);
  }
  return {
    name: input.name,
    diskPath,
    sha256: scan.sha256,
    modifiedUs: input.modifiedUs,
    dataLines: sampled.dataLines,
    // The typed reader takes points alone.
    isPlain:
      scan.isPlain &&
      dialect.decimal === 'point' &&
      (dialect.columns.symbol !== undefined || !hasOtherIdentity(sampled.sample, dialect)) &&
      isOfTicker(sampled.sample, dialect, symbol.symbol, source),
    dialect: {
      ...dialect,
      reading: { ...stated, ...dialect.reading, ...(isOfShape && { basis: stated?.basis }) },
    },
    addedLines: scan.shape?.addedLines ?? 0,
    symbol: symbol.symbol,
    stamps: undefined,
  };
}

/** Returns the text in a column of symbols that all rows of the sample have. */
function onlySymbol({ rows, last }: FileSample, { columns }: CandleDialect): string | undefined {
  const texts = new Set([...rows, last].map((row) => row[columns.symbol ?? -1]));
  return texts.size === 1 ? [...texts][0] : undefined;
}

/** Returns true if the first and the last row of a file of one symbol are of different securities. */
function hasOtherIdentity({ rows: [first], last }: FileSample, { identity }: CandleDialect) {
  return identity.some((at) => first[at] !== last[at]);
}

function byFolder(symbol: string): Answer<string> {
  return { value: symbol, words: 'by the name of the folder', facts: [] };
}

/** `all_d.txt` is a preferred share where the columns are Stooq's, and else daily bars of ALL. */
function namingOf(name: string, { header }: CandleDialect, source: CandleFileSource) {
  const isStooqs = header.includes('OpenInt') && /^[a-z]+_[a-z]?(?:-cl)?\./.test(basename(name));
  return isStooqs ? { ...source, symbolForm: 'stooq' as const } : source;
}

/** The same file, or a table of one row for each symbol and day if its names hold symbols. */
async function withPlainParquet<File extends Extract<ScannedFile, { scan: unknown }>>(
  file: File,
  scratch: Scratch,
): Promise<File | Skip> {
  const { input, diskPath, scan } = file;
  if (input.form !== 'parquet') return file;
  const to = join(scratch.folder, `${scan.sha256}.table.parquet`);
  const connection = await scratch.connect();
  // A file that can't be read is refused where it is sampled.
  try {
    const day = dayFromFolders(input.name);
    return {
      ...file,
      diskPath: await plainParquet(connection, diskPath, { to, name: input.name, day }),
    };
  } catch (error) {
    if (error instanceof MalformedInputError) return refused(error.message);
    return file;
  }
}

/** Returns the length of bars that the name of a file states. */
function lengthOfName(name: string): StatedLength | undefined {
  const period = periodFromFileName(name);
  if (period === undefined) return undefined;
  const interval = intervalFromPeriod(period);
  const words = interval === '1d' ? 'daily bars' : otherBarsFromPeriod(period);
  return { interval, words: words ?? `bars of ${period}`, fact: `its name says ${period}` };
}

/** @param isThorough True to look at many rows, false for the first ones only. */
async function sampleFile(
  { input, diskPath, scan }: Exclude<ScannedFile, { damage: string }>,
  scratch: Scratch,
  isThorough: boolean,
): Promise<{ sample: FileSample; dataLines: number } | string> {
  const rowsMax = isThorough ? SAMPLE_ROWS_MANY : SAMPLE_ROWS_FEW;
  if (input.form === 'parquet') {
    const connection = await scratch.connect();
    try {
      const { sample, rowCount } = await sampleFromParquet(connection, diskPath, rowsMax);
      // Later one statement reads all files, and would find a damaged page too late.
      if (!isThorough) await readParquetThrough(connection, diskPath);
      return { sample, dataLines: rowCount };
    } catch (error) {
      const [cause] = (error as Error).message.split('\n');
      // An encrypted column is bytes that are no page.
      const isSealed = /TProtocol|encrypt/i.test(cause);
      const remedy = isSealed ? '. If columns are encrypted, write it without encryption' : '';
      return `it cannot be read as Parquet: ${cause}${remedy}`;
    }
  }
  if (input.form === 'jsonl') {
    const sample = await sampleFromJsonLines(diskPath, rowsMax).catch((error: Error) => {
      if (error instanceof MalformedInputError) return error.message;
      throw error;
    });
    if (typeof sample === 'string') return sample;
    return sample ? { sample, dataLines: scan.lineCount } : 'none of its lines is a JSON object';
  }
  const head = isThorough ? undefined : sampleFromHead(scan);
  const sample = head ?? (await sampleFromCsvFile(diskPath, scan));
  return sample ? { sample, dataLines: scan.lineCount - 1 } : 'its lines are too long to be rows';
}

/**
 * Returns true if the first and last row of a file with a ticker column have the file's symbol, or
 * each row has its own.
 */
function isOfTicker(
  { rows, last }: FileSample,
  { columns }: CandleDialect,
  symbol: string | undefined,
  source: CandleFileSource,
): boolean {
  const { ticker } = columns;
  if (ticker === undefined || symbol === undefined) return true;
  return [rows[0], last].every((row) => {
    const named = symbolOfFile(row[ticker] ?? '', source, {});
    return 'symbol' in named && named.symbol === symbol;
  });
}

function symbolOfFile(
  name: string,
  source: CandleFileSource,
  options: SourceOptions,
): { symbol: string } | { reason: string } {
  if (options.symbol !== undefined) return { symbol: options.symbol };
  const found = symbolOrFault(() => symbolFromFileName(name, source.symbolForm));
  return 'symbol' in found ? found : { reason: nameFault(found.fault) };
}

function nameFault(fault: string): string {
  const ask = 'say whose candles it holds with --symbol';
  if (fault === 'is not a ticker') return `its name is not a ticker; ${ask}`;
  if (fault.startsWith('may be ')) return `by its name it ${fault}; ${ask}`;
  if (fault.endsWith('no ticker')) {
    return `its name ${fault}; ${ask}, in a column "symbol" or by a folder such as symbol=AAPL`;
  }
  return `by its name it ${fault}; only US stocks and funds can be held`;
}
