import type { DuckDBConnection } from '@duckdb/node-api';
import { barTable, type StoredInterval } from '../connection/bar-table.ts';
import { chunksOf, columnOfChunk } from '../connection/chunk-columns.ts';
import { listsOf, listTable } from '../connection/sql-rows.ts';
import type { VintageBars } from './factor.ts';
import { overlapSpans } from './vintages.ts';
import type { Candidate } from './winner-pieces.ts';

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
  const rows = new Map<number, number[][]>(
    spans.map(({ seriesId }) => [seriesId, [[], [], [], [], []]]),
  );
  if (spans.length > 0) {
    const result = await connection.stream(
      `SELECT b.series_id, epoch_us(b.ts)::DOUBLE, b.open, b.high, b.low, b.close
       FROM ${barTable(interval).bars} b JOIN ${listTable(SPAN_COLUMNS)} s
         ON b.series_id = s."seriesId"
         AND b.ts BETWEEN make_timestamp(s."fromUs") AND make_timestamp(s."toUs")`,
      listsOf(spans, SPAN_COLUMNS),
    );
    for await (const chunk of chunksOf(result)) {
      const ids = columnOfChunk<Int32Array>(chunk, 0);
      const columns = [1, 2, 3, 4, 5].map((i) => columnOfChunk<Float64Array>(chunk, i));
      for (const [row, id] of ids.entries()) {
        for (const [i, into] of rows.get(id)!.entries()) into.push(columns[i][row]);
      }
    }
  }
  return new Map(rows.entries().map(([seriesId, columns]) => [seriesId, risingBars(columns)]));
}

/** Sorts the rows of a series, which a join gives in any order. */
function risingBars([timestampUs, ...prices]: number[][]): VintageBars {
  const order = Uint32Array.from(timestampUs.keys()).sort(
    (a, b) => timestampUs[a] - timestampUs[b],
  );
  const ordered = (column: number[]) => Float64Array.from(order, (row) => column[row]);
  const [open, high, low, close] = prices.map(ordered);
  return { timestampUs: ordered(timestampUs), prices: [open, high, low, close] };
}
