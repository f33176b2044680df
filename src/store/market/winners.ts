/** Works out anew which series are served for the symbols of a load. */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { Basis } from '../../bars.ts';
import type { Interval } from '../../intervals.ts';
import { limits } from '../../limits.ts';
import { chunksOf, columnOfChunk, runEnd } from './chunk-columns.ts';
import { sourcePriority } from './source-priority.ts';
import { jsonTable, selectRows } from './sql-rows.ts';
import {
  type Candidate,
  type Closes,
  type Piece,
  rivalsInReach,
  winnerPieces,
} from './winner-pieces.ts';

interface SeriesRow extends Candidate {
  symbol: string;
  source: string;
  basis: Basis;
  asOfUs: number;
  sha256: string;
  rowCount: number;
}

/**
 * Replaces the `winners` rows of all symbols in the temporary table `loading_symbols`. Their
 * content depends only on which series there are.
 */
export async function recomputeWinners(
  connection: DuckDBConnection,
  interval: Interval,
): Promise<void> {
  const contests = await readContests(connection, interval);
  const rows: (Piece & { symbol: string })[] = [];
  for (const batch of batchesByRows(contests)) {
    const closes = await readCloses(connection, batch.flatMap(rivalsInReach) as SeriesRow[]);
    for (const candidates of batch) {
      const { symbol } = candidates[0];
      for (const piece of winnerPieces(candidates, closes)) rows.push({ symbol, ...piece });
    }
  }
  await connection.run(
    `DELETE FROM winners USING loading_symbols l
     WHERE winners.symbol = l.symbol AND winners.interval = $1`,
    [interval],
  );
  await connection.run(
    `INSERT INTO winners
     SELECT symbol, $2, "seriesId", make_timestamp("fromUs"), make_timestamp("toUs"), factor
     FROM ${jsonTable({
       symbol: 'VARCHAR',
       seriesId: 'INTEGER',
       fromUs: 'BIGINT',
       toUs: 'BIGINT',
       factor: 'DOUBLE',
     })}`,
    [JSON.stringify(rows), interval],
  );
}

/** Per symbol its candidates, best first. */
async function readContests(
  connection: DuckDBConnection,
  interval: Interval,
): Promise<SeriesRow[][]> {
  const rows = await selectRows<SeriesRow>(
    connection,
    `SELECT symbol, source, basis, sha256, series_id AS "seriesId",
       epoch_us(as_of)::DOUBLE AS "asOfUs",
       epoch_us(first_ts)::DOUBLE AS "firstUs", epoch_us(last_ts)::DOUBLE AS "lastUs",
       row_count::DOUBLE AS "rowCount"
     FROM series SEMI JOIN loading_symbols USING (symbol)
     WHERE interval = $1 AND row_count > 0`,
    [interval],
  );
  const contests = Map.groupBy(rows, ({ symbol }) => symbol);
  return [...contests.values()].map((candidates) => candidates.sort(bestFirst));
}

/** By source, then newest as-of, then greatest hash; the rest only makes equals definite. */
function bestFirst(a: SeriesRow, b: SeriesRow): number {
  return (
    sourcePriority(a.source) - sourcePriority(b.source) ||
    b.asOfUs - a.asOfUs ||
    compareText(b.sha256, a.sha256) ||
    compareText(a.basis, b.basis) ||
    a.seriesId - b.seriesId
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Contests in batches whose closes fit the limit; a single greater contest is a batch too. */
function* batchesByRows(contests: SeriesRow[][]): Generator<SeriesRow[][]> {
  let batch: SeriesRow[][] = [];
  let rowCount = 0;
  for (const candidates of contests) {
    const needed = (rivalsInReach(candidates) as SeriesRow[]).reduce((n, c) => n + c.rowCount, 0);
    if (rowCount + needed > limits.store.winnerClosesMax && batch.length > 0) {
      yield batch;
      batch = [];
      rowCount = 0;
    }
    batch.push(candidates);
    rowCount += needed;
  }
  if (batch.length > 0) yield batch;
}

async function readCloses(
  connection: DuckDBConnection,
  series: readonly SeriesRow[],
): Promise<Map<number, Closes>> {
  const closes = new Map<number, Closes>();
  if (series.length === 0) return closes;
  const filled = new Map<number, number>();
  for (const { seriesId, rowCount } of series) {
    closes.set(seriesId, {
      timestampUs: new Float64Array(rowCount),
      close: new Float64Array(rowCount),
    });
    filled.set(seriesId, 0);
  }
  const result = await connection.stream(
    `SELECT series_id, epoch_us(ts)::DOUBLE, close FROM bars
     WHERE series_id IN (${[...closes.keys()].join(',')})`,
  );
  for await (const chunk of chunksOf(result)) {
    const ids = columnOfChunk<Int32Array>(chunk, 0);
    const timestampUs = columnOfChunk<Float64Array>(chunk, 1);
    const close = columnOfChunk<Float64Array>(chunk, 2);
    for (let start = 0, end = 0; start < ids.length; start = end) {
      end = runEnd(ids, start);
      const columns = closes.get(ids[start])!;
      const at = filled.get(ids[start])!;
      columns.timestampUs.set(timestampUs.subarray(start, end), at);
      columns.close.set(close.subarray(start, end), at);
      filled.set(ids[start], at + end - start);
    }
  }
  for (const [seriesId, columns] of closes) closes.set(seriesId, inOrderOfTime(columns));
  return closes;
}

/** Rows of a raw series lie where their loads put them; all others are in order already. */
function inOrderOfTime({ timestampUs, close }: Closes): Closes {
  if (timestampUs.every((us, i) => i === 0 || us > timestampUs[i - 1])) {
    return { timestampUs, close };
  }
  const order = Uint32Array.from(close.keys()).sort((a, b) => timestampUs[a] - timestampUs[b]);
  return {
    timestampUs: Float64Array.from(order, (i) => timestampUs[i]),
    close: Float64Array.from(order, (i) => close[i]),
  };
}
