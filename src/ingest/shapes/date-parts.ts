/** Dates in columns of their own for year, month and day, and times for hour and minute. */

import { isDateName } from './fields.ts';
import type { TableShape } from './shape.ts';

const DAY_PARTS = ['year', 'month', 'day'] as const;
const TIME_PARTS = ['hour', 'minute'] as const;
/** A date without a time. */
const DAY = /^[\d/.-]{6,10}$/;

export const dateParts: TableShape = {
  words: 'dates in several columns',
  recognise({ header, firstRow }) {
    const names = header.map((name) => name.trim().toLowerCase());
    const [days, times] = [placesOf(DAY_PARTS, names), placesOf(TIME_PARTS, names)];
    const dateAt = names.findIndex((name) => isDateName(name) && name !== 'day');
    const first = firstRow();
    const areDays = days !== undefined && dateAt === -1 && areNumbers(days, first);
    // Beside a stamp with its time, they repeat it.
    const isOpen = areDays || (dateAt !== -1 && DAY.test(first[dateAt] ?? ''));
    const areTimes = times !== undefined && isOpen && areNumbers(times, first);
    if (!areDays && !areTimes) return undefined;
    const parts = new Set([...(areDays ? days : []), ...(areTimes ? times : [])]);
    const others = [...header.keys()].filter((at) => !parts.has(at));
    const added = [...(areDays ? ['date'] : []), ...(areTimes ? ['time'] : [])];
    return {
      header: [...added, ...others.map((at) => header[at])],
      headerLines: 1,
      stated: {},
      rows: (line) => [
        [
          ...(areDays ? [joined(days, line, '-')] : []),
          ...(areTimes ? [joined(times, line, ':')] : []),
          ...others.map((at) => line[at] ?? ''),
        ],
      ],
    };
  },
};

function placesOf(parts: readonly string[], names: readonly string[]): number[] | undefined {
  const places = parts.map((part) => names.indexOf(part));
  return places.includes(-1) ? undefined : places;
}

function areNumbers(places: readonly number[], row: readonly string[]): boolean {
  return places.every((at) => /^\d{1,4}$/.test(row[at] ?? ''));
}

function joined(places: readonly number[], line: readonly string[], mark: string): string {
  return places.map((at) => (line[at] ?? '').padStart(2, '0')).join(mark);
}
