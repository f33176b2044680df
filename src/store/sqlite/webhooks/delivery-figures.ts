import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Mode } from '../../../base/config/data-dir.ts';
import { readSqlite } from '../../../base/read-sqlite.ts';
import type { EventType } from './event-record.ts';

export interface DeliveryFigures {
  waiting: number;
  /** Count of attempts that are running. */
  active: number;
  /** Count of deliveries that are due later. */
  delayed: number;
  /** Count of failed deliveries, which are kept for a week. */
  dead: number;
  /** Time since which the first waiting delivery is due, in milliseconds; null: none waits. */
  oldestDueMs: number | null;
}

export interface GivenUpDelivery {
  eventId: string;
  webhookId: string;
  mode: Mode;
  type: EventType;
  attempts: number;
  error: string | null;
}

const NONE: DeliveryFigures = { waiting: 0, active: 0, delayed: 0, dead: 0, oldestDueMs: null };

/** Counts deliveries through partial indexes, without opening the file for writing. */
export function readDeliveryFigures(path: string, nowMs: number): DeliveryFigures {
  return readFile(path, NONE, (db) => {
    const row = db
      .prepare(
        `SELECT count(*) FILTER (WHERE next_at <= :now) AS waiting,
           count(*) FILTER (WHERE next_at > :now AND lease IS NOT NULL) AS active,
           count(*) FILTER (WHERE next_at > :now AND lease IS NULL) AS delayed,
           (SELECT count(*) FROM deliveries WHERE status = 'failed') AS dead,
           min(next_at) FILTER (WHERE next_at <= :now) AS oldestDueMs
         FROM deliveries WHERE next_at IS NOT NULL`,
      )
      .get({ now: nowMs });
    return row as unknown as DeliveryFigures;
  });
}

export function listGivenUp(path: string, rowsMax: number): GivenUpDelivery[] {
  return readFile(path, [], (db) => {
    const rows = db
      .prepare(
        `SELECT events.id AS eventId, webhooks.id AS webhookId, webhooks.mode, type, attempts, error
         FROM (SELECT * FROM deliveries WHERE status = 'failed' ORDER BY seq DESC LIMIT ?) AS d
           JOIN events ON events.seq = d.event JOIN webhooks ON webhooks.seq = d.webhook
         ORDER BY d.seq DESC`,
      )
      .all(rowsMax);
    return rows as unknown as GivenUpDelivery[];
  });
}

/** Reads the file; returns `otherwise` if it is missing or has an older schema. */
function readFile<T>(path: string, otherwise: T, read: (db: DatabaseSync) => T): T {
  if (!existsSync(path)) return otherwise;
  return readSqlite(path, (db) => {
    const hasTable = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'deliveries'").get();
    return hasTable ? read(db) : otherwise;
  });
}
