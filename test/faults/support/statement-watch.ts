/**
 * Statements that change a database's files without a step of their own: what a text of SQL can't
 * show, since the same statement writes at once outside of a transaction, and nothing inside of one.
 */

import { existsSync, statSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Failpoint } from '../../../src/base/failpoints.ts';

/** Database that changes after a failpoint, by failpoint. */
const ANNOUNCED: Partial<Record<Failpoint, 'market' | 'accounts'>> = {
  'commit rows': 'market',
  'checkpoint store': 'market',
  'close store': 'market',
  'drop outbox': 'market',
  'commit accounts': 'accounts',
  'add events': 'accounts',
  'move position': 'accounts',
};

export interface StatementWatch {
  /** To be told of every step. */
  step(name: Failpoint): void;
  /** Statements that changed a file and had no step, each with its database. */
  readonly found: string[];
  /** Number of statements that changed a file. */
  readonly changes: number;
  end(): void;
}

/** Watches the statements of this process on all databases in `paths`, until it is ended. */
export function watchStatements(paths: { market: string; accounts: string }): StatementWatch {
  const announced = { market: false, accounts: false };
  const found: string[] = [];
  let changes = 0;
  const seen = { market: lookOf(paths.market), accounts: lookOf(paths.accounts) };
  const underWay = { market: 0, accounts: 0 };
  const look = (database: 'market' | 'accounts') => {
    // Files come and go between statements by other means, which `disk-calls.ts` looks for.
    if (underWay[database]++ === 0) seen[database] = lookOf(paths[database]);
    return (statement: string) => {
      underWay[database]--;
      const now = lookOf(paths[database]);
      if (now === seen[database]) return;
      seen[database] = now;
      changes++;
      if (!announced[database]) found.push(`${database}: ${statement.replace(/\s+/g, ' ').trim()}`);
      announced[database] = false;
    };
  };
  const restore = [watchMarket(() => look('market')), watchAccounts(() => look('accounts'))];
  return {
    step(name) {
      const database = ANNOUNCED[name];
      if (database) announced[database] = true;
    },
    found,
    get changes() {
      return changes;
    },
    end() {
      for (const one of restore) one();
    },
  };
}

/** Changes whenever one of the files does; a log that is written anew keeps its length. */
function lookOf(path: string): string {
  return ['', '.wal', '-wal']
    .map((ending) => path + ending)
    .map((file) => {
      if (!existsSync(file)) return '';
      const { size, mtimeMs, ino } = statSync(file);
      return `${size} ${mtimeMs} ${ino}`;
    })
    .join();
}

/** Begins to look; called with what was done. */
type Look = () => (statement: string) => void;

/** Methods of an object `This` that the watch replaces, with any parameters. */
type Methods<This> = Record<string, (this: This, ...args: unknown[]) => unknown>;

function watchMarket(look: Look): () => void {
  const connection = DuckDBConnection.prototype as unknown as Methods<unknown>;
  const instance = DuckDBInstance.prototype as { closeSync(): void };
  const names = ['run', 'runAndReadAll', 'stream', 'runUntilLast'] as const;
  const real = new Map(names.map((name) => [name, connection[name]]));
  for (const [name, method] of real) {
    connection[name] = async function (this: unknown, sql, ...rest) {
      const tell = look();
      try {
        return await method.call(this, sql, ...rest);
      } finally {
        tell(String(sql));
      }
    };
  }
  const { closeSync } = instance;
  instance.closeSync = function () {
    const tell = look();
    closeSync.call(this);
    tell('close');
  };
  return () => {
    for (const [name, method] of real) connection[name] = method;
    instance.closeSync = closeSync;
  };
}

function watchAccounts(look: Look): () => void {
  const database = DatabaseSync.prototype;
  const statement = StatementSync.prototype as unknown as Methods<StatementSync>;
  const { exec } = database;
  database.exec = function (sql) {
    const tell = look();
    try {
      exec.call(this, sql);
    } finally {
      tell(sql);
    }
  };
  const names = ['run', 'get', 'all'] as const;
  const real = new Map(names.map((name) => [name, statement[name]]));
  for (const [name, method] of real) {
    statement[name] = function (this: StatementSync, ...values: unknown[]) {
      const tell = look();
      try {
        return method.apply(this, values);
      } finally {
        tell(this.sourceSQL);
      }
    };
  }
  return () => {
    database.exec = exec;
    for (const [name, method] of real) statement[name] = method;
  };
}
