/**
 * Check that the bars of a load agree with those of a newer file in place of which they are not
 * served. The newer file would be held if it came second, so that no order of two files hides that
 * they are of two securities, or in two units.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { limits } from '../../../base/limits.ts';
import { barTable } from '../connection/bar-table.ts';
import { exists, selectRows } from '../connection/sql-rows.ts';
import { type ComparedBars, findContradiction } from '../vintages/agreement.ts';
import { comparedBars, type NewRows, readColumns, VALUES } from './replaced-bars.ts';
import { type SeriesHold, timeText } from './series-hold.ts';

const { noise, sameNoise } = limits.sanity.agreement;

/** @param known Symbols that are held already. */
export async function holdForOutdated(
  connection: DuckDBConnection,
  rows: NewRows,
  known: ReadonlySet<string>,
): Promise<SeriesHold | undefined> {
  if (!(await exists(connection, outdatedSql(rows)))) return undefined;
  await connection.run(`CREATE OR REPLACE TEMP TABLE outdated_pairs AS
    ${rows.isMerged ? mergedPairs(rows) : ownPairs(rows)}`);
  const kind = rows.isMerged ? 'same' : 'scaled';
  const ratio = 'o_close / (n_close * n_factor)';
  const symbols = await selectRows<{ symbol: string }>(
    connection,
    `SELECT symbol FROM outdated_pairs GROUP BY symbol
     HAVING max(${ratio}) > min(${ratio}) * ${1 + 2 * noise}
       OR median(${ratio}) NOT BETWEEN ${1 / (1 + sameNoise)} AND ${1 + sameNoise} ORDER BY symbol`,
  );
  const found: SeriesHold['found'][number][] = [];
  for (const { symbol } of symbols) {
    if (known.has(symbol)) continue;
    const bars = await readPairs(connection, symbol);
    const rowsApart = apartRows(bars, kind);
    const contradiction = findContradiction(bars, { kind, isAhead: true });
    const isMost = rowsApart.length * 2 > bars.slack.length;
    if (!contradiction || !(isMost || contradiction.kind === 'level')) continue;
    const row = rowsApart[0] ?? contradiction.row;
    const [us, close, served] = [bars.timestampUs[row], bars.older[3][row], bars.newer[3][row]];
    const count = rowsApart.length || contradiction.count;
    const [own, stored] = [close, served].map((price) => Number(price.toPrecision(7)));
    const detail =
      `differs in ${count} of ${bars.slack.length} bars; ` +
      `on ${timeText(rows.interval)(us)} it closes at ${own}, stored is ${stored}`;
    found.push({ symbol, detail, contradicts: { us, close } });
  }
  if (found.length === 0) return undefined;
  return {
    check: 'other prices',
    verbs: ['contradicts', 'contradict'],
    text: 'the stored bars of a newer file (load another security under a ticker of its own)',
    found,
  };
}

/** Returns the rows whose closes differ: equal ones are expected, or, if scaled, one ratio. */
function apartRows({ older, newer, slack }: ComparedBars, kind: 'same' | 'scaled'): number[] {
  const ratios = older[3].map((close, row) => Math.log(close / newer[3][row]));
  const level = kind === 'same' ? 0 : ratios.toSorted()[ratios.length >> 1];
  const least = kind === 'same' ? sameNoise : noise;
  return [...ratios.keys()].filter((row) => Math.abs(ratios[row] - level) > least + slack[row]);
}

const pricesOf = (side: string, alias: string) =>
  VALUES.map((price) => `${alias}.${price} AS ${side}_${price}`).join(', ');

/** Returns SQL of rows that lose, or of series none of which is served: the splices show the others. */
function outdatedSql({ isMerged, firstFileId, firstSeriesId }: NewRows): string {
  return isMerged
    ? `SELECT 1 FROM conflicts WHERE place > 1 AND file_id >= ${firstFileId}`
    : `SELECT 1 FROM series ANTI JOIN winners USING (series_id) WHERE series_id >= ${firstSeriesId}`;
}

/** Returns SQL of rows of new files beside the stored rows that win over them, and equal ones. */
function mergedPairs({ firstFileId, interval }: NewRows): string {
  const own = VALUES.map((price) => `coalesce(o.${price}, n.${price}) AS o_${price}`).join(', ');
  return `
    WITH lost AS (
      FROM conflicts WHERE place > 1 AND file_id >= ${firstFileId}
      QUALIFY row_number() OVER (PARTITION BY series_id, ts ORDER BY place) = 1)
    SELECT w.symbol, n.ts, ${own}, 1::DOUBLE AS o_factor, ${pricesOf('n', 'n')}, 1::DOUBLE AS n_factor
    FROM (FROM conflicts WHERE place = 1 AND file_id < ${firstFileId}) n
    LEFT JOIN lost o USING (series_id, ts)
    JOIN winners w ON w.series_id = n.series_id AND n.ts BETWEEN w.from_ts AND w.to_ts
    WHERE w.interval = '${interval}' AND w.series_id IN (SELECT series_id FROM lost)`;
}

/** Returns SQL of bars of new series beside older series of their source that are served. */
function ownPairs({ firstSeriesId, interval }: NewRows): string {
  const { bars } = barTable(interval);
  return `
    WITH own AS (
      SELECT n.symbol, n.series_id, n.first_ts, n.last_ts, w.series_id AS served_id, w.from_ts,
        w.to_ts, w.factor
      FROM series n JOIN winners w ON w.symbol = n.symbol AND w.interval = n.interval
      JOIN series s ON s.series_id = w.series_id
      WHERE n.interval = '${interval}' AND n.series_id >= ${firstSeriesId}
        AND w.series_id < ${firstSeriesId} AND n.source = s.source AND n.basis = s.basis
        AND w.from_ts <= n.last_ts AND n.first_ts <= w.to_ts
      QUALIFY row_number() OVER (
        PARTITION BY n.symbol, w.series_id, w.from_ts ORDER BY n.series_id DESC) = 1)
    SELECT o.symbol, a.ts, ${pricesOf('o', 'b')}, 1::DOUBLE AS o_factor, ${pricesOf('n', 'a')},
      o.factor AS n_factor
    FROM own o JOIN ${bars} a ON a.series_id = o.served_id AND a.ts BETWEEN o.from_ts AND o.to_ts
    JOIN ${bars} b ON b.series_id = o.series_id AND b.ts = a.ts`;
}

async function readPairs(connection: DuckDBConnection, symbol: string): Promise<ComparedBars> {
  const columns = ['o', 'n'].flatMap((side) =>
    [...VALUES, 'factor'].map((one) => `${side}_${one}`),
  );
  const sql = `SELECT epoch_us(ts)::DOUBLE, ${columns} FROM outdated_pairs
    WHERE symbol = $1 AND o_close > 0 AND n_close > 0 ORDER BY ts`;
  return comparedBars(await readColumns(connection, sql, symbol));
}
