/** Works out anew which series are served for the symbols of a load. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { type Basis, MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../../base/bars.ts';
import { limits } from '../../../base/limits/limits.ts';
import type { Piece } from '../candles/series.ts';
import { barTable, type StoredInterval } from '../connection/bar-table.ts';
import { chunksOf, columnOfChunk, runEnd } from '../connection/chunk-columns.ts';
import { sourcePriority } from '../connection/source-priority.ts';
import { listsOf, listTable, selectRows } from '../connection/sql-rows.ts';
import type { Joint } from './factor.ts';
import { readOverlaps, SPAN_COLUMNS } from './read-overlaps.ts';
import { type Fold, foldVintages, overlapSpans } from './vintages.ts';
import {
  type Candidate,
  type Closes,
  rivalsInReach,
  vintagesOf,
  winnerPieces,
} from './winner-pieces.ts';

const MICROS_PER_DAY = MILLIS_PER_DAY * MICROS_PER_MILLI;

const SIDE_COLUMNS = { key: 'INTEGER', ...SPAN_COLUMNS } as const;

const PIECE_COLUMNS = {
  symbol: 'VARCHAR',
  seriesId: 'INTEGER',
  fromUs: 'BIGINT',
  toUs: 'BIGINT',
  factor: 'DOUBLE',
} as const;

interface SeriesRow extends Candidate {
  symbol: string;
  interval: StoredInterval;
  source: string;
  basis: Basis;
  asOfUs: number;
  modifiedUs: number;
  sha256: string;
  /** As its inputs state it. */
  ticker: string;
  rowCount: number;
}

/** How vintages of a symbol were joined. */
export interface SymbolJoint extends Joint {
  symbol: string;
}

/**
 * Replaces the `winners` rows of all symbols in the temporary table `loading_symbols`. Their
 * content depends only on which series there are.
 *
 * @returns the joints between vintages that are served.
 */
export async function recomputeWinners(
  connection: DuckDBConnection,
  interval: StoredInterval,
): Promise<SymbolJoint[]> {
  const contests = await withoutRepeats(
    connection,
    interval,
    await readContests(connection, interval),
  );
  const rows: (Piece & { symbol: string })[] = [];
  const joints: SymbolJoint[] = [];
  for (const batch of batchesByBars(contests)) {
    const bars = await readOverlaps(connection, interval, batch.map(vintagesOf));
    const closes = await readCloses(connection, interval, batch.flatMap(comparedSeries));
    for (const candidates of batch) {
      const { symbol } = candidates[0];
      const fold: Fold = foldVintages(vintagesOf(candidates), bars);
      const pieces = winnerPieces(candidates, closes, fold.pieces);
      for (const piece of pieces) rows.push({ symbol, ...piece });
      for (const joint of fold.joints) joints.push({ symbol, ...joint });
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
  return joints;
}

/** Per symbol its candidates, best first. */
async function readContests(
  connection: DuckDBConnection,
  interval: StoredInterval,
): Promise<SeriesRow[][]> {
  const rows = await selectRows<SeriesRow>(
    connection,
    `SELECT symbol, source, basis, sha256, ticker, series_id AS "seriesId",
       interval, epoch_us(as_of)::DOUBLE AS "asOfUs", epoch_us(modified)::DOUBLE AS "modifiedUs",
       epoch_us(first_ts)::DOUBLE AS "firstUs", epoch_us(last_ts)::DOUBLE AS "lastUs",
       row_count::DOUBLE AS "rowCount"
     FROM series SEMI JOIN loading_symbols USING (symbol)
     WHERE interval = $1 AND row_count > 0`,
    [interval],
  );
  const contests = Map.groupBy(rows, ({ symbol }) => symbol);
  return [...contests.values()].map((candidates) => candidates.sort(bestFirst));
}

/** By source, then newest as-of, then newest modification time, then greatest hash; the rest only makes equals definite. */
function bestFirst(a: SeriesRow, b: SeriesRow): number {
  return (
    sourcePriority(a.source) - sourcePriority(b.source) ||
    b.asOfUs - a.asOfUs ||
    b.modifiedUs - a.modifiedUs ||
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

/** Series whose closes the contest needs: none where no other source reaches beyond the best. */
function comparedSeries(candidates: SeriesRow[]): SeriesRow[] {
  const rivals = rivalsInReach(candidates);
  return rivals.length === 0 ? [] : [...vintagesOf(candidates), ...rivals];
}

/**
 * Leaves out the older vintages of a series where all their bars are at times that the newest has
 * too. A whole universe that is loaded again is found to repeat itself in one pass, without a row
 * that leaves DuckDB.
 */
async function withoutRepeats(
  connection: DuckDBConnection,
  interval: StoredInterval,
  contests: SeriesRow[][],
): Promise<SeriesRow[][]> {
  const sides = contests.flatMap((candidates) => {
    const [newest, ...older] = vintagesOf(candidates);
    const isWithin = ({ firstUs, lastUs }: SeriesRow) =>
      firstUs >= newest.firstUs && lastUs <= newest.lastUs;
    if (!older.every(isWithin)) return [];
    return older.flatMap(({ seriesId: key, firstUs, lastUs }) =>
      [key, newest.seriesId].map((seriesId) => ({ key, seriesId, fromUs: firstUs, toUs: lastUs })),
    );
  });
  if (sides.length === 0) return contests;
  const rows = await selectRows<{ key: number }>(
    connection,
    `SELECT key FROM (
       SELECT s.key, s."seriesId", count(*) AS bar_count, bit_xor(hash(b.ts)) AS times
       FROM ${barTable(interval).bars} b JOIN ${listTable(SIDE_COLUMNS)} s
         ON b.series_id = s."seriesId"
         AND b.ts BETWEEN make_timestamp(s."fromUs") AND make_timestamp(s."toUs")
       GROUP BY s.key, s."seriesId")
     GROUP BY key HAVING count(*) = 2 AND min(bar_count) = max(bar_count) AND min(times) = max(times)`,
    listsOf(sides, SIDE_COLUMNS),
  );
  const repeated = new Set(rows.map(({ key }) => key));
  return contests.map((candidates) => {
    const [newest, ...older] = vintagesOf(candidates);
    if (!older.every(({ seriesId }) => repeated.has(seriesId))) return candidates;
    return candidates.filter((one) => one === newest || !older.includes(one));
  });
}

/** Contests in batches whose bars fit the limit; a single greater contest is a batch too. */
function* batchesByBars(contests: SeriesRow[][]): Generator<SeriesRow[][]> {
  let batch: SeriesRow[][] = [];
  let count = 0;
  for (const candidates of contests) {
    const needed =
      comparedSeries(candidates).reduce((n, one) => n + closesMax(one), 0) +
      overlapBarsMax(vintagesOf(candidates)) * BAR_CLOSES;
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

/** A bar with its time takes the room of so many closes with theirs. */
const BAR_CLOSES = 3;

function overlapBarsMax(vintages: readonly SeriesRow[]): number {
  const spans = overlapSpans(vintages);
  return vintages.reduce((sum, { rowCount, interval }, i) => {
    const span = spans[i];
    if (!span) return sum;
    const days = Math.floor((span.toUs - span.fromUs) / MICROS_PER_DAY) + 1;
    return sum + Math.min(rowCount, interval === '1d' ? days : rowCount);
  }, 0);
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
