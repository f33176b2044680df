/** A synthetic market for the screener's benchmark: seeded, with the nulls of a real one. */

import type { ScreenerText } from '../../src/base/fields.ts';
import type { ScreenerColumns, ScreenerTable } from '../../src/store/arrow/snapshot/snapshot.ts';

/** Texts of the dictionary columns, by code − 1. */
export const TEXTS: Readonly<Record<ScreenerText, readonly string[]>> = {
  sector: ['Energy', 'Financials', 'Health Care', 'Industrials', 'Materials', 'Technology'],
  industry: Array.from({ length: 140 }, (_, i) => `Industry ${i + 1}`),
  country: ['US', 'CA', 'GB', 'IE', 'CN', 'IL', 'NL', 'CH'],
  exchange: ['NYSE', 'NASDAQ', 'AMEX'],
};

export interface ScreenerUniverse {
  /** Ascending. */
  symbols: string[];
  columns: ScreenerColumns;
}

export const LAST_DAY = 20_600;

/** @returns The same market for the same number of rows. */
export function screenerUniverse(rowCount: number): ScreenerUniverse {
  let state = 20_260_803;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const numbers = (nullShare: number, draw: () => number) =>
    Float64Array.from({ length: rowCount }, () => (random() < nullShare ? Number.NaN : draw()));
  const codes = (nullShare: number, column: ScreenerText) =>
    Uint16Array.from({ length: rowCount }, () =>
      random() < nullShare ? 0 : 1 + Math.floor(random() * TEXTS[column].length),
    );
  const bell = () => random() + random() + random() - 1.5;
  return {
    symbols: Array.from({ length: rowCount }, (_, i) => `S${String(i).padStart(5, '0')}`),
    columns: {
      price: numbers(0, () => Math.exp(random() * 7)),
      // Rounded, so that there are ties.
      changePct: numbers(0.01, () => Math.round(bell() * 600) / 100),
      volume: numbers(0, () => Math.floor(Math.exp(random() * 17))),
      rsi14: numbers(0.02, () => 50 + bell() * 30),
      marketCap: numbers(0.15, () => Math.exp(15 + random() * 13)),
      peRatio: numbers(0.4, () => 4 + random() * 60),
      dividendYield: numbers(0.3, () => (random() < 0.4 ? 0 : random() * 0.08)),
      sector: codes(0.2, 'sector'),
      industry: codes(0.2, 'industry'),
      country: codes(0.1, 'country'),
      exchange: codes(0.1, 'exchange'),
      lastBarDay: Float64Array.from({ length: rowCount }, () =>
        random() < 0.1 ? LAST_DAY - 100 : LAST_DAY,
      ),
    },
  };
}

const nullFirst = (texts: readonly string[]) => [null, ...texts];
const CODED = {
  sector: nullFirst(TEXTS.sector),
  industry: nullFirst(TEXTS.industry),
  country: nullFirst(TEXTS.country),
  exchange: nullFirst(TEXTS.exchange),
};

/** Returns the table of a market, as a version has it. */
export function tableOf({ symbols, columns }: ScreenerUniverse): ScreenerTable {
  return { id: '', symbols, companyNames: [], texts: CODED, columns, marketDay: undefined };
}
