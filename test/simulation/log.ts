/**
 * Changes that were accepted for one data folder, and their fold in plain code. A log stands for the
 * store, whose own file the simulation leaves out.
 */

import { isDeepStrictEqual } from 'node:util';
import type { BarColumns } from '../../src/base/bars.ts';
import { STORED_NUMBERS } from '../../src/base/fields.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import type { Quote } from '../../src/store/arrow/snapshot/snapshot.ts';
import type { SeriesRows } from '../../src/store/arrow/write/volume-writer.ts';
import { factsRow, quoteRow } from '../store/arrow/support/published-rows.ts';
import { Random } from './random.ts';

/** Ten days before the year that is written again by most compactions. */
const FIRST_DAY = 20_079;
const FIRST_ROWS = 20;
export const SYMBOLS = ['A0', 'A1', 'A2', 'A3'];
export const INDICATORS = ['double'];

interface Accepted {
  symbol: number;
  /** Row that is corrected; the next one is appended. */
  row: number;
  close: number;
}

/** Content that a version must have of a symbol. */
interface Expected extends Pick<SeriesRows, 'bars' | 'indicators'> {
  facts: Record<string, unknown>;
  quote: Record<string, number | null>;
}

/** Versions that readers of a night look at in turn. */
const EXPECTED_MAX = 4;

export class Log {
  /** Number before the first one, so that two logs are never mixed up. */
  readonly first: number;
  readonly #random: Random;
  readonly #accepted: Accepted[] = [];
  readonly #rows = SYMBOLS.map(() => 0);
  readonly #expected = new Map<number, Expected[]>();

  constructor(first: number, seed: number) {
    this.first = first;
    this.#random = new Random(seed, `log ${first}`);
    for (let i = 0; i < FIRST_ROWS * SYMBOLS.length; i++) this.#add(i % SYMBOLS.length, false);
  }

  /** Number of the newest accepted one. */
  get seq(): number {
    return this.first + this.#accepted.length;
  }

  /** Accepts one to three changes. */
  accept(): void {
    for (let i = this.#random.below(3); i >= 0; i--) {
      this.#add(this.#random.below(SYMBOLS.length), this.#random.next() < 0.2);
    }
  }

  #add(symbol: number, isCorrection: boolean): void {
    const row = isCorrection ? this.#random.below(this.#rows[symbol]) : this.#rows[symbol]++;
    this.#accepted.push({ symbol, row, close: 1 + this.#random.below(1_000_000) / 100 });
  }

  /** Returns the closes of each symbol once all up to a number are applied. */
  fold(seq: number): number[][] {
    const closes: number[][] = SYMBOLS.map(() => []);
    for (const { symbol, row, close } of this.#accepted.slice(0, seq - this.first)) {
      closes[symbol][row] = close;
    }
    return closes;
  }

  /** Returns what is served of each symbol up to a number; many readers compare the newest. */
  expected(seq: number): readonly Expected[] {
    const known = this.#expected.get(seq);
    if (known) return known;
    const closes = this.fold(seq);
    const quotes = quotesOf(closes, seq);
    const made = SYMBOLS.map((symbol, number) => {
      const { splits: _, dividends: __, ...facts } = factsOf(symbol);
      const { bars, indicators } = rowsOf(closes[number]);
      return { bars, indicators, facts, quote: quotes[number] as unknown as Expected['quote'] };
    });
    const [oldest] = this.#expected.keys();
    if (this.#expected.size === EXPECTED_MAX) this.#expected.delete(oldest);
    this.#expected.set(seq, made);
    return made;
  }

  /** Returns for each symbol the lowest row that changed after a number. */
  changedSince(seq: number): Map<number, number> {
    const first = new Map<number, number>();
    for (const { symbol, row } of this.#accepted.slice(seq - this.first)) {
      first.set(symbol, Math.min(row, first.get(symbol) ?? row));
    }
    return first;
  }
}

/** Returns rows [start, end) of a series as they are published. */
export function rowsOf(closes: readonly number[], start = 0): SeriesRows {
  const kept = closes.slice(start);
  const column = (factor: number) => Float64Array.from(kept, (close) => close * factor);
  const timestampUs = BigInt64Array.from(
    kept,
    (_, i) => BigInt(FIRST_DAY + start + i) * 86_400_000_000n,
  );
  const bars: BarColumns = {
    timestampUs,
    open: column(1),
    high: column(1.5),
    low: column(0.5),
    close: column(1),
    volume: column(100),
  };
  return { firstRow: start, bars, indicators: [column(2)] };
}

/** Returns the facts of a symbol as they are published. */
export function factsOf(symbol: string) {
  return factsRow(symbol, { asOfUs: BigInt(symbol.charCodeAt(1)) });
}

/** Returns the quotes as they are published. The volume of each tells its version. */
export function quotesOf(closes: readonly number[][], seq: number): Quote[] {
  return SYMBOLS.map((symbol, number) => quoteRow(symbol, closes[number].at(-1)!, { volume: seq }));
}

/** Returns the names of the parts of a version in which a number is not that of the fold. */
export function differences(version: PublishedVersion, log: Log): string[] {
  const expected = log.expected(version.manifest.seq);
  return SYMBOLS.flatMap((symbol, number) => {
    const { bars, indicators, facts, quote } = expected[number];
    const served = version.directory.facts(symbol);
    const isSame = {
      bars: isDeepStrictEqual(version.bars(symbol, '1d'), bars),
      indicators: isDeepStrictEqual(version.indicators(symbol, '1d', INDICATORS), indicators),
      quote: STORED_NUMBERS.every((name) =>
        Object.is(version.quotes[name][number], quote[name] ?? Number.NaN),
      ),
      facts: isDeepStrictEqual(
        Object.fromEntries(Object.keys(facts).map((name) => [name, served?.[name as never]])),
        facts,
      ),
    };
    return Object.entries(isSame).flatMap(([part, same]) => (same ? [] : `${part} of ${symbol}`));
  });
}
