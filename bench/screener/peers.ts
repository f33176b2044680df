/** The screener's peers: each answers a shape with the symbols of its page. */

import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { desc, table } from 'arquero';
import { SCREENER_NUMBERS, SCREENER_TEXTS } from '../../src/base/fields.ts';
import type { Bounds, ScreenerRow, Shape } from './shapes.ts';
import { type ScreenerUniverse, TEXTS } from './universe.ts';

/** Symbols of one page, in order. */
export type Answer = (bounds: Bounds) => readonly string[] | Promise<readonly string[]>;

export interface ScreenerPeer {
  name: string;
  /** Prepares everything that can be prepared before the bounds are known. */
  prepare(shape: Shape): Promise<Answer>;
  close(): void;
}

export const DUCKDB = 'DuckDB, prepared';

const NUMBERS = [...SCREENER_NUMBERS, 'lastBarDay'] as const;

export function rowsOf({ symbols, columns }: ScreenerUniverse): ScreenerRow[] {
  return symbols.map((symbol, row) => {
    const numbers = NUMBERS.map((name) => [name, columns[name][row]]);
    const texts = SCREENER_TEXTS.map((name) => [name, TEXTS[name][columns[name][row] - 1] ?? '']);
    return { symbol, ...Object.fromEntries([...numbers, ...texts]) };
  });
}

/** Filters and sorts an array of objects: what most programs do, and the check of the others. */
export function objectPeer(universe: ScreenerUniverse): ScreenerPeer {
  const rows = rowsOf(universe);
  return {
    name: 'array of objects',
    prepare: async ({ passes, sort, direction, limit }) => {
      const sign = direction === 'asc' ? 1 : -1;
      const compare = (a: ScreenerRow, b: ScreenerRow): number => {
        const [left, right] = [a[sort], b[sort]];
        if (left < right) return -sign;
        if (left > right) return sign;
        const nulls = Number(Number.isNaN(left)) - Number(Number.isNaN(right));
        return nulls || (a.symbol < b.symbol ? -1 : 1);
      };
      return (bounds) =>
        rows
          .filter((row) => passes(row, bounds))
          .sort(compare)
          .slice(0, limit)
          .map(({ symbol }) => symbol);
    },
    close() {},
  };
}

export function arqueroPeer({ symbols, columns }: ScreenerUniverse): ScreenerPeer {
  const texts = SCREENER_TEXTS.map((name) => [
    name,
    Array.from(columns[name], (code) => TEXTS[name][code - 1] ?? ''),
  ]);
  const whole = table({ ...columns, symbol: symbols, ...Object.fromEntries(texts) });
  return {
    name: 'arquero',
    prepare: async ({ passes, sort, direction, limit }) => {
      // It sorts nulls to the front of ascending orders; ours are last in both.
      const last = direction === 'asc' ? Infinity : -Infinity;
      const key = columns[sort].map((value) => (Number.isNaN(value) ? last : value));
      const keyed = whole.assign(table({ key }));
      const order = direction === 'asc' ? 'key' : desc('key');
      return (bounds) =>
        keyed
          .params(bounds)
          .filter(passes)
          .orderby(order, 'symbol')
          .slice(0, limit)
          .array('symbol') as string[];
    },
    close() {},
  };
}

/** Queries a table in memory. It returns only the symbols of a page, without the total. */
export async function duckdbPeer(universe: ScreenerUniverse): Promise<ScreenerPeer> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await fillTable(connection, universe);
  return {
    name: DUCKDB,
    prepare: async ({ sql, sort, direction, limit }) => {
      const statement = await connection.prepare(`SELECT symbol FROM universe WHERE ${sql}
        ORDER BY "${sort}" ${direction} NULLS LAST, symbol LIMIT ${limit}`);
      return async (bounds) => {
        if (statement.parameterCount > 0) statement.bind(bounds);
        const reader = await statement.runAndReadAll();
        return reader.getColumns()[0] as string[];
      };
    },
    close() {
      connection.disconnectSync();
      instance.closeSync();
    },
  };
}

async function fillTable(connection: DuckDBConnection, universe: ScreenerUniverse): Promise<void> {
  const numbers = NUMBERS.map((name) => `"${name}" DOUBLE`);
  const texts = SCREENER_TEXTS.map((name) => `${name} VARCHAR`);
  await connection.run(
    `CREATE TABLE universe (symbol VARCHAR, ${[...numbers, ...texts].join(', ')})`,
  );
  const appender = await connection.createAppender('universe');
  for (const row of rowsOf(universe)) {
    appender.appendVarchar(row.symbol);
    for (const name of NUMBERS) {
      if (Number.isNaN(row[name])) appender.appendNull();
      else appender.appendDouble(row[name]);
    }
    for (const name of SCREENER_TEXTS) {
      if (row[name] === '') appender.appendNull();
      else appender.appendVarchar(row[name]);
    }
    appender.endRow();
  }
  appender.closeSync();
}
