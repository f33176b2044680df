/**
 * Sends the usage of this machine to Postgres in numbered batches. A batch stays in the copy until
 * Postgres is known to have it, and Postgres adds each number of a sender once. So a lost reply, a
 * killed process and a restart neither lose usage nor count it twice.
 */

import type { DatabaseSync } from 'node:sqlite';
import { MILLIS_PER_DAY } from '../../base/bars.ts';
import { limits } from '../../base/limits.ts';
import { randomUUID } from '../../base/world/chance.ts';
import type { Sql } from '../../store/accounts/database/sql.ts';
import { inTransaction } from '../../store/accounts/sqlite/transaction.ts';
import type { UsageCount } from '../../store/accounts/usage/usage-counts.ts';
import { putSpent, type SpentRow } from './key-copy.ts';

interface SentRow extends Omit<UsageCount, 'key' | 'lastUsedMs'> {
  sender: string;
  batch: number;
  account: string;
  mode: string;
  key_id: string;
  last_used_at: number | null;
}

const OWN = 'account, mode, day, key_id, endpoint, method, calls, errors, tokens';

const ADD = `INSERT INTO usage (${OWN})
  SELECT * FROM json_to_recordset(CAST(? AS json)) AS given (account text, mode text, day bigint,
    key_id text, endpoint text, method text, calls bigint, errors bigint, tokens bigint)
  ON CONFLICT (account, mode, day, key_id, endpoint, method) DO UPDATE SET
    calls = usage.calls + excluded.calls, errors = usage.errors + excluded.errors,
    tokens = usage.tokens + excluded.tokens`;

const SPEND = `INSERT INTO spent (account, mode, day, tokens)
  SELECT account, mode, day, sum(tokens) FROM json_to_recordset(CAST(? AS json))
    AS given (account text, mode text, day bigint, tokens bigint)
  GROUP BY account, mode, day HAVING sum(tokens) > 0
  ON CONFLICT (account, mode, day) DO UPDATE SET tokens = spent.tokens + excluded.tokens`;

const NOTE_USE = `UPDATE keys SET last_used_at = greatest(last_used_at, used.at)
  FROM (SELECT key_id, max(last_used_at) AS at FROM json_to_recordset(CAST(? AS json))
    AS given (key_id text, last_used_at bigint) GROUP BY key_id) AS used
  WHERE keys.id = used.key_id`;

const TOTALS = `SELECT account, mode, day, tokens FROM spent WHERE (account, mode, day) IN
  (SELECT account, mode, day FROM json_to_recordset(CAST(? AS json))
     AS given (account text, mode text, day bigint))`;

/** Times are of Postgres: a machine whose clock is wrong would remove what others need. */
const NOW_MS = 'CAST(extract(epoch FROM now()) * 1000 AS bigint)';

const NEXT_BATCH = `INSERT INTO usage_senders (sender, batch, sent_at) VALUES (?, ?, ${NOW_MS})
  ON CONFLICT (sender) DO UPDATE SET batch = excluded.batch, sent_at = excluded.sent_at
    WHERE usage_senders.batch < excluded.batch
  RETURNING batch`;

const OLDEST = `SELECT ${NOW_MS} - ? AS "sentMs", ${NOW_MS} / ${MILLIS_PER_DAY} - ? AS day`;

/** @param db The copy, whose `usage` holds what is not in a batch yet. */
export function createUsageBatches(db: DatabaseSync, sql: Sql) {
  // A copied data folder starts with numbers of its own.
  const sender = randomUUID();
  let batch = 0;
  const select = db.prepare('SELECT * FROM sending');
  const { batchRows, batchesKeptMs, spentDays, pruneBatches } = limits.postgres;
  const fill = db.prepare(
    `INSERT INTO sending SELECT ?, ?, account, mode, day, key_id, endpoint, method, calls, errors,
       tokens, (SELECT last_used_at FROM keys WHERE id = key_id) FROM usage
     ORDER BY account, mode, day, key_id, endpoint, method LIMIT ${batchRows}`,
  );
  const drain = db.prepare(
    `DELETE FROM usage WHERE (account, mode, day, key_id, endpoint, method) IN
       (SELECT account, mode, day, key_id, endpoint, method FROM sending)`,
  );

  const remove = db.prepare('DELETE FROM sending WHERE sender = ? AND batch = ?');

  /** Returns the batch that was not confirmed, or a new one. */
  function take(): SentRow[] {
    return inTransaction(db, () => {
      const left = select.all() as unknown as SentRow[];
      if (left.length > 0) return left;
      if (Number(fill.run(sender, batch + 1).changes) === 0) return [];
      batch++;
      drain.run();
      return select.all() as unknown as SentRow[];
    });
  }

  /** @returns the totals that Postgres has with the batch. */
  async function send(rows: readonly SentRow[]): Promise<SpentRow[]> {
    const json = JSON.stringify(rows);
    return await sql.transaction(
      async (tx) => {
        if (await tx.get(NEXT_BATCH, rows[0].sender, rows[0].batch)) {
          await tx.run(ADD, json);
          await tx.run(NOTE_USE, json);
          await tx.run(SPEND, json);
        }
        return await tx.all<SpentRow>(TOTALS, json);
      },
      { lock: 'keys' },
    );
  }

  /** Removes numbers of old senders, and totals of past days, which no quota needs. */
  async function prune(): Promise<void> {
    const oldest = await sql.get<{ sentMs: number; day: number }>(OLDEST, batchesKeptMs, spentDays);
    const { sentMs, day } = oldest!;
    await sql.run('DELETE FROM usage_senders WHERE sent_at < ?', sentMs);
    await sql.run('DELETE FROM spent WHERE day < ?', day);
    db.prepare('DELETE FROM spent WHERE day < ?').run(day);
  }

  return {
    /** Sends all usage: a batch that Postgres did not take before, then what came after it. */
    async push(): Promise<void> {
      for (let rows = take(); rows.length > 0; rows = take()) {
        const totals = await send(rows);
        inTransaction(db, () => {
          // Another server over this folder may have filled the next batch.
          remove.run(rows[0].sender, rows[0].batch);
          putSpent(db, totals);
        });
        if ((rows[0].batch - 1) % pruneBatches === 0) await prune();
      }
    },
  };
}
