/** Finds classes of stock of which a company's figures per share are not proved to be. */

import { isCommonSymbol } from '../../../src/base/symbols/common-shares.ts';
import { dayFromMillis } from '../../../src/base/time/dates.ts';
import { isPriced } from '../../../src/compute/companies/company-facts.ts';
import type { KnownFigures } from '../../../src/compute/companies/company-history.ts';
import {
  CLASS_FIGURES,
  type ClassFigures,
  isOfFigures,
  type ShareClass,
} from '../../../src/compute/companies/share-classes.ts';
import { lastOf } from '../../../src/screens/run/in-steps.ts';
import type { CompanyFiguresReader } from '../../../src/store/arrow/figures/company-figures.ts';
import { NULL_INT } from '../../../src/store/arrow/format/batch-layout.ts';
import type { QuoteData } from '../../../src/store/arrow/snapshot/quote.ts';
import type { Listings } from '../../../src/store/arrow/snapshot/snapshot.ts';

interface Quoted {
  readonly quotes: QuoteData;
  number(symbol: string): number | undefined;
}

export class ShareClasses {
  readonly #quoted: Quoted;
  /** Symbols of each company of several classes, by each of them. */
  readonly #companies = new Map<string, readonly string[]>();

  constructor(listings: Listings, quoted: Quoted) {
    this.#quoted = quoted;
    for (const symbols of companiesOf(listings)) {
      if (symbols.length > 1) for (const symbol of symbols) this.#companies.set(symbol, symbols);
    }
  }

  /** Marks the figures of a class if they are not proved to be of it. */
  marked(symbol: string, history: readonly KnownFigures[]): readonly KnownFigures[] {
    const newest = history.at(-1)?.figures;
    if (!newest || this.#isOfFigures(symbol, newest)) return history;
    return history.map((one) => {
      const { adsRatio } = one.figures;
      return Number.isNaN(adsRatio) ? { ...one, figures: { ...one.figures, adsRatio: 0 } } : one;
    });
  }

  /** Returns symbols whose published figures are marked in another way than prices now prove. */
  changed(published: CompanyFiguresReader): string[] {
    const symbols = [...this.#companies.keys()].filter((symbol) => published.rowCount(symbol) > 0);
    const { figures } = lastOf(published.knownBy(symbols, Number.POSITIVE_INFINITY, CLASS_FIGURES));
    return symbols.filter((symbol, row) => {
      const own = Object.fromEntries(CLASS_FIGURES.map((name) => [name, figures[name][row]]));
      return (own.adsRatio === 0) === this.#isOfFigures(symbol, own as ClassFigures);
    });
  }

  #isOfFigures(symbol: string, figures: ClassFigures): boolean {
    const others = (this.#companies.get(symbol) ?? []).filter((other) => other !== symbol);
    return isOfFigures(
      figures,
      this.#classOf(symbol),
      others.map((other) => this.#classOf(other)),
    );
  }

  #classOf(symbol: string): ShareClass {
    const { quotes } = this.#quoted;
    const row = this.#quoted.number(symbol);
    if (row === undefined) return { symbol, price: Number.NaN, day: Number.NaN };
    const day = dayFromMillis(Number(quotes.timestamp[row]) / 1000);
    return { symbol, price: quotes.price[row], day };
  }
}

/**
 * Yields the symbols of each company's shares that are listed. A symbol of unknown type may be a note
 * or a share of another market, so it does not count beside known ones.
 */
function companiesOf({ symbol, type, cik, delistedOn }: Listings): Iterable<string[]> {
  const companies = new Map<string, string[]>();
  for (const [row, one] of symbol.entries()) {
    if (Number.isNaN(cik[row]) || delistedOn[row] !== NULL_INT) continue;
    // A receipt has its own rule.
    if (type[row] === 'adr' || !isPriced(type[row], 1) || !isCommonSymbol(one)) continue;
    const key = `${cik[row]} ${type[row] ? 'known' : ''}`;
    const known = companies.get(key);
    if (known) known.push(one);
    else companies.set(key, [one]);
  }
  return companies.values();
}
