/** The format of one file's candles: columns, dates, basis, order. Decided from a sample. */

import type { Basis } from '../../base/bars.ts';
import { latestCompletedSession } from '../../base/time/calendar.ts';
import type { BaseInterval } from '../../base/time/intervals.ts';
import type { DateOrder, DateShift, DecimalMark } from '../contract/choices.ts';
import type { Answer, Reading } from '../contract/reading.ts';
import type { SourceOptions } from '../contract/source-options.ts';
import type { FileForm } from '../inputs/input-file.ts';
import { numberTypeFault, symbolTypeFault } from '../segments/parquet-columns.ts';
import type { ParquetZones } from '../segments/parquet-zones.ts';
import { type DateFormat, dayFromText, strptimeFormat } from '../timing/date-format.ts';
import { isZoneName } from '../timing/iso-stamp.ts';
import { intervalFromPeriod, otherBarsFromPeriod } from '../timing/periods.ts';
import { ORDERS, ofTwoOrders, settleDateFormat } from '../timing/settle-date-format.ts';
import {
  daysReading,
  faultOfSample,
  faultOfStated,
  longBarsReason,
  READ_INTERVALS,
  type StatedLength,
} from '../timing/settle-days.ts';
import { hasClock, hasTimeOfDay } from '../timing/stamp-format.ts';
import { currencyFault } from '../values/currency.ts';
import { otherSecurityFault } from '../values/other-securities.ts';
import { partsOfBars } from '../values/parts-of-bars.ts';
import { identityColumns } from '../values/symbol-columns.ts';
import { fractionNotes, volumePower } from '../values/volume-columns.ts';
import {
  type CandleColumns,
  type ColumnRole,
  candleColumnsFromHeader,
  plainName,
  STOOQ_PERIOD,
  statedStamps,
  ZONE_NAME,
} from './columns.ts';
import { type FileSample, stampText, takeStampColumn } from './sample.ts';
import {
  type BasisAnswer,
  type BasisFacts,
  isOfStooq,
  needsAllRows,
  settleBasis,
} from './settle-basis.ts';
import { type SymbolColumn, symbolColumn } from './symbol-column.ts';

export interface CandleDialect {
  form: FileForm;
  delimiter: string;
  header: string[];
  columns: CandleColumns;
  /** Value that each row of the period column must have; undefined without such a column. */
  period: string | undefined;
  /** Interval by the period column or the kind of message; undefined if stamps must decide. */
  statedInterval: BaseInterval | undefined;
  /** True if rows have times of day. All stamps then decide if the bars are daily. */
  hasTimes: boolean;
  /** True if rows write a time, midnight included. It may tell the session of a daily bar. */
  hasClock: boolean;
  /** Session of a daily bar: the date as written, or a day beside it. */
  dateShift: DateShift;
  dateFormat: DateFormat;
  /** Column with the day of a bar beside its timestamp, and its format: daily bars are dated by it. */
  day: { column: number; dateFormat: DateFormat } | undefined;
  /** Format for DuckDB's typed reader; undefined if only the exact reader can read the dates. */
  strptime: string | undefined;
  isNewestFirst: boolean;
  /** Positions of columns that are not read and tell whose bars the rows are. */
  identity: number[];
  /** The later of the first and the last day. Decides if rows are still incomplete. */
  newestDay: number;
  basis: Basis;
  /** A symbol, by its text, whose prices alone are as traded. */
  alone: BasisAnswer['alone'];
  decimal: DecimalMark;
  /** Notes of the report about its columns. */
  notes: string[];
  /** True if a column of tickers of all markets names the symbols: those of the US end in `.US`. */
  isOfAllMarkets?: boolean;
  /** True if volumes are divided by dividends too, as in all files of Stooq. */
  scalesVolume: boolean;
  /** Zones of Parquet columns whose texts are of their zone's clock. */
  zones: ParquetZones;
  /** Zone in a column of minutes, which counts where the sessions don't show one. */
  zoneColumn?: Answer<string> | undefined;
  /** Answers found so far, with the facts that decided. */
  reading: Reading;
}

