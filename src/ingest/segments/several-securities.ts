/** Refuses series whose rows of one stamp are bars of several securities, and not versions of one. */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { BaseInterval } from '../../base/time/intervals.ts';
import { jsonTable, selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import { areSeveralSecurities, OPEN_RATIO_MAX } from './bar-versions.ts';
import { sqlString } from './sql-text.ts';

/** Beginning of the reason. */
export const SEVERAL = 'it holds several securities';

interface Doubled {
  series: number;
  bars: number;
  apart: number;
  reason: string;
}

/**
 * Gives the rows of such a series in `judged` a reason. The rows of a stamp have prices apart if
 * their ranges have no price in common, or their opens differ by more than half a percent. A series
 * is refused by `areSeveralSecurities`, so that a few corrected bars pass.
 *
 * @param isDuplicateSql Condition for rows whose only fault is a later row of their stamp.
 */
export async function refuseSeveralSecurities(
  connection: DuckDBConnection,
  interval: BaseInterval,
  isDuplicateSql: string,
): Promise<void> {
  const format = interval === '1d' ? '%Y-%m-%d' : '%Y-%m-%d %H:%M UTC';
  const doubled = await selectRows<Doubled>(
    connection,
    `SELECT series, count(*)::DOUBLE AS bars, count(*) FILTER (is_apart)::DOUBLE AS apart,
       ${sqlString(`${SEVERAL} (`)} || any_value(fact ORDER BY ts) FILTER (is_apart)
       || '): name them in a column "symbol"' AS reason
     FROM (
       SELECT series, ts,
         max(open) > ${OPEN_RATIO_MAX} * min(open) OR max(low) > min(high) AS is_apart,
         strftime(ts, '${format}') || ' stands ' || count(*) || ' times with prices from '
           || ${shortSql('min(close)')} || ' to ' || ${shortSql('max(close)')} AS fact
       FROM judged
       WHERE (reason IS NULL OR ${isDuplicateSql})
         AND series IN (SELECT series FROM judged WHERE ${isDuplicateSql})
       GROUP BY series, ts)
     GROUP BY series`,
  );
  const found = doubled
    .filter(({ apart, bars }) => areSeveralSecurities(apart, bars))
    .map(({ series, reason }) => ({ series, reason }));
  if (found.length === 0) return;
  await connection.run(
    `UPDATE judged SET reason = several.reason
     FROM (SELECT * FROM ${jsonTable({ series: 'INTEGER', reason: 'VARCHAR' })}) AS several
     WHERE judged.series = several.series AND (judged.reason IS NULL OR ${isDuplicateSql.replaceAll('reason', 'judged.reason')})`,
    [JSON.stringify(found)],
  );
}

function shortSql(numberSql: string): string {
  return `regexp_replace((${numberSql})::VARCHAR, '[.]0$', '')`;
}
