/** Reads columns of the stored series that may make up one (symbol, interval). */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { StoredInterval } from '../../../base/time/intervals.ts';
import { barTable } from '../connection/bar-table.ts';
import { chunksOf, columnOfChunk } from '../connection/chunk-columns.ts';
import { listsOf, listTable } from '../connection/sql-rows.ts';
import type { VintageBars } from './factor.ts';
import { overlapSpans } from './vintages.ts';
import type { Candidate, Closes } from './winner-pieces.ts';

export const SPAN_COLUMNS = { seriesId: 'INTEGER', fromUs: 'BIGINT', toUs: 'BIGINT' } as const;

/** Reads the bars of vintages within the spans that they may share, by series. */
export async function readOverlaps(
  connection: DuckDBConnection,
  interval: StoredInterval,
  groups: readonly (readonly Candidate[])[],
): Promise<Map<number, VintageBars>> {
  const spans = groups.flatMap((vintages) => {
    const shared = overlapSpans(vintages);
    return vintages.flatMap(({ seriesId }, i) => (shared[i] ? { seriesId, ...shared[i] } : []));
  });
  const ids = spans.map(({ seriesId }) => seriesId);
  const sql = `SELECT b.series_id, epoch_us(b.ts)::DOUBLE, b.open, b.high, b.low, b.close,
      b.volume
    FROM ${barTable(interval).bars} b JOIN ${listTable(SPAN_COLUMNS)} s
      ON b.series_id = s."seriesId"
      AND b.ts BETWEEN make_timestamp(s."fromUs") AND make_timestamp(s."toUs")`;
  const columns = await readColumns(connection, ids, sql, listsOf(spans, SPAN_COLUMNS));
  return new Map(
    columns.entries().map(([id, [timestampUs, open, high, low, close, volume]]) => {
      return [id, { timestampUs, prices: [open, high, low, close], volume }];
    }),
  );
}

/** Reads the session closes of series. There is no trading at 4 and 5 UTC, New York's midnight. */
export async function readCloses(
  connection: DuckDBConnection,
  interval: StoredInterval,
  ids: readonly number[],
): Promise<Map<number, Closes>> {
  const rows = `FROM ${barTable(interval).bars} WHERE series_id IN (${ids.join(',')})`;
  const sql =
    interval === '1d'
      ? `SELECT series_id, epoch_us(ts)::DOUBLE, close ${rows}`
      : `SELECT series_id, epoch_us(max(ts))::DOUBLE, arg_max(close, ts) ${rows}
         GROUP BY series_id, (ts - INTERVAL 4 HOUR)::DATE`;
  const columns = await readColumns(connection, ids, sql);
  return new Map(
    columns.entries().map(([id, [timestampUs, close]]) => [id, { timestampUs, close }]),
  );
}

/** Reads rows (series id INTEGER, time and values DOUBLE) into columns by series, sorted by time. */
async function readColumns(
  connection: DuckDBConnection,
  ids: readonly number[],
  sql: string,
  values?: string[],
): Promise<Map<number, Float64Array[]>> {
  const found = new Map<number, number[][]>(ids.map((id) => [id, [[], [], [], [], [], []]]));
  if (ids.length > 0) {
    for await (const chunk of chunksOf(await connection.stream(sql, values))) {
      const width = chunk.columnCount - 1;
      const columns = Array.from({ length: width }, (_, i) =>
        columnOfChunk<Float64Array>(chunk, i + 1),
      );
      for (const [row, id] of columnOfChunk<Int32Array>(chunk, 0).entries()) {
        const into = found.get(id)!;
        for (let i = 0; i < width; i++) into[i].push(columns[i][row]);
      }
    }
  }
  return new Map(
    found.entries().map(([id, columns]) => {
      const [times] = columns;
      const order = Uint32Array.from(times.keys()).sort((a, b) => times[a] - times[b]);
      return [id, columns.map((column) => Float64Array.from(order, (row) => column[row]))];
    }),
  );
}
