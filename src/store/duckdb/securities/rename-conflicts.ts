import type { DuckDBConnection } from '@duckdb/node-api';
import { TapeworksError } from '../../../base/errors.ts';
import { dateFromDay } from '../../../base/time/dates.ts';
import { selectRows } from '../connection/sql-rows.ts';
import type { Histories } from './securities.ts';

/** Common sessions whose closes are compared, and how well they must agree after one factor. */
const SESSIONS = 5;
const TOLERANCE = 0.001;

/**
 * Checks that the ticker is free that day. A security that never had another ticker may come from
 * data loaded before the rename: it is the same security, unless their bars disagree.
 *
 * @returns the other security if it is the same one.
 * @throws {TapeworksError} the ticker is another security's.
 */
export async function checkTickerFree(
  connection: DuckDBConnection,
  { spans, stored }: Histories,
  { securityId, from, to, day }: { securityId: number; from: string; to: string; day: number },
): Promise<number | undefined> {
  const holder = spans.find(
    (span) =>
      span.ticker === to &&
      span.securityId !== securityId &&
      (span.toDay === null || span.toDay >= day),
  );
  if (!holder) return undefined;
  if (holder.toDay !== null) {
    const [name, last] = [stored.get(holder.securityId), dateFromDay(holder.toDay)];
    throw new TapeworksError(
      `${to} was the ticker of ${name} until ${last}: ${from} can have it from a later day on`,
    );
  }
  const isOnly = spans.filter((span) => span.securityId === holder.securityId).length === 1;
  if (isOnly && (await agree(connection, from, to))) return holder.securityId;
  throw new TapeworksError(
    `${to} is another security's ticker${isOnly ? ', with other prices on the same days' : ''}: ` +
      `first say what became of that one, with "symbols rename ${to} NEW --on DATE" or ` +
      `"symbols delist ${to} --on DATE"`,
  );
}

/**
 * Returns true if closes agree. Unadjusted closes must be equal, and so must closes of fewer than
 * five common sessions, where a factor proves nothing.
 */
async function agree(connection: DuckDBConnection, a: string, b: string): Promise<boolean> {
  const rows = await selectRows<{ ratio: number; isRaw: boolean }>(
    connection,
    `SELECT a.close / b.close AS ratio, a.basis = 'raw' AND b.basis = 'raw' AS "isRaw"
     FROM candles a JOIN candles b ON a.ts = b.ts
     WHERE a.symbol = $1 AND b.symbol = $2 AND a.interval = '1d' AND b.interval = '1d'
     ORDER BY a.ts DESC LIMIT ${SESSIONS}`,
    [a, b],
  );
  const ratios = rows.map(({ ratio }) => ratio).sort((x, y) => x - y);
  const mustBeSame = ratios.length < SESSIONS || rows[0].isRaw;
  const factor = mustBeSame ? 1 : ratios[SESSIONS >> 1];
  return ratios.every((ratio) => Math.abs(ratio / factor - 1) <= TOLERANCE);
}