/** Key of files whose texts one statement can read. Types of Parquet files differ. */
export function textGroupKey(file: {
  dialect: CandleDialect;
  diskPath: string;
  stamps?: { reading?: unknown };
}): string {
  const { form, delimiter, header, columns, period, dateFormat, dateShift, decimal, identity } =
    file.dialect;
  const stamps = { ...file.stamps, reading: undefined };
  const meaning = [columns, period, dateFormat, dateShift, decimal, stamps, identity];
  return form === 'parquet' ? file.diskPath : JSON.stringify([form, delimiter, header, ...meaning]);
}

/** Default date format of a stream, whose first messages may all be other than bars. */
const STREAM_DATES: DateFormat = 'ymd';

/** Reason why a file is not read, worded to follow its name. */
export interface Refusal {
  reason: string;
  /** True if more rows of the file could change the result. */
  needsMoreRows?: boolean;
}

export interface DialectOptions extends Pick<SourceOptions, 'interval' | 'dates'> {
  nowMs: number;
  dateOrder?: DateOrder;
  basis?: Basis;
  /** Name of the file, and the symbol that it spells. */
  name?: string;
  symbol?: string;
  /** Symbol that the user states. */
  askedSymbol?: string;
  /** Bar length that the file's name or its layout states. */
  stated?: StatedLength;
  /** False if more rows can be read than the sample has. */
  isThorough?: boolean;
}

export function dialectFromSample(
  sample: FileSample,
  { nowMs, dateOrder, basis: asked, name = '', isThorough = true, ...options }: DialectOptions,
): CandleDialect | Refusal {
  const mapped = candleColumnsFromHeader(sample.statedNames ?? sample.header);
  if ('reason' in mapped) return mapped;
  const { columns } = mapped;
  const day = takeStampColumn(sample, columns);
  // A basis that the user gives is that of all rows.
  if (asked !== undefined) delete columns.adjustment;
  if (sample.rows.length === 0) {
    return { reason: 'it has a header and no rows', needsMoreRows: true };
  }
  const period = statedPeriod(sample, columns, options);
  if ('reason' in period) return period;
  const dates = sample.rows.map((row) => stampText(row, columns)).filter((text) => text !== '');
  const dateFormat =
    columns.message === undefined
      ? settleDateFormat(dates, latestCompletedSession(nowMs), dateOrder)
      : STREAM_DATES;
  if (typeof dateFormat !== 'string') return dateFormat;
  const written = dates.map((text) => ({ text, day: dayFromText(text, dateFormat) }));
  const good = written.filter(({ day }) => day !== undefined);
  const texts = good.map(({ text }) => text);
  const goodDays = good.map(({ day }) => day!);
  const lastDay = dayFromText(stampText(sample.last, columns), dateFormat);
  const days = lastDay === undefined ? goodDays : [...goodDays, lastDay];
  const hasTimes =
    period.interval === undefined
      ? texts.some((text) => hasTimeOfDay(text, dateFormat))
      : period.interval !== '1d';
  const clock = texts.some((text) => hasClock(text, dateFormat));
  const fault = faultOfStated(goodDays, { hasTimes, isThorough, ...options });
  if (fault !== undefined) return { reason: fault };
  const foreign = currencyFault(sample.header.map(plainName), sample, columns.close ?? -1);
  if (foreign !== undefined) return { reason: foreign };
  const other = otherSecurityFault(sample.header.map(plainName), sample);
  if (other !== undefined) return { reason: other };
  if (columns.symbol === undefined && ofTwoOrders(days, dateFormat)) {
    return { reason: ORDERS };
  }
  const symbols = symbolAnswer(sample, columns, { name, isThorough, ...options });
  if ('reason' in symbols) return symbols;
  const parts = partsOfBars(sample.header.map(plainName), sample, (row) =>
    [stampText(row, columns), row[columns.symbol ?? columns.ticker ?? -1]].join(),
  );
  if (parts !== undefined) return { reason: parts, needsMoreRows: !isThorough };
  const newestDay = Math.max(days[0], days[days.length - 1]);
  // Files that were put together may end before they begin, though their dates rise.
  const isNewestFirst = days[0] > days[days.length - 1] && days[0] >= goodDays[goodDays.length - 1];
  const basisFacts: BasisFacts = { sample, columns, name, asked, isNewestFirst };
  if (!isThorough && needsAllRows(basisFacts)) {
    return { reason: 'its first rows do not settle its basis', needsMoreRows: true };
  }
  const basis = settleBasis(basisFacts);
  if ('reason' in basis) return basis;
  const zoneColumn = hasTimes ? zoneColumnOf(sample) : undefined;
  if (zoneColumn && !isThorough) {
    return { reason: 'its first rows do not show if they have one zone', needsMoreRows: true };
  }
  const stamps = hasTimes ? statedStamps(sample.header) : undefined;
  if (!clock && symbols.at === undefined && columns.ticker === undefined) {
    const noSessions = faultOfSample(goodDays, options);
    if (noSessions !== undefined) return { reason: noSessions, needsMoreRows: !isThorough };
  }
  return {
    form: sample.form,
    delimiter: sample.delimiter,
    header: sample.header,
    columns: { ...period.columns, ...(symbols.at !== undefined && { symbol: symbols.at }) },
    period: period.text,
    statedInterval: period.interval,
    hasTimes,
    hasClock: clock,
    dateShift: options.dates ?? 'written',
    dateFormat,
    day,
    strptime: strptimeFormat(
      sample.rows.map((row) => row[columns.date!]).filter((text) => text),
      dateFormat,
    ),
    isNewestFirst,
    identity: identityOf(sample, columns),
    newestDay,
    basis: basis.value,
    alone: basis.alone,
    scalesVolume: basis.value === 'all' && isOfStooq(basisFacts),
    decimal: 'point',
    notes: [...(mapped.notes ?? []), ...(hasTimes ? [] : volumeNotes(sample, columns))],
    zones: sample.zones ?? {},
    zoneColumn,
    reading: {
      basis,
      ...(symbols.answer && { symbol: symbols.answer }),
      ...volumeReading(sample.header, columns),
      ...(stamps && { stamps }),
      ...(hasTimes && hasTickersOfStooq(sample, columns) && { zone: WARSAW }),
      ...(!clock && isThorough && daysReading(goodDays, options)),
    },
  };
}

