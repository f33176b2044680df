import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  filterOfColumn,
  SCREENER_NUMBERS,
  SCREENER_TEXTS,
  type ScreenerNumber,
  type ScreenerText,
} from '../../../src/base/fields.ts';
import type { SymbolExpression } from '../../../src/base/symbol-expression.ts';
import {
  type RowsPage,
  type RowsQuery,
  screenRows,
} from '../../../src/screens/plan/screen-rows.ts';
import type { SortPosition } from '../../../src/screens/plan/sort-order.ts';
import { valuesOfTable } from '../../../src/store/arrow/snapshot/screener-table.ts';
import type { ScreenerColumns } from '../../../src/store/arrow/snapshot/snapshot.ts';
import { scaled } from '../../faults/scale.ts';

const NULL = Number.NaN;
const CODE_COUNT = 5;

type Numbers = Partial<Record<ScreenerNumber, number[]>>;
type Codes = Partial<Record<ScreenerText, number[]>>;

/** Columns of `rowCount` rows; a missing column is null. */
function columnsOf(
  rowCount: number,
  given: Numbers & Codes & { lastBarDay?: number[] },
): ScreenerColumns {
  const numbers = SCREENER_NUMBERS.map((name) => [
    name,
    Float64Array.from(given[name] ?? Array(rowCount).fill(NULL)),
  ]);
  const texts = SCREENER_TEXTS.map((name) => [
    name,
    Uint16Array.from(given[name] ?? Array(rowCount).fill(0)),
  ]);
  const lastBarDay = Float64Array.from(given.lastBarDay ?? Array(rowCount).fill(20_000));
  return { ...Object.fromEntries([...numbers, ...texts]), lastBarDay };
}

type Filter =
  | { kind: 'range'; column: ScreenerNumber; min: number; max: number }
  | { kind: 'codes'; column: ScreenerText; accepts: Uint8Array }
  | { kind: 'active'; sinceDay: number }
  | { kind: 'rows'; accepts: Uint8Array };

type Query = Omit<RowsQuery, 'filters' | 'marks' | 'sort'> & {
  filters: readonly Filter[];
  sort: ScreenerNumber | Float64Array;
};

const TEXTS = [null, ...Array.from({ length: CODE_COUNT - 1 }, (_, i) => `Text ${i + 1}`)];

function expressionsOf(filter: Filter): SymbolExpression[] {
  switch (filter.kind) {
    case 'range':
      return [{ ...filter, name: filterOfColumn(filter.column) }];
    case 'active':
      return [{ kind: 'range', name: 'last_bar_day', min: filter.sinceDay, max: Infinity }];
    case 'codes': {
      const accepted = TEXTS.flatMap((text, code) =>
        text !== null && filter.accepts[code] === 1 ? [text.toLowerCase()] : [],
      );
      return [{ kind: 'text', name: filter.column, accepted }];
    }
    case 'rows':
      return [];
  }
}

function screen(columns: ScreenerColumns, { filters, sort, ...page }: Query): RowsPage {
  const symbols = Array.from(columns.price, () => '');
  const texts = { sector: TEXTS, industry: TEXTS, country: TEXTS, exchange: TEXTS };
  const table = { id: '', symbols, companyNames: [], texts, columns, marketDay: undefined };
  return screenRows(valuesOfTable(table), {
    ...page,
    filters: filters.flatMap(expressionsOf),
    marks: filters.flatMap((filter) => (filter.kind === 'rows' ? [filter.accepts] : [])),
    sort: typeof sort === 'string' ? columns[sort] : sort,
  });
}

function range(column: ScreenerNumber, min: number, max: number): Filter {
  return { kind: 'range', column, min, max };
}

function codes(column: ScreenerText, ...accepted: number[]): Filter {
  const accepts = new Uint8Array(CODE_COUNT);
  for (const code of accepted) accepts[code] = 1;
  return { kind: 'codes', column, accepts };
}

const FIRST_PAGE = { filters: [], sort: 'marketCap', direction: 'desc', limit: 10 } as const;

function rowsOf(columns: ScreenerColumns, query: Partial<Query>): number[] {
  return [...screen(columns, { ...FIRST_PAGE, ...query }).rows];
}

