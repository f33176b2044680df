import type { Dividend, Split } from '../../../base/bars.ts';
import { type Money, moneyFrom } from '../../../base/datasets/currency.ts';
import { dateFromDay, dayFromDate } from '../../../base/time/dates.ts';
import type { SymbolActions } from '../../../store/duckdb/connection/candle-segment.ts';
import { malformed } from '../../http/checked-response.ts';
import { splitOfShares } from '../../values/split-ratio.ts';
import type { DayRange } from './vendor-days.ts';

/** A dividend as a vendor lists it. */
export interface ListedDividend {
  exDay: number;
  amount: number;
  currency?: string | null | undefined;
  id?: string | number | null | undefined;
  /**
   * Facts besides day and amount, such as dates and the kind, in one order for a vendor. Records of
   * one day and amount are the same unless both state a fact and state it differently.
   */
  facts?: readonly unknown[];
}

type DividendRecord = Omit<ListedDividend, 'amount' | 'currency'> & Money;

/** Splits and dividends that a vendor states of a symbol between two days. */
export type VendorStatement = Omit<SymbolActions, 'symbol'> & { notes: readonly string[] };

/** Splits and dividends by the vendor's symbol; a record that is listed twice counts once. */
export class VendorActions {
  /** Ratios of one day differ where the vendor contradicts itself. */
  readonly splits: Map<string, Split[]>;
  readonly dividends: Map<string, Dividend[]>;
  readonly #records = new Map<string, DividendRecord[]>();

  constructor(splits = new Map<string, Split[]>(), dividends = new Map<string, Dividend[]>()) {
    this.splits = splits;
    this.dividends = dividends;
  }

  /**
   * Adds a split as stated: new shares, and the old ones that they are given for. As many of both
   * are none. @throws {MalformedInputError} the ratio is not positive.
   */
  addSplit(
    symbol: string,
    exDay: number,
    [newShares, oldShares]: readonly [number, number],
    title: string,
  ): void {
    const ratio = newShares / oldShares;
    if (!(ratio > 0) || !Number.isFinite(ratio)) {
      throw malformed(title, `a split of "${symbol}" has the ratio ${ratio}`);
    }
    const added = { exDay, ...splitOfShares(newShares, oldShares) };
    const splits = this.splits.get(symbol) ?? [];
    if (ratio === 1 || splits.some((split) => isSameSplit(split, added))) return;
    this.splits.set(symbol, [...splits, added]);
  }

  /**
   * Adds an amount to the dividend of its day and currency; zero and less is none. An amount in no
   * known currency is listed, as those in foreign ones are, and changes no price.
   */
  addDividend(symbol: string, { amount, currency, ...listed }: ListedDividend): void {
    if (!(amount > 0)) return;
    const money = moneyFrom(amount, currency) ?? { amount, currency: NO_CURRENCY };
    const record = { ...listed, ...money };
    const others = (this.#records.get(symbol) ?? []).filter((one) => !isSameRecord(one, record));
    const records = [...others, record];
    this.#records.set(symbol, records);
    this.dividends.set(symbol, sumsOfDays(records));
  }

  /** Returns the splits and dividends of a symbol, oldest first. */
  of(symbol: string): { splits: Split[]; dividends: Dividend[] } {
    const byDay = (a: { exDay: number }, b: { exDay: number }) => a.exDay - b.exDay;
    return {
      splits: (this.splits.get(symbol) ?? []).toSorted(byDay),
      dividends: (this.dividends.get(symbol) ?? []).toSorted(byDay),
    };
  }

  /**
   * Returns the record of a symbol. Of two splits on a day neither is taken: the record begins
   * after them, so that no price is adjusted across that day but by earlier records.
   */
  statement(symbol: string, { fromDay, toDay }: DayRange): VendorStatement {
    const { splits, dividends } = this.of(symbol);
    const isCovered = ({ exDay }: Split) => exDay >= fromDay && exDay <= toDay;
    const doubted = contradiction(splits.filter(isCovered));
    if (!doubted) {
      const coverage = { coverageFromDay: fromDay, coverageToDay: toDay };
      return { splits, dividends, ...coverage, notes: currencyNotes(dividends) };
    }
    const [{ exDay }] = doubted;
    const isLater = (action: { exDay: number }) => action.exDay > exDay;
    const ratios = doubted.map(({ numerator, denominator }) => `${numerator}:${denominator}`);
    return {
      splits: splits.filter(isLater),
      dividends: dividends.filter(isLater),
      coverageFromDay: exDay + 1,
      coverageToDay: toDay,
      notes: [
        `it has two splits on ${dateFromDay(exDay)}, ${ratios.join(' and ')}, so neither is ` +
          'read: prices before it are adjusted only by what an earlier load states. State the ' +
          'right one in a file (backfill files corporate-actions)',
      ],
    };
  }
}

/** ISO 4217's code for none. */
const NO_CURRENCY = 'XXX';

/** Names the dividends whose currency could not be read. */
function currencyNotes(dividends: readonly Dividend[]): string[] {
  const unread = dividends.filter(({ currency }) => currency === NO_CURRENCY);
  if (unread.length === 0) return [];
  const days = unread.map(({ exDay }) => dateFromDay(exDay)).join(', ');
  return [
    `it has dividends in no known currency (${days}), which are listed and not used: state them ` +
      'in a file (backfill files corporate-actions)',
  ];
}

function isSameSplit(a: Split, b: Split): boolean {
  return a.exDay === b.exDay && a.numerator === b.numerator && a.denominator === b.denominator;
}

/** Returns the newest splits of one day, if any day has several. */
function contradiction(splits: readonly Split[]): Split[] | undefined {
  return [...Map.groupBy(splits, ({ exDay }) => exDay).values()].findLast(
    ({ length }) => length > 1,
  );
}

function isSameRecord(a: DividendRecord, b: DividendRecord): boolean {
  if (a.id && a.id === b.id) return true;
  if (a.exDay !== b.exDay || a.amount !== b.amount || a.currency !== b.currency) return false;
  return (a.facts ?? []).every((fact, i) => {
    const other = b.facts?.[i];
    return (fact ?? other) === (other ?? fact);
  });
}

function sumsOfDays(records: readonly DividendRecord[]): Dividend[] {
  const byDay = Map.groupBy(records, ({ exDay, currency }) => `${exDay} ${currency}`);
  return [...byDay.values()].map((paid) => {
    const [{ exDay, currency }] = paid;
    const amount = paid.reduce((sum, one) => sum + one.amount, 0);
    return { exDay, amount, ...(currency !== undefined && { currency }) };
  });
}

/** Reads a date. @throws {MalformedInputError} `text` is none; names the field. */
export function dayOfField(text: string, field: string, title: string): number {
  try {
    return dayFromDate(text.slice(0, 10));
  } catch (cause) {
    throw malformed(title, `${field}: "${text}" is not a date`, cause);
  }
}
