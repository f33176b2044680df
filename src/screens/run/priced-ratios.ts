/** Ratios of a company at a price of a security, and the reasons of those that are null. */

import { RATIOS, ratioField } from '../../base/companies/ratios.ts';
import { isPriced } from '../../compute/companies/company-facts.ts';
import type { KnownFigures } from '../../compute/companies/company-history.ts';
import { explainedRatios } from '../../compute/companies/explain-ratios.ts';
import { ratioInputs, ratioValues } from '../../compute/companies/ratio-values.ts';
import { listedRows } from '../../store/arrow/snapshot/directory-table.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { type DatedPrice, newestPrice, pastPrice } from './past-price.ts';

export interface PricedRatios {
  dated: DatedPrice | undefined;
  /** By name, with the price and the capitalization; NaN is unknown. */
  values: Readonly<Record<string, number>>;
  explained: () => ReturnType<typeof explainedRatios>;
}

/** @param day Day of the price; undefined for the newest one. */
export function pricedRatios(
  snapshot: Snapshot,
  symbol: string,
  { figures, knownMs }: KnownFigures,
  day: number | undefined,
): PricedRatios {
  const { listings } = snapshot;
  const type = listings.type[listedRows(listings).get(symbol) ?? -1] ?? null;
  const isOfShares = isPriced(type, figures.adsRatio);
  const priceOf = () =>
    day === undefined ? newestPrice(snapshot, symbol) : pastPrice(snapshot, symbol, day);
  const dated = isOfShares ? priceOf() : undefined;
  const price = dated?.price ?? Number.NaN;
  const splits = snapshot.symbol(symbol)?.splits ?? [];
  const priceDay = dated?.day ?? figures.periodDay;
  const values = { price, ...ratioValues(figures, splits, price, priceDay) };
  const explained = () =>
    explainedRatios(values, ratioInputs(figures, splits, price, priceDay), {
      figures,
      isPriced: isOfShares,
      filedAt: new Date(knownMs).toISOString(),
    });
  return { dated, values, explained };
}

/** Ratios by the names that rows and screens give them. */
const RATIO_OF: ReadonlyMap<string, string> = new Map([
  ...RATIOS.map(({ name }) => [ratioField(name), name] as const),
  ...(['marketCap', 'market_cap'] as const).map((name) => [name, 'marketCap'] as const),
  ...(['peRatio', 'pe_ratio'] as const).map((name) => [name, 'pe'] as const),
  ['price_to_sales', 'ps'],
  ['price_to_book', 'pb'],
  ['enterprise_value', 'enterpriseValue'],
]);

const NO_FILINGS = 'no filing of the company is known';

/** `dividendYield` returns null for these alone. */
const NO_DIVIDENDS =
  'not all dividends of the year up to the price are known in its currency: load its corporate ' +
  'actions, or statements of four quarters that declare them';

/** Moment of the figures that count. */
interface Moment {
  knownByMs: number;
  /** Day of the price; undefined for the newest one. */
  day: number | undefined;
}

/** Returns the reasons of fields that are null, those of companies' figures alone, by name. */
export function ratioReasons(
  snapshot: Snapshot,
  symbol: string,
  fields: Iterable<string>,
  { knownByMs, day }: Moment = { knownByMs: Number.POSITIVE_INFINITY, day: undefined },
): Record<string, string> {
  const all = new Set(fields);
  const names = ['dividend_yield', 'dividendYield'].filter((name) => all.has(name));
  const paid = Object.fromEntries(names.map((name) => [name, NO_DIVIDENDS]));
  const asked = [...all].filter((name) => RATIO_OF.has(name));
  if (asked.length === 0) return paid;
  const history = snapshot.figures.history(symbol);
  const known = history.findLast(({ knownMs }) => knownMs <= knownByMs);
  const figures = known && pricedRatios(snapshot, symbol, known, day).explained().figures;
  const reasons = asked.map((name) => [name, figures?.[RATIO_OF.get(name)!].reason ?? NO_FILINGS]);
  return { ...Object.fromEntries(reasons), ...paid };
}