/** Finds a column that has the name of one zone in all rows. */
function zoneColumnOf({ header, rows, last }: FileSample): Answer<string> | undefined {
  const at = header.findIndex((name) => ZONE_NAME.test(plainName(name)));
  const zones = new Set([...rows, last].map((row) => row[at]));
  const [zone = ''] = zones;
  if (zones.size > 1 || !(isZoneName(zone) || zone === 'UTC')) return undefined;
  return { value: zone, words: zone, facts: [`its column "${header[at]}" says ${zone}`] };
}

/** Finds the column of symbols, which `columns` gets too. */
function symbolAnswer(
  sample: FileSample,
  columns: CandleColumns,
  {
    name = '',
    symbol,
    askedSymbol,
    isThorough = true,
  }: Pick<DialectOptions, 'name' | 'symbol' | 'askedSymbol' | 'isThorough'>,
): SymbolColumn | Refusal {
  const stampOf = (row: readonly string[]) => stampText(row, columns);
  const file = { name, symbol, asked: askedSymbol };
  const found = symbolColumn(sample, columns, stampOf, file, isThorough);
  if (found === 'look further') {
    if (isThorough) return { at: undefined };
    return { reason: 'its first rows do not show whose bars they are', needsMoreRows: true };
  }
  if ('reason' in found) return found;
  if (found.at !== undefined) columns.symbol = found.at;
  const fault = columnTypeFault(sample, columns);
  return fault === undefined ? found : { reason: fault };
}

