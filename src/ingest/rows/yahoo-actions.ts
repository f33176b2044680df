/**
 * Dividends of yfinance's `actions`, a table of `Dividends` and `Stock Splits`: Yahoo divides each by
 * the splits after it, and records hold the cash as declared.
 */

import { MalformedInputError } from '../../base/errors.ts';
import { splitFromText } from '../values/split-text.ts';
import type { Fields } from './text-rows.ts';

interface Place {
  symbol: string;
  /** ISO date. */
  date: string;
}

/** Ratios of splits by which dividends before them were divided, by symbol. */
export type LaterSplits = ReadonlyMap<string, readonly { date: string; ratio: number }[]>;

/** True for the two columns that only Yahoo's tables have, in a table without types. */
export function isOfYahoo(fields: Fields): boolean {
  return ['dividends', 'stocksplits'].every((key) => fields.has(key)) && !fields.has('type');
}

/** Columns of yfinance's `ticker.dividends` and of Yahoo's page, with a ticker or not. */
const OF_DIVIDENDS: ReadonlySet<string> = new Set([
  ...['', 'date', 'dividends', 'symbol', 'ticker', 'capitalgains'],
]);

/**
 * @param keys Columns of the file as `columnKey` gives them.
 * @throws {MalformedInputError} they are Yahoo's for dividends, without the splits by which it
 *   divides them. Splits of other files and of later loads may be among these.
 */
export function refuseDividendsAlone(keys: readonly string[]): void {
  const isAlone = ['date', 'dividends'].every((key) => keys.includes(key));
  if (!isAlone || !keys.every((key) => OF_DIVIDENDS.has(key))) return;
  throw new MalformedInputError(
    'its columns are Yahoo\'s for dividends alone, which Yahoo divides by the splits after them: load yfinance\'s ticker.actions, with the column "Stock Splits", or name the column "amount" if it is the cash as declared',
  );
}

/** Returns no splits where the dividends on both sides of them show the cash as declared. */
export async function yahooSplits(
  rows: AsyncIterable<Fields>,
  placeOf: (fields: Fields) => Place,
): Promise<LaterSplits> {
  const splits: (Place & { ratio: number })[] = [];
  const paid: (Place & { amount: number })[] = [];
  for await (const fields of rows) {
    if (!isOfYahoo(fields)) break;
    const shares = splitFromText(fields.get('stocksplits')?.trim() ?? '');
    const amount = Number(fields.get('dividends'));
    const place = placeOf(fields);
    if (shares && shares.numerator !== shares.denominator) {
      splits.push({ ...place, ratio: shares.numerator / shares.denominator });
    }
    if (amount > 0) paid.push({ ...place, amount });
  }
  paid.sort((a, b) => (a.date < b.date ? -1 : 1));
  // A dividend stays near the one before it, or falls by the ratio where both are as declared. After
  // a special dividend it falls by more.
  const bySymbol = Map.groupBy(paid, ({ symbol }) => symbol);
  const votes = splits.map(({ symbol, date, ratio }) => {
    const own = bySymbol.get(symbol) ?? [];
    const before = own.findLast((one) => one.date < date);
    const after = own.find((one) => one.date >= date);
    if (before === undefined || after === undefined) return 0;
    const [fall, step] = [before.amount / after.amount, ratio].map(Math.log);
    const gap = Math.abs(fall - step);
    if (gap >= Math.abs(fall)) return -1;
    return gap < Math.abs(step) ? 1 : 0;
  });
  const areDeclared = votes.reduce<number>((sum, vote) => sum + vote, 0) > 0;
  return Map.groupBy(areDeclared ? [] : splits, ({ symbol }) => symbol);
}

/** Returns a dividend as it was declared, without the rounding of the product. */
export function declaredAmount(amount: string, place: Place, splits: LaterSplits): string {
  const later = (splits.get(place.symbol) ?? []).filter(({ date }) => date > place.date);
  if (later.length === 0 || !(Number(amount) > 0)) return amount;
  const factor = later.reduce((product, { ratio }) => product * ratio, 1);
  return String(Number((Number(amount) * factor).toPrecision(9)));
}
