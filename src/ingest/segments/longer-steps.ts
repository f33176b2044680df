/** Finds symbols whose bars are longer than those of the file that they stand in. */

import type { StoredIntraday } from '../../base/time/intervals.ts';
import { selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import { STEP_SECONDS } from './row-rules.ts';
import type { Scratch } from './scratch.ts';
import { sqlString } from './sql-text.ts';

/**
 * Numbers of steps, and of stamps that are all so many apart by no chance: of minutes, one in a
 * hundred thousand. Every longer length is a multiple of one of them.
 */
const FACTORS = [
  { factor: 2, stampsMin: 20 },
  { factor: 3, stampsMin: 13 },
  { factor: 5, stampsMin: 9 },
] as const;

/** Condition over the stamps `ts` of a symbol: all lie on a longer step than that of the file. */
export function isLongerSql(interval: StoredIntraday): string {
  const step = `(epoch_us(ts) // ${STEP_SECONDS[interval] * 1_000_000})`;
  return FACTORS.map(
    ({ factor, stampsMin }) => `(count(DISTINCT ts) >= ${stampsMin}
      AND min(${step} % ${factor}) = max(${step} % ${factor}))`,
  ).join(' OR ');
}

/** Gives `series_of` a reason for each symbol of `text_rows` with longer bars. */
export async function refuseLongerSteps(scratch: Scratch, interval: StoredIntraday): Promise<void> {
  const connection = await scratch.connect();
  const found = await selectRows<{ file: number; key: string; minutes: number }>(
    connection,
    `WITH longer AS (SELECT file_index, symbol_key FROM text_rows WHERE ts IS NOT NULL
       GROUP BY ALL HAVING ${isLongerSql(interval)})
     SELECT file_index AS file, symbol_key AS key,
       (min(epoch_us(ts) - before) // 60000000)::DOUBLE AS minutes
     FROM (SELECT file_index, symbol_key, ts,
         lag(epoch_us(ts)) OVER (PARTITION BY file_index, symbol_key ORDER BY ts) AS before
       FROM (SELECT DISTINCT file_index, symbol_key, ts FROM text_rows
         SEMI JOIN longer USING (file_index, symbol_key) WHERE ts IS NOT NULL))
     GROUP BY ALL`,
  );
  for (const { file, key, minutes } of found) {
    const reason = `it holds bars of ${lengthText(minutes)} in a file of bars of ${interval}: put them into a file of their own, or say with --interval that they are of ${interval} with gaps`;
    await connection.run(
      `UPDATE series_of SET reason = ${sqlString(reason)}
       WHERE file_index = ${file} AND symbol_key = $1 AND is_asked AND reason IS NULL`,
      [key],
    );
  }
}

const MINUTES_PER_DAY = 1440;

function lengthText(minutes: number): string {
  if (minutes % MINUTES_PER_DAY === 0) return `${minutes / MINUTES_PER_DAY}d`;
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
}
