/** The format of one file's candles: columns, dates, basis, order. Decided from a sample. */

import type { Basis } from '../../base/bars.ts';
import { latestCompletedSession } from '../../base/time/calendar.ts';
import { dateFromDay } from '../../base/time/dates.ts';
import { BASE_INTERVALS, type BaseInterval } from '../../base/time/intervals.ts';
import type { DateOrder, DecimalMark } from '../contract/source-options.ts';
import type { FileForm } from '../inputs/input-file.ts';
import { numberTypeFault, symbolTypeFault } from '../segments/parquet-columns.ts';
import {
  BAR_MESSAGES,
  type CandleColumns,
  type ColumnRole,
  candleColumnsFromHeader,
  plainName,
  STOOQ_PERIOD,
} from './columns.ts';
import {
  type DateFormat,
  dayFromText,
  possibleDateFormats,
  strptimeFormat,
} from './date-format.ts';
import type { Reading } from './reading.ts';
import type { FileSample } from './sample.ts';
import { type BasisFacts, needsAllRows, settleBasis } from './settle-basis.ts';
import { hasTimeOfDay } from './stamp-format.ts';

export const READ_INTERVALS = 'bars of 1d, 1m and 5m are read: 5m to 4h are made from 1m';

const PERIODS: Record<BaseInterval, readonly string[]> = {
  '1d': ['d', '1d', 'day', '1day', 'daily'],
  '1m': ['1', '1m', 'm1', '1min', '1minute', 'minute'],
  '5m': ['5', '5m', 'm5', '5min', '5minute', '5minutes'],
};

/** Reads `D`, `5`, `1Min` and so on; undefined for other bars, such as `1M` for a month. */
export function intervalFromPeriod(text: string): BaseInterval | undefined {
  if (text === '1M') return undefined;
  return BASE_INTERVALS.find((interval) => PERIODS[interval].includes(text.toLowerCase()));
}

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
  dateFormat: DateFormat;
  /** Format for DuckDB's typed reader; undefined if only the exact reader can read the dates. */
  strptime: string | undefined;
  isNewestFirst: boolean;
  /** The later of the first and the last day. Decides if rows are still incomplete. */
  newestDay: number;
  basis: Basis;
  decimal: DecimalMark;
  /** Answers found so far, with the facts that decided. */
  reading: Reading;
}

/** Key of files whose texts one statement can read. Types of Parquet files differ. */
export function textGroupKey(file: {
  dialect: CandleDialect;
  diskPath: string;
  stamps?: object;
}): string {
  const { form, delimiter, header, columns, period, dateFormat, decimal } = file.dialect;
  return form === 'parquet'
    ? file.diskPath
    : JSON.stringify([form, delimiter, header, columns, period, dateFormat, decimal, file.stamps]);
}

/** Default date format of a stream, whose first messages may all be other than bars. */
const STREAM_DATES: DateFormat = 'ymd';

/** Reason why a file is not read, worded to follow its name. */
export interface Refusal {
  reason: string;
  /** True if more rows of the file could change the result. */
  needsMoreRows?: boolean;
}

export interface DialectOptions {
  nowMs: number;
  dateOrder?: DateOrder;
  basis?: Basis;
  /** Name of the file. */
  name?: string;
  /** False if the sample has the first rows only, and more can be read. */
  isThorough?: boolean;
}

export function dialectFromSample(
  sample: FileSample,
  { nowMs, dateOrder, basis: asked, name, isThorough = true }: DialectOptions,
): CandleDialect | Refusal {
  const mapped = candleColumnsFromHeader(sample.statedNames ?? sample.header);
  if ('reason' in mapped) return mapped;
  const { columns } = mapped;
  // A basis that the user gives is that of all rows.
  if (asked !== undefined) delete columns.adjustment;
  if (sample.rows.length === 0) {
    return { reason: 'it has a header and no rows', needsMoreRows: true };
  }
  const period = statedPeriod(sample, columns);
  if ('reason' in period) return period;
  const dates = sample.rows.map((row) => stampText(row, columns)).filter((text) => text !== '');
  const dateFormat =
    columns.message === undefined
      ? settleDateFormat(dates, latestCompletedSession(nowMs), dateOrder)
      : STREAM_DATES;
  if (typeof dateFormat !== 'string') return dateFormat;
  const days = [...dates, stampText(sample.last, columns)]
    .map((text) => dayFromText(text, dateFormat))
    .filter((day) => day !== undefined);
  const isNewestFirst = days[0] > days[days.length - 1];
  const basisFacts: BasisFacts = { sample, columns, name, asked, isNewestFirst };
  if (!isThorough && needsAllRows(basisFacts)) {
    return { reason: 'its first rows do not settle its basis', needsMoreRows: true };
  }
  const basis = settleBasis(basisFacts);
  if ('reason' in basis) return basis;
  return {
    form: sample.form,
    delimiter: sample.delimiter,
    header: sample.header,
    columns: period.columns,
    period: period.text,
    statedInterval: period.interval,
    hasTimes:
      period.interval === undefined
        ? dates.some((text) => hasTimeOfDay(text, dateFormat))
        : period.interval !== '1d',
    dateFormat,
    strptime: strptimeFormat(
      sample.rows.map((row) => row[columns.date!]).filter((text) => text),
      dateFormat,
    ),
    isNewestFirst,
    newestDay: Math.max(days[0], days[days.length - 1]),
    basis: basis.value,
    decimal: 'point',
    reading: { basis },
  };
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

/** Date and time of day of a row; empty for messages that are no bars. */
export function stampText(row: readonly string[], { date, time, message }: CandleColumns): string {
  if (message !== undefined && !BAR_MESSAGES.includes(row[message])) return '';
  const text = row[date!] ?? '';
  return time === undefined || text === '' ? text : `${text} ${row[time] ?? ''}`.trimEnd();
}

/** The period of the first row that has one, and the columns without a false period column. */
function statedPeriod(
  { header, rows }: FileSample,
  columns: CandleColumns,
): { text?: string; interval?: BaseInterval; columns: CandleColumns } | Refusal {
  if (columns.message !== undefined) return { interval: '1m', columns };
  const { period, ...others } = columns;
  if (period === undefined) return { columns };
  const text = rows.map((row) => row[period]).find((cell) => cell) ?? '';
  const interval = intervalFromPeriod(text);
  if (interval !== undefined) return { text, interval, columns };
  // A column of this name may hold anything, except Stooq's.
  if (plainName(header[period]) !== STOOQ_PERIOD) return { columns: others };
  return { reason: `it holds bars of period "${text}", and ${READ_INTERVALS}` };
}

function settleDateFormat(
  dates: readonly string[],
  latestDay: number,
  dateOrder: DateOrder | undefined,
): DateFormat | Refusal {
  const formats = possibleDateFormats(dates, latestDay);
  if (formats.length === 0) {
    const reason = `"${dates[0] ?? ''}" is not a date of a known format`;
    return { reason, needsMoreRows: true };
  }
  if (dateOrder && formats.includes(dateOrder)) return dateOrder;
  if (formats.length === 1) return formats[0];
  const shown = dates.find((text) => dayFromText(text, formats[0]) !== undefined)!;
  const readings = formats.map((format) => {
    return `${dateFromDay(dayFromText(shown, format) ?? latestDay)} (${format})`;
  });
  return {
    needsMoreRows: true,
    reason: `its dates are ambiguous: "${shown}" may be ${readings.join(' or ')}; say which with --date-format`,
  };
}
