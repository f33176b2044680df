/** Symbols of the version that a publish is making: numbers, facts and quotes. */

import { isDeepStrictEqual } from 'node:util';
import type { Split } from '../../src/base/bars.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import {
  copyOfQuotes,
  type QuoteData,
  quoteColumns,
  setQuote,
} from '../../src/store/arrow/snapshot/quote.ts';
import type { Quote } from '../../src/store/arrow/snapshot/snapshot.ts';
import type { SymbolFacts } from '../../src/store/arrow/snapshot/symbol-directory.ts';

/** Placeholder for a removed symbol: its number stays taken until the next full compaction. */
const GAP: SymbolFacts = {
  symbol: '',
  source: '',
  basis: 'raw',
  asOfUs: undefined,
  splits: [],
  dividends: [],
  actionCoverage: undefined,
};

export class NextSymbols {
  readonly #published: PublishedVersion | undefined;
  /** Facts by number that differ from the published ones. */
  readonly #changed = new Map<number, SymbolFacts>();
  /** Numbers of new symbols; undefined for removed ones. */
  readonly #newNumbers = new Map<string, number | undefined>();
  #count: number;
  #quotes: QuoteData;

  /** @param published Version whose symbols keep their numbers; undefined = all are new. */
  constructor(published: PublishedVersion | undefined) {
    this.#published = published;
    this.#count = published?.directory.names.length ?? 0;
    this.#quotes = published ? copyOfQuotes(published.quotes, this.#count) : quoteColumns([]);
  }

  get count(): number {
    return this.#count;
  }

  /** All quotes by number. Adding a symbol replaces the object. */
  get quotes(): QuoteData {
    if (this.#quotes.price.length > this.#count) {
      this.#quotes = copyOfQuotes(this.#quotes, this.#count);
    }
    return this.#quotes;
  }

  /** Returns all facts by number; undefined if they are as published. */
  facts(): SymbolFacts[] | undefined {
    const directory = this.#published?.directory;
    if (directory && this.#changed.size === 0) return undefined;
    return Array.from({ length: this.#count }, (_, number) => {
      const name = directory?.names[number];
      return this.#changed.get(number) ?? (name ? directory!.facts(name) : GAP);
    });
  }

  factsOf(symbol: string): SymbolFacts | undefined {
    const number = this.number(symbol);
    if (number === undefined) return undefined;
    return this.#changed.get(number) ?? this.#published?.directory.facts(symbol);
  }

  /** Returns the facts of a symbol; undefined if its splits and dividends are not known at all. */
  coveredFacts(number: number): SymbolFacts | undefined {
    const changed = this.#changed.get(number);
    if (changed) return changed.actionCoverage && changed;
    const directory = this.#published?.directory;
    return directory?.hasCoverage(number) ? directory.facts(directory.names[number]) : undefined;
  }

  /** Returns the known splits of a symbol. */
  splits(symbol: string): readonly Split[] {
    const number = this.number(symbol);
    const changed = number === undefined ? undefined : this.#changed.get(number);
    return changed?.splits ?? this.#published?.directory.splits(symbol) ?? [];
  }

  number(symbol: string): number | undefined {
    return this.#newNumbers.has(symbol)
      ? this.#newNumbers.get(symbol)
      : this.#published?.directory.number(symbol);
  }

  /** Records the facts of a symbol. @returns its number, a new one for a new symbol. */
  set(facts: SymbolFacts): number {
    const known = this.number(facts.symbol);
    const number = known ?? this.#add(facts.symbol);
    const isSame =
      known !== undefined &&
      !this.#changed.has(number) &&
      isDeepStrictEqual(this.#published?.directory.facts(facts.symbol), facts);
    if (!isSame) this.#changed.set(number, facts);
    return number;
  }

  /** Removes a symbol. If it comes back, it gets another number. */
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
    if (number >= this.#quotes.price.length) {
      this.#quotes = copyOfQuotes(this.#quotes, 2 * this.#count);
    }
    return number;
  }
}
