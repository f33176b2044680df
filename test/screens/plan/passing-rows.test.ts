import { describe, expect, it } from 'vitest';
import type { SymbolExpression } from '../../../src/base/symbol-expression.ts';
import { passingRows } from '../../../src/screens/plan/passing-rows.ts';
import { valuesOfTable } from '../../../src/store/arrow/snapshot/screener-table.ts';
import type { ScreenerColumns } from '../../../src/store/arrow/snapshot/snapshot.ts';

const NONE = new Float64Array(4).fill(Number.NaN);
const CODES = new Uint16Array(4);

const COLUMNS: ScreenerColumns = {
  price: Float64Array.of(10, 20, 30, Number.NaN),
  changePct: NONE,
  volume: NONE,
  rsi14: NONE,
  marketCap: NONE,
  peRatio: NONE,
  dividendYield: NONE,
  sector: Uint16Array.of(1, 2, 2, 0),
  industry: CODES,
  country: CODES,
  exchange: CODES,
  lastBarDay: Float64Array.of(5, 6, 7, 8),
};

const TEXTS = {
  sector: [null, 'Energy', 'Technology'],
  industry: [null],
  country: [null],
  exchange: [null],
};

function rowsOf(...filters: SymbolExpression[]): number[] {
  const symbols = ['A', 'B', 'C', 'D'];
  const table = {
    id: '',
    symbols,
    companyNames: [],
    texts: TEXTS,
    columns: COLUMNS,
    marketDay: undefined,
  };
  return [...passingRows(valuesOfTable(table), { filters })];
}

describe('filters of a screen', () => {
  it('pass every row if there are none', () => {
    expect(rowsOf()).toEqual([0, 1, 2, 3]);
  });

  it('include their bounds, and pass no null', () => {
    const price = (min: number, max: number) => rowsOf({ kind: 'range', name: 'price', min, max });
    expect(price(20, Number.POSITIVE_INFINITY)).toEqual([1, 2]);
    expect(price(Number.NEGATIVE_INFINITY, 20)).toEqual([0, 1]);
    expect(price(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)).toEqual([0, 1, 2]);
  });

  it('pass any of several texts in any case, and nothing for an unknown text', () => {
    const sector = (...accepted: string[]) => rowsOf({ kind: 'text', name: 'sector', accepted });
    expect(sector('technology')).toEqual([1, 2]);
    expect(sector('energy', 'technology')).toEqual([0, 1, 2]);
    expect(sector('utilities')).toEqual([]);
  });

  it('must all hold, those of any form', () => {
    const price: SymbolExpression = { kind: 'range', name: 'price', min: 15, max: 40 };
    const sector: SymbolExpression = { kind: 'text', name: 'sector', accepted: ['technology'] };
    expect(rowsOf(price, sector)).toEqual([1, 2]);
    const since: SymbolExpression = { kind: 'range', name: 'last_bar_day', min: 7, max: Infinity };
    expect(rowsOf(price, sector, since)).toEqual([2]);
    const not: SymbolExpression = { kind: 'operation', operator: 'not', operands: [since] };
    expect(rowsOf(price, sector, not)).toEqual([1]);
  });
});
