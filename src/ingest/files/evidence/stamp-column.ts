/** The text that dates a row, and the column that it stands in. */

import { type DateFormat, dayFromText, possibleDateFormats } from '../../timing/date-format.ts';
import { hasClock, hasTimeOfDay } from '../../timing/stamp-format.ts';
import { BAR_MESSAGES, type CandleColumns, stampColumns } from '../columns.ts';
import type { FileSample } from '../sample.ts';

/**
 * Dates the bars by a column with a time of day, if the date column has none and its days are
 * those of the timestamps, give or take a zone. A time of download has other days.
 * @returns the column of days that was the date.
 */
export function takeStampColumn(
  { header, rows }: FileSample,
  columns: CandleColumns,
): { column: number; dateFormat: DateFormat } | undefined {
  const { date, message } = columns;
  if (date === undefined || message !== undefined) return undefined;
  const texts = (column: number) => rows.map((row) => row[column] ?? '');
  // A column `time` may have whole stamps.
  if (columns.time !== undefined && texts(columns.time).every(isWholeStamp)) delete columns.time;
  const others = stampColumns(header, columns).filter((column) => column !== date);
  if (others.length === 0) return undefined;
  const own = rows.map((row) => stampText(row, columns));
  const formats = possibleDateFormats(own, Number.POSITIVE_INFINITY);
  if (own.some((text) => formats.some((format) => hasTimeOfDay(text, format)))) return undefined;
  for (const column of others) {
    const stamps = texts(column);
    const [stampFormat] = possibleDateFormats(stamps, Number.POSITIVE_INFINITY);
    if (stampFormat === undefined) continue;
    const dateFormat = formats.find((format) =>
      texts(date).every((text, at) => {
        const days = [dayFromText(text, format), dayFromText(stamps[at], stampFormat)];
        return Math.abs((days[0] ?? Number.NaN) - (days[1] ?? Number.NaN)) <= 1;
      }),
    );
    if (dateFormat === undefined) continue;
    if (!stamps.some((text) => hasTimeOfDay(text, stampFormat))) continue;
    columns.date = column;
    if (columns.time !== undefined) delete columns.time;
    return { column: date, dateFormat };
  }
  return undefined;
}

function isWholeStamp(text: string): boolean {
  const formats = possibleDateFormats([text], Number.POSITIVE_INFINITY);
  return formats.some((format) => format !== 'epoch' && hasClock(text, format));
}

/** Date and time of day of a row; empty for messages that are no bars. */
export function stampText(row: readonly string[], { date, time, message }: CandleColumns): string {
  if (message !== undefined && !BAR_MESSAGES.includes(row[message])) return '';
  const text = row[date!] ?? '';
  return time === undefined || text === '' ? text : `${text} ${row[time] ?? ''}`.trimEnd();
}
