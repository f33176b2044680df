/** The symbols of the next version while a publish makes it: their numbers, facts and quotes. */

import { isDeepStrictEqual } from 'node:util';
import type { Split } from '../../src/base/bars.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import { copyOfQuotes, type QuoteData, setQuote } from '../../src/store/arrow/snapshot/quote.ts';
import type { Quote } from '../../src/store/arrow/snapshot/snapshot.ts';
import type { SymbolFacts } from '../../src/store/arrow/snapshot/symbol-directory.ts';

/** Stands for a symbol that was removed: its number stays taken until the next full fold. */
export const GAP: SymbolFacts = {
  symbol: '',
  source: '',
  basis: 'raw',
  asOfUs: undefined,
  splits: [],
  dividends: [],
  actionCoverage: undefined,
};

export class NextSymbols {
  readonly #published: PublishedVersion;
  /** By number, where they differ from what is published. */
  readonly #changed = new Map<number, SymbolFacts>();
  /** Of symbols that are new or were removed. */
  readonly #newNumbers = new Map<string, number | undefined>();
  #count: number;
  #quotes: QuoteData;

  constructor(published: PublishedVersion) {
    this.#published = published;
    this.#count = published.directory.names.length;
    this.#quotes = copyOfQuotes(published.quotes, this.#count);
  }

  get count(): number {
    return this.#count;
  }

  /** All by number; an object that is replaced when symbols are added. */
  get quotes(): QuoteData {
    return this.#quotes;
  }

  /** By number; undefined where all are as published. */
  facts(): SymbolFacts[] | undefined {
    if (this.#changed.size === 0) return undefined;
    const { directory } = this.#published;
    return Array.from({ length: this.#count }, (_, number) => {
      const name = directory.names[number];
      return this.#changed.get(number) ?? (name ? directory.facts(name) : GAP);
    });
  }

  /** What is known of a symbol; undefined for an unknown one and one that was removed. */
  factsOf(symbol: string): SymbolFacts | undefined {
    const number = this.number(symbol);
    if (number === undefined) return undefined;
    return this.#changed.get(number) ?? this.#published.directory.facts(symbol);
  }

  /** What is known of a symbol whose splits and dividends are known for some days. */
  coveredFacts(number: number): SymbolFacts | undefined {
    const changed = this.#changed.get(number);
    if (changed) return changed.actionCoverage && changed;
    const { directory } = this.#published;
    return directory.hasCoverage(number) ? directory.facts(directory.names[number]) : undefined;
  }

  /** Known splits of a symbol. */
  splits(symbol: string): readonly Split[] {
    const number = this.number(symbol);
    const changed = number === undefined ? undefined : this.#changed.get(number);
    return changed ? changed.splits : this.#published.directory.splits(symbol);
  }

  /** A symbol's number; undefined for an unknown one. */
  number(symbol: string): number | undefined {
    return this.#newNumbers.has(symbol)
      ? this.#newNumbers.get(symbol)
      : this.#published.directory.number(symbol);
  }

  /** Takes what is known of a symbol. @returns its number, a new one where it had none. */
  set(facts: SymbolFacts): number {
    const { directory } = this.#published;
    const known = this.number(facts.symbol);
    const number = known ?? this.#add(facts.symbol);
    const isSame =
      known !== undefined &&
      !this.#changed.has(number) &&
      isDeepStrictEqual(directory.facts(facts.symbol), facts);
    if (!isSame) this.#changed.set(number, facts);
    return number;
  }

  /** The symbol is not in the next version, or comes back under another number. */
  remove(symbol: string): void {
    const number = this.number(symbol);
    if (number === undefined) return;
    this.#changed.set(number, GAP);
    this.#newNumbers.set(symbol, undefined);
    setQuote(this.#quotes, number, undefined);
  }

  setQuote(number: number, quote: Quote | undefined): void {
    setQuote(this.#quotes, number, quote);
  }

  #add(symbol: string): number {
    const number = this.#count++;
    this.#newNumbers.set(symbol, number);
    this.#quotes = copyOfQuotes(this.#quotes, this.#count);
    return number;
  }
}