/** Returns why a column has values of a type that its role cannot have. */
export function columnTypeFault(
  { header, types = [] }: FileSample,
  columns: CandleColumns,
): string | undefined {
  const roles = Object.entries(columns) as [ColumnRole, number][];
  for (const [role, at] of roles) {
    const type = types[at];
    if (type === undefined) continue;
    const isSymbol = role === 'symbol' || role === 'ticker';
    const fault = (isSymbol ? symbolTypeFault : numberTypeFault)(header[at], type);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function identityOf({ header, rows }: FileSample, columns: CandleColumns): number[] {
  if (columns.message !== undefined) return [];
  const at = columns.symbol ?? columns.ticker;
  const series = at === undefined ? [rows] : [...Map.groupBy(rows, (row) => row[at]).values()];
  return identityColumns(header.map(plainName), new Set(Object.values(columns)), series);
}

/** The answer about the volume, where its column has no plain name. */
function volumeReading(header: readonly string[], { volume, moreVolume }: CandleColumns): Reading {
  if (volume === undefined || PLAIN_VOLUME.test(plainName(header[volume]))) return {};
  const names = [volume, ...(moreVolume === undefined ? [] : [moreVolume])].map(
    (at) => `"${header[at]}"`,
  );
  const power = volumePower(header[volume]);
  const unit = power === 0 ? '' : `, × ${10 ** power}`;
  const words = `volume of ${names.join(' and ')}${unit}`;
  return { volume: { value: volume, words, facts: ['its name'] } };
}

const WARSAW = {
  ...{ value: 'Europe/Warsaw', words: 'Europe/Warsaw' },
  facts: ['its columns and tickers are those of Stooq, which writes this zone'],
};

/** True for columns of Stooq whose tickers are of the US: `AAPL.US`. */
function hasTickersOfStooq({ header, rows: [row] }: FileSample, columns: CandleColumns): boolean {
  const { ticker = -1, period = -1 } = columns;
  return /\.us$/i.test(row[ticker] ?? '') && plainName(header[period] ?? '') === STOOQ_PERIOD;
}

function volumeNotes({ header, rows }: FileSample, { volume = -1 }: CandleColumns): string[] {
  if (volume < 0 || volumePower(header[volume]) > 0) return [];
  return fractionNotes(
    header[volume],
    rows.map((row) => row[volume] ?? ''),
  );
}

const PLAIN_VOLUME = /^(volume|vol|v)$/;

/** The first period of the rows that is read, and the columns without a false period column. */
function statedPeriod(
  { header, rows }: FileSample,
  columns: CandleColumns,
  { interval: asked }: Pick<SourceOptions, 'interval'>,
): { text?: string; interval?: BaseInterval; columns: CandleColumns } | Refusal {
  if (columns.message !== undefined) return { interval: '1m', columns };
  const { period, ...others } = columns;
  if (period === undefined) return { columns };
  const texts = rows.map((row) => row[period] ?? '').filter((cell) => cell !== '');
  const text = texts.find((cell) => intervalFromPeriod(cell) !== undefined) ?? texts[0] ?? '';
  // Massive states `5` and `minute` apart; elsewhere it may be the size of a contract.
  const isMassives = plainName(header[period]) === 'timespan';
  const times = isMassives ? header.findIndex((name) => plainName(name) === 'multiplier') : -1;
  const count = rows.find((row) => Number(row[times] ?? 1) !== 1)?.[times];
  const length = count === undefined ? text : `${count} ${text}`;
  const interval = intervalFromPeriod(length);
  if (interval !== undefined) return { text, interval, columns };
  const words = otherBarsFromPeriod(length) ?? (count && `bars of ${length}s`);
  if (words !== undefined && asked !== '1d') {
    return { reason: longBarsReason(words, `its column "${header[period]}" says ${length}`) };
  }
  // A column of this name may hold anything, except Stooq's.
  if (plainName(header[period]) !== STOOQ_PERIOD) return { columns: others };
  return { reason: `it holds bars of period "${text}", and ${READ_INTERVALS}` };
}
