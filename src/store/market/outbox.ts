/** Events, written in the transaction of what they tell of; a relay delivers them at least once. */

import { createHash } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { CandleSegment } from './candle-segment.ts';
import type { ChangesOfLoad } from './changes.ts';
import { sqlTimestamp } from './sql-rows.ts';

/**
 * One `candles.updated` for a load.
 *
 * Its id follows from the segment, so a consumer that sees a load twice, after a restore for
 * instance, can tell. `symbols` is cut at `limits.store.eventSymbolsMax`; `symbolCount` is not.
 *
 * @param changes What the load changed of what is served.
 */
export async function writeCandlesUpdated(
  connection: DuckDBConnection,
  segment: CandleSegment,
  { accepted, changes, nowMs }: { accepted: number; changes: ChangesOfLoad; nowMs: number },
): Promise<void> {
  const type = 'candles.updated';
  const eventId = `evt_${createHash('sha256').update(`${type} ${segment.id}`).digest('hex').slice(0, 32)}`;
  const payload = {
    segment: segment.id,
    source: segment.source,
    interval: segment.interval,
    rowCount: accepted,
    symbolCount: changes.symbolCount,
    symbols: changes.symbols,
  };
  await connection.run(`INSERT INTO outbox VALUES ($1, $2, $3, ${sqlTimestamp(nowMs * 1000)})`, [
    eventId,
    type,
    JSON.stringify(payload),
  ]);
}
