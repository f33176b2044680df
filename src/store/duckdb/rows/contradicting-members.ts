/** Finds memberships that can't both be true. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { members } from '../../../base/datasets/universes.ts';
import { HeldLoadError } from '../../../base/errors.ts';
import { selectRows } from '../connection/sql-rows.ts';

/** SQL of the days of a row `r`, as its file states them. */
const daysOf = (r: string) => `${r}."from" || ' to ' || coalesce(${r}."to"::VARCHAR, 'today')`;

/**
 * Pairs of rows that contradict: days of a security in an index overlap, or an index has days and
 * lists of all members. Securities are those of the facts that are stated by now.
 */
const CONTRADICTIONS = `
  WITH r AS (SELECT rowid AS id, * FROM ${members.table}
      WHERE "index" IN (SELECT "index" FROM changed_rows)),
    spans AS (FROM r WHERE date IS NULL),
    kinds AS (SELECT "index", arg_min(r, id) FILTER (date IS NULL) AS span,
      arg_min(r, id) FILTER (date IS NOT NULL) AS list FROM r GROUP BY "index")
  SELECT a."index" || ' has ' || a.ticker || ' from ' || ${daysOf('a')} || ', and ' ||
    b.ticker || ' from ' || ${daysOf('b')} AS reason
  FROM spans a JOIN spans b ON a."index" = b."index" AND a.symbol = b.symbol
    AND (a."from", a.id) < (b."from", b.id) AND b."from" <= coalesce(a."to", DATE '9999-12-31')
  UNION ALL
  SELECT "index" || ' has days of members (' || span.ticker || ' from ' || ${daysOf('span')} ||
    '), and lists of all members (' || list.date || ')'
  FROM kinds WHERE span IS NOT NULL AND list IS NOT NULL`;

/** Lists of all members that a load brought, with less than half of those of the list before. */
const CUT_LISTS = `
  SELECT "index" || ' of ' || date || ' has ' || members || ' members, and the list before has ' ||
    before AS reason
  FROM (SELECT *, lag(members) OVER (PARTITION BY "index" ORDER BY date) AS before
    FROM (SELECT "index", date, count(*) AS members FROM ${members.table}
      WHERE date IS NOT NULL GROUP BY ALL))
  WHERE members < before / 2 AND ("index", date) IN (SELECT ("index", date) FROM changed_rows)`;

/** @throws {HeldLoadError} Memberships contradict those of `changed_rows`, or a list is cut short. */
export async function requireNoContradiction(
  connection: DuckDBConnection,
  origin: string,
): Promise<void> {
  const [cut] = await selectRows<{ reason: string }>(
    connection,
    `SELECT reason FROM (${CUT_LISTS}) ORDER BY reason LIMIT 1`,
  );
  if (cut) throw new HeldLoadError(`${origin}: a list may be cut short: ${cut.reason}`);
  const found = await selectRows<{ reason: string }>(
    connection,
    `SELECT reason FROM (${CONTRADICTIONS}) ORDER BY reason`,
  );
  if (found.length === 0) return;
  const more = found.length === 1 ? '' : ` (and ${found.length - 1} more)`;
  throw new HeldLoadError(
    `${origin}: memberships contradict: ${found[0].reason}${more}. If they are of two companies, say so first (symbols rename, symbols part); else correct the file, with equal from days to replace stored rows`,
  );
}
