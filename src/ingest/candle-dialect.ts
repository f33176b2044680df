/** How one file writes its candles: columns, dates, basis, order. Decided from a sample. */

import type { Basis } from '../bars.ts';
import { latestCompletedSession } from '../calendar.ts';
import { dateFromDay } from '../dates.ts';
import { basisFromHeader } from './candle-basis.ts';
import { type CandleColumns, candleColumnsFromHeader } from './candle-columns.ts';
import {
  type DateFormat,
  type DateOrder,
  dayFromText,
  possibleDateFormats,
  strptimeFormat,
} from './date-format.ts';
import type { FileSample } from './file-sample.ts';
import type { FileForm } from './input-file.ts';

export interface CandleDialect {
  form: FileForm;
  delimiter: string;
  header: string[];
  columns: CandleColumns;
  dateFormat: DateFormat;
  /** For DuckDB's typed reader; undefined when only the exact reader can read the dates. */
  strptime: string | undefined;
  isNewestFirst: boolean;
  /** Newest of the first and last day; tells whether rows are still to be completed. */
  newestDay: number;
  basis: Basis;
}

/** Says why a file is not read, in words that follow its name. */
export interface Refusal {
  reason: string;
  /** True when more rows of the file could tell otherwise. */
  needsMoreRows?: boolean;
}

/** @param dateOrder `--date-format`, which settles dates that could be of several orders. */
export function dialectFromSample(
  sample: FileSample,
  { nowMs, dateOrder }: { nowMs: number; dateOrder?: DateOrder },
): CandleDialect | Refusal {
  const mapped = candleColumnsFromHeader(sample.header);
  if ('reason' in mapped) return mapped;
  const { columns } = mapped;
  if (sample.rows.length === 0) {
    return { reason: 'it has a header and no rows', needsMoreRows: true };
  }
  const texts = sample.rows.map((row) => row[columns.date!] ?? '');
  const dates = texts.filter((text) => text !== '');
  const dateFormat = settleDateFormat(dates, latestCompletedSession(nowMs), dateOrder);
  if (typeof dateFormat !== 'string') return dateFormat;
  const rowDays = texts.map((text) => dayFromText(text, dateFormat));
  const refusal = refusalOfPeriod(sample, columns, rowDays);
  if (refusal) return refusal;
  const lastDay = dayFromText(sample.last[columns.date!] ?? '', dateFormat);
  const days = [...rowDays, lastDay].filter((day) => day !== undefined);
  return {
    form: sample.form,
    delimiter: sample.delimiter,
    header: sample.header,
    columns,
    dateFormat,
    strptime: strptimeFormat(dates, dateFormat),
    isNewestFirst: days[0] > days[days.length - 1],
    newestDay: Math.max(days[0], days[days.length - 1]),
    basis: basisFromHeader(sample.header),
  };
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

const DAILY_PERIOD = 'D';

function refusalOfPeriod(
  { rows }: FileSample,
  { date, symbol, period }: CandleColumns,
  days: readonly (number | undefined)[],
): Refusal | undefined {
  const first = rows[days.findIndex((day) => day !== undefined)];
  if (period !== undefined && first[period] !== DAILY_PERIOD) {
    return { reason: `it holds bars of period "${first[period]}", and only daily bars are read` };
  }
  const textByDay = new Map<string, string>();
  for (const [index, day] of days.entries()) {
    if (day === undefined) continue;
    const text = rows[index][date!];
    const key = `${symbol === undefined ? '' : rows[index][symbol]} ${day}`;
    const earlier = textByDay.get(key);
    if (earlier !== undefined && timeOf(earlier) !== timeOf(text)) {
      return {
        reason: `it holds several bars a day ("${earlier}" and "${text}"), and only daily bars are read`,
      };
    }
    textByDay.set(key, text);
  }
  return undefined;
}

/** What follows the date; an epoch is its own time. */
function timeOf(text: string): string {
  return /^\d+$/.test(text) ? text : text.replace(/^[^ T]*/, '');
}
