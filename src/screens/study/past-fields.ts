/** Fields of companies at every day of a series, as they were known at the end of that day. */

import { MICROS_PER_DAY } from '../../base/bars.ts';
import { FIGURE_NAMES, type FigureName } from '../../base/companies/figures.ts';
import { isOwnField, type ScreenFieldName } from '../../base/fields.ts';
import { priceChange, priceChangePct } from '../../base/prices/price-change.ts';
import { basisAsOf } from '../../compute/bars/basis-as-of.ts';
import { factsFromFigures, isPriced } from '../../compute/companies/company-facts.ts';
import type { KnownFigures } from '../../compute/companies/company-history.ts';
import { companyOn, tickerOn } from '../../store/arrow/snapshot/current-symbols.ts';
import { listedRows } from '../../store/arrow/snapshot/directory-table.ts';
import type {
  Listings,
  ScreenerTable,
  Snapshot,
  SymbolInfo,
} from '../../store/arrow/snapshot/snapshot.ts';
import { endOfDayMs, pricedFigures } from '../run/as-of.ts';
import { type FIGURE_FIELDS, figureField, type RowFigures } from '../run/figure-fields.ts';
import { lastOf } from '../run/in-steps.ts';
import { ownFieldOfDays } from '../run/own-fields.ts';

/** A symbol's days with their closes and the closes before, each as of that day. */
export interface PricedDays {
  info: SymbolInfo;
  days: Int32Array;
  close: Float64Array;
  before: Float64Array;
}

/** Values by day; NaN and null are unknown. */
export interface FieldsOfDays {
  number(name: ScreenFieldName): Float64Array;
  text(name: ScreenFieldName): readonly (string | null)[];
}

const PRICED = {
  market_cap: 'marketCap',
  pe_ratio: 'peRatio',
  dividend_yield: 'dividendYield',
} as const satisfies Partial<Record<ScreenFieldName, string>>;

/** Texts of the directory, by field. */
const LISTED = {
  company_name: 'companyName',
  sector: 'sector',
  industry: 'industry',
  country: 'country',
  exchange: 'exchange',
  type: 'type',
} as const satisfies Partial<Record<ScreenFieldName, keyof Listings>>;

/** Texts that directories date. */
const DATED: Partial<Record<ScreenFieldName, 'companyName' | 'exchange'>> = {
  company_name: 'companyName',
  exchange: 'exchange',
};

/** Returns the fields of a symbol, each computed at its first use. */
export function fieldsOfDays(snapshot: Snapshot, priced: PricedDays): FieldsOfDays {
  const { info, days, close, before } = priced;
  const { listings } = snapshot;
  const listed = listedRows(listings).get(info.symbol);
  const type = listed === undefined ? null : listings.type[listed] || null;
  let made: RowFigures | undefined;
  const figures = () => {
    made ??= figuresOfDays(priced, snapshot.figures.history(info.symbol), type);
    return made;
  };
  return {
    number(name) {
      if (name === 'price') return close;
      if (name === 'listed_days') return Float64Array.from(days.keys(), (row) => row + 1);
      if (isOwnField(name)) return ownFieldOfDays(snapshot, info.symbol, name, days);
      if (name === 'change_pct') {
        return close.map((price, row) =>
          priceChangePct(priceChange(price, before[row]), before[row]),
        );
      }
      if (name in PRICED)
        return figures().columns[PRICED[name as keyof typeof PRICED]] as Float64Array;
      return lastOf(figureField(name as keyof typeof FIGURE_FIELDS, figures()));
    },
    text(name) {
      if (listed === undefined)
        return new Array<string | null>(days.length).fill(name === 'symbol' ? info.symbol : null);
      if (name === 'symbol') return Array.from(days, (day) => tickerOn(listings, listed, day));
      const dated = DATED[name];
      if (dated && listings.formerNames[listed] !== '') {
        return Array.from(days, (day) => companyOn(listings, listed, day)[dated]);
      }
      const text = listings[LISTED[name as keyof typeof LISTED]][listed] || null;
      return new Array<string | null>(days.length).fill(text as string | null);
    },
  };
}

/** Expands figures that are known from a moment on to the days up to the next ones. */
function figuresOfDays(
  { info, days, close }: PricedDays,
  history: readonly KnownFigures[],
  type: string | null,
): RowFigures {
  const blank = () => new Float64Array(days.length).fill(Number.NaN);
  const knownMs = blank();
  /** By day, the figures that were known. */
  const knownOn: (KnownFigures | undefined)[] = [];
  const columns = { marketCap: blank(), peRatio: blank(), dividendYield: blank() };
  const lastBarDay = Number(info.lastBarUs / MICROS_PER_DAY);
  let next = 0;
  for (const [row, day] of days.entries()) {
    const endMs = endOfDayMs(day);
    while (next < history.length && history[next].knownMs <= endMs) next++;
    const newest = history[next - 1];
    const known = newest && isPriced(type, newest.figures.adsRatio) ? newest : undefined;
    knownOn.push(known);
    if (known) knownMs[row] = known.knownMs;
    if (!basisAsOf({ ...info, lastBarDay }, day).isOfDay) continue;
    const facts = known ? factsFromFigures(known.figures) : undefined;
    const priced = pricedFigures({ info, day, price: close[row] }, facts);
    columns.marketCap[row] = priced.marketCap;
    columns.peRatio[row] = priced.peRatio;
    columns.dividendYield[row] = priced.dividendYield;
  }
  return {
    knownMs,
    figures: figuresByName((name) =>
      Float64Array.from(knownOn, (known) => known?.figures[name] ?? Number.NaN),
    ),
    splits: new Array(days.length).fill(info.splits),
    columns: { ...columns, lastBarDay: days } as unknown as ScreenerTable['columns'],
    newestDays: days,
  };
}

/** Makes each figure at its first use: an expression reads few of them. */
function figuresByName(make: (name: FigureName) => Float64Array): Record<FigureName, Float64Array> {
  const figures = {} as Record<FigureName, Float64Array>;
  for (const name of FIGURE_NAMES) {
    let made: Float64Array | undefined;
    Object.defineProperty(figures, name, {
      get() {
        made ??= make(name);
        return made;
      },
    });
  }
  return figures;
}
