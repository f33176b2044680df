/**
 * Splits and dividends of LEAN's factor files: no header, and on each line a day, the factor of
 * prices, the factor of splits and the close of the day. A line holds for all days up to its own.
 */

import type { DatasetRow } from '../../base/datasets/dataset.ts';
import { nextSession } from '../../base/time/calendar.ts';
import { dayFromDate } from '../../base/time/dates.ts';
import { fileLines } from '../inputs/file-lines.ts';
import { symbolFromFileName } from '../names/file-name.ts';
import { splitFromRatio } from '../values/split-ratio.ts';
import type { UncheckedRow } from './stage-rows.ts';

const LINE = /^(\d{4})(\d\d)(\d\d),(\d*\.?\d+),(\d*\.?\d+),(\d*\.?\d+)\r?$/;

/** Digits of a ratio, and decimals of a dividend, that factors of LEAN and of our export tell. */
const FEW = { digits: 5, places: 4 };
const MANY = { digits: 10, places: 6 };
/** Characters of a factor beyond LEAN's own. */
const LENGTH_MIN = 11;

/** Returns true if the first line of a text is that of a factor file. */
export function areLeanFactors(head: string): boolean {
  const end = head.indexOf('\n');
  return LINE.test(end === -1 ? head : head.slice(0, end));
}

interface Factors {
  line: number;
  text: string;
  day: number;
  price: number;
  split: number;
  close: number;
  accuracy: typeof FEW;
}

/**
 * Reads the actions between one line and the next. Their day is the session after the line's.
 * @throws {ParameterError} the name of the file is no ticker.
 */
export async function* leanActions(path: string, name: string): AsyncGenerator<UncheckedRow> {
  const symbol = symbolFromFileName(name);
  let before: Factors | undefined;
  let line = 0;
  for await (const text of fileLines(path)) {
    line++;
    const [, year, month, date, price, split, close] = LINE.exec(text) ?? [];
    if (close === undefined) {
      yield { line, text, reason: 'line is not one of a factor file', readable: { symbol } };
      continue;
    }
    const factors: Factors = {
      ...{ line, text, price: Number(price), split: Number(split), close: Number(close) },
      day: dayFromDate(`${year}-${month}-${date}`),
      accuracy: Math.max(price.length, split.length) < LENGTH_MIN ? FEW : MANY,
    };
    if (before) for (const row of actionsBetween(before, factors)) yield rowOf(symbol, before, row);
    before = factors;
  }
}

function rowOf(symbol: string, { line, text, day }: Factors, row: DatasetRow): UncheckedRow {
  return { line, text, row: { symbol, exDate: nextSession(day), currency: null, ...row } };
}

function actionsBetween(before: Factors, after: Factors): DatasetRow[] {
  const rows: DatasetRow[] = [];
  const { digits, places } = before.accuracy;
  const ratio = after.split / before.split;
  if (ratio !== 1) {
    // 1 ÷ 0.142857 is a split of 7:1.
    const shares = splitFromRatio(Number(ratio.toPrecision(digits)));
    rows.push({ type: 'split', ...shares, amount: null });
  }
  const amount = ((1 - before.price / after.price) * before.close) / ratio;
  const rounded = Number(amount.toFixed(places));
  if (rounded !== 0) {
    rows.push({ type: 'dividend', numerator: null, denominator: null, amount: rounded });
  }
  return rows;
}
