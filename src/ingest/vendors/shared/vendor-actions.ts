import type { Dividend, Split } from '../../../base/bars.ts';
import { dayFromDate } from '../../../base/time/dates.ts';
import { splitFromRatio } from '../../files/splits.ts';
import { malformed } from '../../http/checked-response.ts';

export class VendorActions {
  readonly splits: Map<string, Split[]>;
  readonly dividends: Map<string, Dividend[]>;

  constructor(splits = new Map<string, Split[]>(), dividends = new Map<string, Dividend[]>()) {
    this.splits = splits;
    this.dividends = dividends;
  }

  /**
   * Adds a split; a ratio of 1 is none. @throws {MalformedInputError} the ratio is not positive.
   */
  addSplit(symbol: string, exDay: number, ratio: number, title: string): void {
    if (!(ratio > 0) || !Number.isFinite(ratio)) {
      throw malformed(title, `a split of "${symbol}" has the ratio ${ratio}`);
    }
    const splits = this.splits.get(symbol) ?? [];
    if (ratio === 1 || splits.some((split) => split.exDay === exDay)) return;
    this.splits.set(symbol, [...splits, { exDay, ...splitFromRatio(ratio) }]);
  }

  /** Adds an amount to the dividend of its day; zero and less is none. */
  addDividend(symbol: string, exDay: number, amount: number): void {
    if (!(amount > 0)) return;
    const dividends = this.dividends.get(symbol) ?? [];
    const sameDay = dividends.find((dividend) => dividend.exDay === exDay);
    if (sameDay) sameDay.amount += amount;
    else this.dividends.set(symbol, [...dividends, { exDay, amount }]);
  }

  /** Returns the splits and dividends of a symbol, oldest first. */
  of(symbol: string): { splits: Split[]; dividends: Dividend[] } {
    const byDay = (a: { exDay: number }, b: { exDay: number }) => a.exDay - b.exDay;
    return {
      splits: (this.splits.get(symbol) ?? []).toSorted(byDay),
      dividends: (this.dividends.get(symbol) ?? []).toSorted(byDay),
    };
  }
}

/** Reads a date. @throws {MalformedInputError} `text` is none; names the field. */
export function dayOfField(text: string, field: string, title: string): number {
  try {
    return dayFromDate(text.slice(0, 10));
  } catch (cause) {
    throw malformed(title, `${field}: "${text}" is not a date`, cause);
  }
}
