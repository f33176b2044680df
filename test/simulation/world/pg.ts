/**
 * Postgres of a night, in the place of its driver: a model over SQLite, whose statements run one after
 * the other. A transaction lasts until its end, and others wait for it.
 *
 * `models/postgres.long.test.ts` compares it with a real server.
 */

import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { current, Killed, type Process, simulation } from '../simulation.ts';
import { sqliteText } from './postgres-text.ts';

/** Time of a statement, and of a wait for the transaction of another connection, in simulated ms. */
const STATEMENT_MS = 2;
const WAIT_MS = 20;

type Query = string | { text: string; values?: readonly unknown[] };

interface Result {
  rows: Record<string, unknown>[];
  rowCount: number;
}

class Postgres {
  readonly db = new DatabaseSync(':memory:');
  /** Statements by their text. */
  readonly #prepared = new Map<string, StatementSync>();
  /** Connection in a transaction. */
  holder: Client | undefined;

  constructor() {
    this.db.function('simulated_seconds', () => simulation().nowMs / 1000);
    // Unlike `max`, it ignores null.
    this.db.function('greatest', { varargs: true }, (...values: SQLInputValue[]) => {
      const numbers = values.filter((value) => value !== null).map(Number);
      return numbers.length === 0 ? null : Math.max(...numbers);
    });
  }

  run(text: string, values: readonly unknown[] = []): Result {
    if (text.includes('to_regclass')) return result([{ known: this.#known('schema_migrations') }]);
    if (text.startsWith('SELECT pg_advisory')) return result([]);
    if (text.includes('pg_attribute')) return result(this.#columns());
    let statement = this.#prepared.get(text);
    if (!statement) {
      const translated = sqliteText(text);
      if (values.length === 0 && translated.includes(';')) {
        this.db.exec(translated);
        return result([]);
      }
      statement = this.db.prepare(translated);
      this.#prepared.set(text, statement);
    }
    const given = values as SQLInputValue[];
    if (statement.columns().length > 0) return result(statement.all(...given));
    return { rows: [], rowCount: Number(statement.run(...given).changes) };
  }

  #known(table: string): string | null {
    const found = this.db.prepare('SELECT name FROM sqlite_schema WHERE name = ?').get(table);
    return (found?.name as string) ?? null;
  }

  #columns(): Record<string, unknown>[] {
    return this.db
      .prepare(
        `SELECT m.name AS relname, c.name AS attname
         FROM sqlite_schema AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table'`,
      )
      .all();
  }
}

function result(rows: Record<string, unknown>[]): Result {
  return { rows, rowCount: rows.length };
}

let postgres = new Postgres();

/** Time since which no machine reaches it. */
export const postgresAway = { sinceMs: Number.POSITIVE_INFINITY };

/** Returns a number that is stored; 0 before there are tables. */
export function storedInPostgres(sql: string): number {
  const isMade = postgres.db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'usage'").get();
  return isMade ? Number(postgres.run(sql).rows[0]?.n ?? 0) : 0;
}

export function newPostgres(): void {
  postgres.db.close();
  postgres = new Postgres();
  postgresAway.sinceMs = Number.POSITIVE_INFINITY;
}

/** Waits for the turn of a process. The simulation itself looks when all have ended. */
async function turn(label: string, ms = STATEMENT_MS): Promise<void> {
  if (current()) await simulation().turn(label, ms);
}

const terminated = () => new Error('Connection terminated unexpectedly');

class Client {
  readonly #owner: Process | undefined = current();
  #isOpen = true;
  readonly #rollBack = () => {
    if (postgres.holder !== this) return;
    postgres.db.exec('ROLLBACK');
    postgres.holder = undefined;
    this.#owner?.open.delete(this.#rollBack);
  };

  on(): this {
    return this;
  }

  async connect(): Promise<void> {
    const now = simulation();
    await turn('connect to Postgres');
    if (now.nowMs < postgresAway.sinceMs && !now.happens('refused connection')) return;
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  }

  async query(query: Query, given?: readonly unknown[]): Promise<Result> {
    const { text, values = given } = typeof query === 'string' ? { text: query } : query;
    const now = simulation();
    await turn(text.trim().slice(0, 60).replaceAll(/\s+/g, ' '));
    now.mayDie();
    while (postgres.holder && postgres.holder !== this) await turn('wait', WAIT_MS);
    if (this.#owner?.isDead) throw new Killed();
    if (!this.#isOpen) throw terminated();
    if (now.nowMs >= postgresAway.sinceMs || now.happens('lost connection')) throw this.#broken();
    if (text.startsWith('BEGIN')) return this.#begin();
    if (text === 'ROLLBACK') this.#rollBack();
    else if (text === 'COMMIT') this.#commit();
    else return this.#run(text, values);
    return result([]);
  }

  #run(text: string, values: readonly unknown[] | undefined): Result {
    try {
      const done = postgres.run(text, values);
      // The reply to a write outside of a transaction is that of its commit.
      const isCommit = !postgres.holder && !text.startsWith('SELECT');
      if (isCommit && simulation().happens('lost reply of a commit')) throw this.#broken();
      return done;
    } catch (error) {
      const { errcode } = error as { errcode?: number };
      // Low byte of what SQLite says of a constraint.
      if ((Number(errcode) & 0xff) !== 19) throw error;
      throw Object.assign(error as Error, { code: '23505' });
    }
  }

  #begin(): Result {
    postgres.db.exec('BEGIN');
    postgres.holder = this;
    this.#owner?.open.add(this.#rollBack);
    return result([]);
  }

  #commit(): void {
    const now = simulation();
    if (now.happens('failed transaction')) {
      this.#rollBack();
      throw Object.assign(new Error('could not serialize access'), { code: '40001' });
    }
    postgres.db.exec('COMMIT');
    postgres.holder = undefined;
    this.#owner?.open.delete(this.#rollBack);
    if (now.happens('lost reply of a commit')) throw this.#broken();
  }

  #broken(): Error {
    this.#rollBack();
    this.#isOpen = false;
    return terminated();
  }

  /** Gives it back to its pool, which closes one that broke. */
  release(error?: Error): void {
    if (error) this.#broken();
  }

  async end(): Promise<void> {
    this.#rollBack();
    this.#isOpen = false;
  }
}

class Pool {
  on(): this {
    return this;
  }

  async connect(): Promise<Client> {
    const client = new Client();
    await client.connect();
    return client;
  }

  async end(): Promise<void> {}
}

export default { Client, Pool, types: { getTypeParser: () => String } };