describe('screen', () => {
  it('sorts by value, ties by row, and puts nulls last in both directions', () => {
    const columns = columnsOf(6, { marketCap: [5, NULL, 7, 5, NULL, 1] });
    expect(rowsOf(columns, { direction: 'desc' })).toEqual([2, 0, 3, 5, 1, 4]);
    expect(rowsOf(columns, { direction: 'asc' })).toEqual([5, 0, 3, 2, 1, 4]);
  });

  it('treats negative zero as zero', () => {
    const columns = columnsOf(4, { changePct: [0, -0, 0, -0] });
    expect(rowsOf(columns, { sort: 'changePct', direction: 'asc' })).toEqual([0, 1, 2, 3]);
    expect(rowsOf(columns, { sort: 'changePct', filters: [range('changePct', 0, 1)] })).toEqual([
      0, 1, 2, 3,
    ]);
  });

  it('includes the bounds of a range and lets no null pass', () => {
    const columns = columnsOf(5, { peRatio: [10, 20, NULL, 30, 15], marketCap: [1, 2, 3, 4, 5] });
    expect(rowsOf(columns, { filters: [range('peRatio', 10, 20)] })).toEqual([4, 1, 0]);
    expect(
      rowsOf(columns, {
        filters: [range('peRatio', Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)],
      }),
    ).toEqual([4, 3, 1, 0]);
  });

  it('returns nothing for a range whose ends are crossed', () => {
    const columns = columnsOf(3, { price: [1, 2, 3], volume: [1, 2, 3] });
    expect(rowsOf(columns, { filters: [range('price', 3, 1)] })).toEqual([]);
    expect(rowsOf(columns, { filters: [range('volume', 2, 2), range('price', 3, 1)] })).toEqual([]);
  });

  it('accepts any of several codes and lets no null pass', () => {
    const columns = columnsOf(5, { sector: [1, 2, 0, 3, 2], marketCap: [1, 2, 3, 4, 5] });
    expect(rowsOf(columns, { filters: [codes('sector', 2, 3)] })).toEqual([4, 3, 1]);
    expect(rowsOf(columns, { filters: [codes('sector')] })).toEqual([]);
  });

  it('leaves out symbols whose own last bar is too old', () => {
    const columns = columnsOf(3, { lastBarDay: [19_999, 20_000, 20_001] });
    expect(rowsOf(columns, { filters: [{ kind: 'active', sinceDay: 20_000 }] })).toEqual([1, 2]);
  });

  it('counts all pages and reports whether there is another', () => {
    const columns = columnsOf(4, { marketCap: [1, 2, 3, NULL] });
    const filters = [range('marketCap', 1, 3)];
    expect(screen(columns, { ...FIRST_PAGE, filters, limit: 2 })).toMatchObject({
      total: 3,
      hasMore: true,
    });
    expect(screen(columns, { ...FIRST_PAGE, filters, limit: 3 })).toMatchObject({
      total: 3,
      hasMore: false,
    });
    expect(screen(columns, { ...FIRST_PAGE, limit: 3 })).toMatchObject({ total: 4, hasMore: true });
    expect(screen(columns, { ...FIRST_PAGE, limit: 4 })).toMatchObject({
      total: 4,
      hasMore: false,
    });
  });

  it('sorts by a column that is not of the table, and keeps marked rows alone', () => {
    const columns = columnsOf(4, { marketCap: [4, 3, 2, 1] });
    const sort = Float64Array.of(7, NULL, 9, 8);
    expect(rowsOf(columns, { sort })).toEqual([2, 3, 0, 1]);
    const filters: Filter[] = [{ kind: 'rows', accepts: Uint8Array.of(1, 1, 0, 2) }];
    expect(rowsOf(columns, { filters })).toEqual([0, 1]);
    expect(rowsOf(columns, { filters, sort, limit: 1 })).toEqual([0]);
  });

  it('continues behind a position that is no longer a row', () => {
    const columns = columnsOf(5, { marketCap: [5, 5, 5, 4, NULL] });
    const behind = (value: number, row: number) =>
      rowsOf(columns, { after: { value, row }, direction: 'desc' });
    expect(behind(5, -1)).toEqual([0, 1, 2, 3, 4]);
    expect(behind(5, 1)).toEqual([2, 3, 4]);
    expect(behind(4.5, 1)).toEqual([3, 4]);
    expect(behind(4.5, -1)).toEqual([3, 4]);
    expect(behind(NULL, 3)).toEqual([4]);
    expect(behind(NULL, 4)).toEqual([]);
  });

  it('keeps versions of different sizes apart', () => {
    const volume = Array.from({ length: 40_000 }, (_, row) => row);
    const large = columnsOf(40_000, { volume });
    const small = columnsOf(3, { volume: [7, 9, 8] });
    const filters = [range('volume', 7, 1e9)];
    const query = { ...FIRST_PAGE, sort: 'volume', filters, limit: 2 } as const;
    for (let turn = 0; turn < 2; turn++) {
      expect(screen(small, query)).toEqual({ rows: Int32Array.of(1, 2), total: 3, hasMore: true });
      expect(screen(large, query)).toEqual({
        rows: Int32Array.of(39_999, 39_998),
        total: 39_993,
        hasMore: true,
      });
    }
  });

  it('works without rows', () => {
    const columns = columnsOf(0, {});
    const filters = [range('price', 0, 1)];
    for (const query of [FIRST_PAGE, { ...FIRST_PAGE, filters }]) {
      expect(screen(columns, query)).toEqual({ rows: new Int32Array(0), total: 0, hasMore: false });
    }
  });
});

