/** Works out anew which series are served for the symbols of a load. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { type Basis, MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../bars.ts';
import { limits } from '../../limits.ts';
import { barTable, type StoredInterval } from './bar-table.ts';
import { chunksOf, columnOfChunk, runEnd } from './chunk-columns.ts';
import { sourcePriority } from './source-priority.ts';
import { listsOf, listTable, selectRows } from './sql-rows.ts';
import {
  type Candidate,
  type Closes,
  type Piece,
  rivalsInReach,
  winnerPieces,
} from './winner-pieces.ts';

const MICROS_PER_DAY = MILLIS_PER_DAY * MICROS_PER_MILLI;

const PIECE_COLUMNS = {
  symbol: 'VARCHAR',
  seriesId: 'INTEGER',
  fromUs: 'BIGINT',
  toUs: 'BIGINT',
  factor: 'DOUBLE',
} as const;

interface SeriesRow extends Candidate {
  symbol: string;
  source: string;
  basis: Basis;
  asOfUs: number;
  sha256: string;
  /** As its inputs state it. */
  ticker: string;
  rowCount: number;
}

/**
 * Replaces the `winners` rows of all symbols in the temporary table `loading_symbols`. Their
 * content depends only on which series there are.
 */
export async function recomputeWinners(
  connection: DuckDBConnection,
  interval: StoredInterval,
): Promise<void> {
  const contests = await readContests(connection, interval);
  const rows: (Piece & { symbol: string })[] = [];
  for (const batch of batchesByCloses(contests)) {
    const rivals = batch.flatMap(rivalsInReach) as SeriesRow[];
    const closes = await readCloses(connection, interval, rivals);
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
     SELECT symbol, '${interval}', "seriesId", make_timestamp("fromUs"), make_timestamp("toUs"),
       factor
     FROM ${listTable(PIECE_COLUMNS)}`,
    listsOf(rows, PIECE_COLUMNS),
  );
}

/** Per symbol its candidates, best first. */
async function readContests(
  connection: DuckDBConnection,
  interval: StoredInterval,
): Promise<SeriesRow[][]> {
  const rows = await selectRows<SeriesRow>(
    connection,
    `SELECT symbol, source, basis, sha256, ticker, series_id AS "seriesId",
       CASE WHEN basis = 'raw' THEN source END AS feed,
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
    compareText(a.ticker, b.ticker) ||
    a.seriesId - b.seriesId
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Contests in batches whose closes fit the limit; a single greater contest is a batch too. */
function* batchesByCloses(contests: SeriesRow[][]): Generator<SeriesRow[][]> {
  let batch: SeriesRow[][] = [];
  let count = 0;
  for (const candidates of contests) {
    const needed = (rivalsInReach(candidates) as SeriesRow[]).reduce((n, c) => n + closesMax(c), 0);
    if (count + needed > limits.store.winnerClosesMax && batch.length > 0) {
      yield batch;
      batch = [];
      count = 0;
    }
    batch.push(candidates);
    count += needed;
  }
  if (batch.length > 0) yield batch;
}

/** At most one close a day, and one a row. */
function closesMax({ rowCount, firstUs, lastUs }: SeriesRow): number {
  return Math.min(rowCount, Math.floor((lastUs - firstUs) / MICROS_PER_DAY) + 2);
}

async function readCloses(
  connection: DuckDBConnection,
  interval: StoredInterval,
  series: readonly SeriesRow[],
): Promise<Map<number, Closes>> {
  const closes = new Map<number, Closes>();
  if (series.length === 0) return closes;
  const filled = new Map<number, number>();
  for (const candidate of series) {
    const most = closesMax(candidate);
    closes.set(candidate.seriesId, {
      timestampUs: new Float64Array(most),
      close: new Float64Array(most),
    });
    filled.set(candidate.seriesId, 0);
  }
  const result = await connection.stream(closesSql(interval, [...closes.keys()]));
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
  for (const [seriesId, { timestampUs, close }] of closes) {
    const count = filled.get(seriesId)!;
    const used = { timestampUs: timestampUs.subarray(0, count), close: close.subarray(0, count) };
    closes.set(seriesId, inOrderOfTime(used));
  }
  return closes;
}

/** Closes of sessions, in any order. No trading goes on when New York's day turns at 4 or 5 UTC. */
function closesSql(interval: StoredInterval, seriesIds: readonly number[]): string {
  const rows = `FROM ${barTable(interval).bars} WHERE series_id IN (${seriesIds.join(',')})`;
  return interval === '1d'
    ? `SELECT series_id, epoch_us(ts)::DOUBLE, close ${rows}`
    : `SELECT series_id, epoch_us(max(ts))::DOUBLE, arg_max(close, ts) ${rows}
       GROUP BY series_id, (ts - INTERVAL 4 HOUR)::DATE`;
}

/** Rows of a raw series lie where their loads put them, and sessions come in any order. */
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
