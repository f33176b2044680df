/** Statements of a Postgres database. Its driver is imported for the first one. */

import type { Client, ClientBase, Pool, PoolConfig, QueryResult } from 'pg';
import { postgresPlace } from '../../base/config/postgres-address.ts';
import { AccountsUnreachableError, StoreBusyError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { randomFraction } from '../../base/world/chance.ts';
import { delay, monotonicMs, wallMs } from '../../base/world/clock.ts';
import type {
  Sql,
  SqlValues,
  TransactionRules,
  WriteLock,
} from '../../store/accounts/database/sql.ts';
import { BEGIN, migratePostgres } from './schema.ts';
import { statementOf } from './statement.ts';

export interface PostgresSql extends Sql {
  /** Returns the time of Postgres, so that machines with other clocks agree on leases. */
  timeOf(now: () => number): () => number;
  close(): Promise<void>;
}

const DIALECT: Sql['dialect'] = {
  eachDay: 'jsonb_array_elements(CAST(days AS jsonb)) AS d (value)',
  streamedHead: 'SELECT seq FROM streamed_head',
};

/** Advisory locks of this program have this first number. */
export const LOCK_SPACE = 1_415_673_931;

const LOCKS: Record<WriteLock, number> = { keys: 1, events: 2, deliveries: 3, records: 4 };

const { connectionsMax, idleMs, triesMax, retryMs } = limits.postgres;

/** Types of `bigint` and `numeric`, whose values here are all integers that a number holds. */
const NUMBER_TYPES = [20, 1700];

/** Imports the driver. @throws {ConfigError} the address breaks its rule. */
export async function connectionOptions(
  url: string,
): Promise<{ pg: typeof import('pg'); options: PoolConfig }> {
  const { default: pg } = await import('pg');
  const getTypeParser = ((type: number, format?: 'text') =>
    NUMBER_TYPES.includes(type)
      ? Number
      : pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser;
  const { connectMs, statementMs } = limits.postgres;
  const options = {
    ...postgresPlace(url),
    types: { getTypeParser },
    application_name: 'tapeworks',
    connectionTimeoutMillis: connectMs,
    query_timeout: statementMs,
    keepAlive: true,
  };
  return { pg: pg as unknown as typeof import('pg'), options };
}

export async function connectClient(url: string): Promise<Client> {
  const { pg, options } = await connectionOptions(url);
  const client = new pg.Client(options);
  // The statement that fails reports it.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw reported(error);
  }
}

export function postgresSql(url: string): PostgresSql {
  let opened: Promise<Pool> | undefined;
  let offsetMs = 0;
  let measuredMs = Number.NEGATIVE_INFINITY;

  async function open(): Promise<Pool> {
    const { pg, options } = await connectionOptions(url);
    const pool = new pg.Pool({ ...options, max: connectionsMax, idleTimeoutMillis: idleMs });
    // A connection that breaks while it is idle leaves the pool.
    pool.on('error', () => {});
    // The statement that fails reports a break. Without a listener it would end the process.
    pool.on('connect', (client) => void client.on('error', () => {}));
    try {
      await withClient(pool, async (client) => {
        await migratePostgres(client);
        await measureClock(client);
      });
      return pool;
    } catch (error) {
      await pool.end().catch(() => undefined);
      throw error;
    }
  }

  /** Opens once, and again after a failure. */
  function poolOf(): Promise<Pool> {
    opened ??= open().catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }

  async function measureClock(client: ClientBase): Promise<void> {
    const sentMs = wallMs();
    const { rows } = await client.query('SELECT extract(epoch FROM clock_timestamp()) AS s');
    const middleMs = (sentMs + wallMs()) / 2;
    const ahead = Math.round(rows[0].s * 1000 - middleMs);
    offsetMs = Math.abs(ahead) < limits.postgres.clockMs ? 0 : ahead;
    measuredMs = monotonicMs();
  }

  async function withClient<T>(pool: Pool, use: (client: ClientBase) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error) => {
      throw reported(error);
    });
    let broken: Error | undefined;
    try {
      if (monotonicMs() - measuredMs > limits.postgres.clockCheckMs) await measureClock(client);
      return await use(client);
    } catch (error) {
      const shown = reported(error);
      // After a timeout the server may still be at work on this connection.
      if (shown instanceof AccountsUnreachableError) broken = shown;
      throw shown;
    } finally {
      client.release(broken);
    }
  }

  const query = (text: string, values: SqlValues) =>
    retried(async () =>
      withClient(await poolOf(), (client) => client.query(statementOf(text, values))),
    );

  async function inTransaction<T>(
    work: (sql: Sql) => Promise<T>,
    rules: TransactionRules,
  ): Promise<T> {
    return await withClient(await poolOf(), async (client) => {
      try {
        await client.query(beginText(rules));
        const result = await work(sqlOf(client));
        await client.query('COMMIT');
        return result;
      } catch (error) {
        // A connection that does not respond is closed, which rolls back too.
        const isBroken = reported(error) instanceof AccountsUnreachableError;
        if (!isBroken) await client.query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
  }

  return {
    ...statementsOf(query),
    transaction: (work, rules = {}) => retried(() => inTransaction(work, rules)),
    timeOf: (now) => () => now() + offsetMs,
    async close() {
      const pool = await opened?.catch(() => undefined);
      await pool?.end();
    },
  };
}

function statementsOf(
  query: (text: string, values: SqlValues) => Promise<QueryResult>,
): Omit<Sql, 'transaction'> {
  return {
    dialect: DIALECT,
    get: async (text, ...values) => (await query(text, values)).rows[0],
    all: async <Row>(text: string, ...values: SqlValues) =>
      (await query(text, values)).rows as Row[],
    run: async (text, ...values) => (await query(text, values)).rowCount ?? 0,
  };
}

function sqlOf(client: ClientBase): Sql {
  const sql: Sql = {
    ...statementsOf((text, values) => client.query(statementOf(text, values))),
    async transaction(work, { lock } = {}) {
      if (lock) await client.query(lockText(lock));
      return await work(sql);
    },
  };
  return sql;
}

function beginText({ lock, isSnapshot }: TransactionRules): string {
  const begin = isSnapshot ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : BEGIN;
  const { statementMs, lockMs } = limits.postgres;
  const bounds = `SET LOCAL statement_timeout = ${statementMs}; SET LOCAL lock_timeout = ${lockMs}`;
  return `${begin}; ${bounds}${lock ? `; ${lockText(lock)}` : ''}`;
}

const lockText = (lock: WriteLock) => `SELECT pg_advisory_xact_lock(${LOCK_SPACE}, ${LOCKS[lock]})`;

/** Class of SQLSTATE for what Postgres has rolled back: a deadlock, or a conflict with another. */
const ROLLED_BACK = '40';

/** Repeats work that Postgres has rolled back for another machine's. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const { code } = ((error as Error).cause as { code?: string }) ?? {};
      if (!code?.startsWith(ROLLED_BACK) || tries === triesMax) throw error;
      await delay(randomFraction() * retryMs * tries);
    }
  }
}

/** Another machine held a lock for too long, or the statement took too long. */
const BUSY = ['55P03', '57014'];

/** Classes of SQLSTATE for faults of a statement; all others are of the connection or server. */
const OWN_CLASSES = ['22', '23', '42', '0A', '21', 'P0'];

const DISK_FULL = '53100';
const DISK_IS_FULL =
  'The disk of the Postgres of the accounts is full: nothing was written; free space on it and try again';

/** Returns the error that callers see; its message holds neither password nor statement. */
function reported(error: unknown): unknown {
  const { code = '', message } = error as { code?: string; message: string };
  const isState = /^[0-9A-Z]{5}$/.test(code);
  if (BUSY.includes(code) || code.startsWith(ROLLED_BACK)) {
    return new StoreBusyError('another machine', 'The accounts are being written: try again', {
      cause: error,
    });
  }
  const isDriver = /timeout|terminated|Connection|not queryable|closed/i.test(message ?? '');
  const isNetwork =
    /^E[A-Z]+$/.test(code) || code.startsWith('ERR_') || /CERT|SELF_SIGNED/.test(code);
  const isServer = isState && !OWN_CLASSES.includes(code.slice(0, 2));
  if (!isServer && !isNetwork && !(code === '' && isDriver)) return error;
  if (code === DISK_FULL) return new AccountsUnreachableError(DISK_IS_FULL, { cause: error });
  const why = isServer ? message : code || message;
  return new AccountsUnreachableError(`Postgres of the accounts could not be reached: ${why}`, {
    cause: error,
  });
}