const few = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(NULL, -0, 0.5, 1e12));
const bound = fc.oneof(
  fc.integer({ min: -4, max: 4 }),
  fc.constantFrom(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0.5),
);

const columnsArbitrary = fc.integer({ min: 0, max: 130 }).chain((rowCount) => {
  const length = { minLength: rowCount, maxLength: rowCount };
  const numbers = fc.array(few, length);
  const texts = fc.array(fc.integer({ min: 0, max: CODE_COUNT - 1 }), length);
  const record = Object.fromEntries([
    ...SCREENER_NUMBERS.map((name) => [name, numbers] as const),
    ...SCREENER_TEXTS.map((name) => [name, texts] as const),
    ['lastBarDay', fc.array(fc.integer({ min: 0, max: 3 }), length)] as const,
  ]);
  return fc.record(record).map((given) => columnsOf(rowCount, given));
});

const filterArbitrary: fc.Arbitrary<Filter> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...SCREENER_NUMBERS), bound, bound)
    .map(([column, min, max]) => range(column, min, max)),
  fc
    .tuple(
      fc.constantFrom(...SCREENER_TEXTS),
      fc.array(fc.integer({ min: 1, max: CODE_COUNT - 1 })),
    )
    .map(([column, accepted]) => codes(column, ...accepted)),
  fc.integer({ min: 0, max: 4 }).map((sinceDay) => ({ kind: 'active' as const, sinceDay })),
  fc
    .uint8Array({ max: 2, minLength: 130, maxLength: 130 })
    .map((accepts) => ({ kind: 'rows' as const, accepts })),
);

const queryArbitrary = fc.record({
  filters: fc.array(filterArbitrary, { maxLength: 4 }),
  sort: fc.constantFrom(...SCREENER_NUMBERS),
  direction: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.integer({ min: 1, max: 40 }),
});

function passes(columns: ScreenerColumns, filter: Filter, row: number): boolean {
  if (filter.kind === 'active') return columns.lastBarDay[row] >= filter.sinceDay;
  if (filter.kind === 'rows') return filter.accepts[row] === 1;
  const value = columns[filter.column][row];
  if (filter.kind === 'codes') return filter.accepts[value] === 1;
  return !Number.isNaN(value) && value >= filter.min && value <= filter.max;
}

/** A query that sorts by a column of the table. */
type TableQuery = Omit<Query, 'sort'> & { sort: ScreenerNumber };

/** All rows of a query in order, the plain way. */
function naiveRows(columns: ScreenerColumns, query: TableQuery): number[] {
  const value = columns[query.sort];
  const sign = query.direction === 'asc' ? 1 : -1;
  const rows = [...value.keys()].filter((row) =>
    query.filters.every((filter) => passes(columns, filter, row)),
  );
  const isNull = (row: number) => Number(Number.isNaN(value[row]));
  return rows.sort(
    (a, b) => isNull(a) - isNull(b) || (isNull(a) ? 0 : sign * (value[a] - value[b])) || a - b,
  );
}

describe('a walk over all pages', () => {
  it('visits every matching row exactly once, in order, under the same total', () => {
    fc.assert(
      fc.property(columnsArbitrary, queryArbitrary, (columns, query) => {
        const expected = naiveRows(columns, query);
        const walked: number[] = [];
        let after: SortPosition | undefined;
        for (;;) {
          const page = screen(columns, { ...query, after });
          walked.push(...page.rows);
          expect(page.total).toBe(expected.length);
          expect(page.hasMore).toBe(walked.length < expected.length);
          if (!page.hasMore) break;
          expect(page.rows.length).toBe(query.limit);
          const row = walked[walked.length - 1];
          after = { value: columns[query.sort][row], row };
        }
        expect(walked).toEqual(expected);
      }),
      { seed: 42, numRuns: scaled(80, 400) },
    );
  });

  it('continues behind any position, whether a row is there or not', () => {
    const position = fc.record({ value: few, row: fc.integer({ min: -1, max: 130 }) });
    fc.assert(
      fc.property(columnsArbitrary, queryArbitrary, position, (columns, query, after) => {
        const value = columns[query.sort];
        const isBehind = (row: number) => {
          const [nullRow, nullAfter] = [Number.isNaN(value[row]), Number.isNaN(after.value)];
          if (nullRow || nullAfter) return nullRow && (!nullAfter || row > after.row);
          const sign = query.direction === 'asc' ? 1 : -1;
          const distance = sign * (value[row] - after.value);
          return distance > 0 || (distance === 0 && row > after.row);
        };
        const expected = naiveRows(columns, query).filter(isBehind);
        const page = screen(columns, { ...query, after });
        expect([...page.rows]).toEqual(expected.slice(0, query.limit));
        expect(page.hasMore).toBe(expected.length > query.limit);
      }),
      { seed: 42, numRuns: scaled(80, 400) },
    );
  });
});
