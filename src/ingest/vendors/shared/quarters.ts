/** Quarters of a year, by which the SEC publishes its data sets. Pure. */

import { ParameterError } from '../../../base/errors.ts';
import { quoted } from '../../../base/quoted.ts';
import { dateFromDay, dayFromDate } from '../../../base/time/dates.ts';

export interface Quarter {
  /** `2025q1`. */
  name: string;
  /** Folder of its daily indexes: `2025/QTR1`. */
  folder: string;
  firstDay: number;
  lastDay: number;
}

/** Quarters that contain any of the days, both ends included. */
export function quartersBetween(fromDay: number, toDay: number): Quarter[] {
  const quarters: Quarter[] = [];
  let day = fromDay;
  while (day <= toDay) {
    const quarter = quarterOf(day);
    quarters.push(quarter);
    day = quarter.lastDay + 1;
  }
  return quarters;
}

function quarterOf(day: number): Quarter {
  const [year, month] = dateFromDay(day).split('-').map(Number);
  const number = Math.floor((month - 1) / 3) + 1;
  const firstOf = (months: number) => {
    const start = new Date(Date.UTC(year, months, 1)).toISOString();
    return dayFromDate(start.slice(0, 10));
  };
  const firstDay = firstOf(3 * number - 3);
  const lastDay = firstOf(3 * number) - 1;
  return { name: `${year}q${number}`, folder: `${year}/QTR${number}`, firstDay, lastDay };
}

const NAME = '(\\d{4})q([1-4])';
const RANGE = new RegExp(`^${NAME}(?:(\\.\\.)(?:${NAME})?)?$`);

/**
 * Reads quarters as `2024q1`, `2009q2..2024q1` or `2009q2..`, which ends with the last quarter
 * that is over.
 * @throws {ParameterError} `statements`: it is none of these.
 */
export function quartersFromText(text: string, today: number): Quarter[] {
  const parts = RANGE.exec(text);
  const [first, last] = [parts?.slice(1, 3), parts?.slice(4, 6)].map((named) =>
    named?.[0] === undefined ? undefined : quarterOf(dayFromDate(dateOf(named[0], named[1]))),
  );
  if (!first) throw malformed(text);
  const over = quarterOf(quarterOf(today).firstDay - 1);
  const end = last ?? (parts?.[3] === undefined ? first : over);
  if (end.lastDay < first.lastDay || end.lastDay > over.lastDay) {
    throw new ParameterError(
      'statements',
      `--statements must be quarters that are over, first to last, got ${quoted(text)}; the last one is ${over.name}`,
    );
  }
  return quartersBetween(first.firstDay, end.lastDay);
}

function dateOf(year: string, quarter: string): string {
  return `${year}-${String(3 * Number(quarter) - 2).padStart(2, '0')}-01`;
}

function malformed(text: string): ParameterError {
  return new ParameterError(
    'statements',
    `--statements must be quarters like 2024q1, 2009q2..2024q1 or 2009q2.., got ${quoted(text)}`,
  );
}
