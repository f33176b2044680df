/** Statements of a SQLite file as promises. A transaction lasts for one turn of the event loop. */

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Sql, SqlValues } from '../database/sql.ts';
import { reportingDamage } from './open.ts';
import { beginTransaction, endTransaction } from './transaction.ts';

/** Transactions that are open in this thread, by file. Another connection would wait for ever. */
const open = new Map<string, Promise<void>>();

const DIALECT: Sql['dialect'] = {
  eachDay: 'json_each(days) AS d',
  streamedHead: "SELECT seq FROM sqlite_sequence WHERE name = 'streamed'",
};

/**
 * A statement beside an open transaction waits for its end: it would join it. Nothing may come
 * between a look at `open` and the statement, so the loop is in each function.
 *
 * @param path Path of the file, on which other connections of the thread wait for each other.
 */
export function sqliteSql(db: DatabaseSync, path: string): Sql {
  const prepared = new Map<string, StatementSync>();

  function statement(text: string): StatementSync {
    const known = prepared.get(text) ?? db.prepare(text);
    prepared.set(text, known);
    return known;
  }

  const given = (values: SqlValues) => values as SQLInputValue[];
  const reporting = <T>(work: () => T) => reportingDamage(path, work);

  const within: Sql = {
    dialect: DIALECT,
    get: async <Row>(text: string, ...values: SqlValues) =>
      reporting(() => statement(text).get(...given(values))) as Row | undefined,
    all: async <Row>(text: string, ...values: SqlValues) =>
      reporting(() => statement(text).all(...given(values))) as Row[],
    run: async (text, ...values) =>
      Number(reporting(() => statement(text).run(...given(values))).changes),
    transaction: (work) => work(within),
  };

  return {
    dialect: DIALECT,
    async get(text, ...values) {
      while (open.has(path)) await open.get(path);
      return within.get(text, ...values);
    },
    async all(text, ...values) {
      while (open.has(path)) await open.get(path);
      return within.all(text, ...values);
    },
    async run(text, ...values) {
      while (open.has(path)) await open.get(path);
      return within.run(text, ...values);
    },
    async transaction(work, rules = {}) {
      while (open.has(path)) await open.get(path);
      const { promise, resolve } = Promise.withResolvers<void>();
      open.set(path, promise);
      try {
        beginTransaction(db, rules);
        const result = await work(within);
        endTransaction(db, 'COMMIT');
        return result;
      } catch (error) {
        endTransaction(db, 'ROLLBACK');
        throw error;
      } finally {
        open.delete(path);
        resolve();
      }
    },
  };
}
