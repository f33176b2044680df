/** Served bars as columns, series by series, for publishing. */

import type { BarColumns, Basis } from '../../../base/bars.ts';
import { limits } from '../../../base/limits.ts';
import type { StoredInterval } from '../../../base/time/intervals.ts';
import { barTable } from '../connection/bar-table.ts';
import { streamChunks } from '../connection/chunk-columns.ts';
import type { MarketDb } from '../connection/open.ts';
import {
  jsonTable,
  selectColumn,
  selectRows,
  selectValue,
  sqlTimestamp,
} from '../connection/sql-rows.ts';
import { gatherBars } from './gather-bars.ts';
import type { Piece } from './series.ts';

/** Bars of all pieces of a symbol, with the provenance of the best series among them. */
export interface WinningSeries {
  symbol: string;
  source: string;
  basis: Basis;
  asOfUs: bigint;
  bars: BarColumns;
}

interface Wanted extends Omit<WinningSeries, 'bars'> {
  pieces: Piece[];
  /** Number of rows of the pieces' series, or an estimate for the pieces. */
  rowsExpected: number;
}

interface PieceRow extends Piece {
  symbol: string;
  source: string;
  basis: Basis;
  asOfUs: number;
  rowCount: number;
}

/** New bars are mostly one or a few a series; memory for its past would be wasted. */
const NEW_ROWS_EXPECTED = 16;

/** Sorting this share of all rows costs as much as reading all of them (2.9 against 8 M rows/s). */
const SORTED_SHARE = 0.36;

/**
 * Streams whole served series in no stated order. Series that are in one piece on disk come first,
 * read without a sort. One series is in memory at a time.
 *
 * @param symbols Symbols to read; default: all.
 */
export async function* streamWinningBars(
  db: MarketDb,
  interval: StoredInterval,
  symbols?: readonly string[],
): AsyncGenerator<WinningSeries> {
  const wanted = await readWanted(db, interval, symbols);
  if (!(await isWorthScanning(db, interval, wanted))) {
    yield* streamSorted(db, interval, wanted);
    return;
  }
  const fragmented = await readFragmented(db, interval);
  const isWhole = ({ pieces }: Wanted) =>
    pieces.length === 1 && !fragmented.has(pieces[0].seriesId);
  yield* streamScanned(db, interval, wanted.filter(isWhole));
  yield* streamSorted(
    db,
    interval,
    wanted.filter((series) => !isWhole(series)),
  );
}

/**
 * Streams the newest bars of served series, in no stated order.
 *
 * @param fromUs First bar by symbol, in microseconds.
 */
export async function* streamNewBars(
  db: MarketDb,
  interval: StoredInterval,
  fromUs: ReadonlyMap<string, number>,
): AsyncGenerator<WinningSeries> {
  const wanted = await readWanted(db, interval, [...fromUs.keys()]);
  for (const series of wanted) {
    const from = fromUs.get(series.symbol)!;
    series.rowsExpected = NEW_ROWS_EXPECTED;
    series.pieces = series.pieces
      .filter(({ toUs }) => toUs >= from)
      .map((piece) => ({ ...piece, fromUs: Math.max(piece.fromUs, from) }));
  }
  const newer = wanted.filter(({ pieces }) => pieces.length > 0);
  yield* streamSorted(db, interval, newer);
}

async function readWanted(
  { connection }: MarketDb,
  interval: StoredInterval,
  symbols?: readonly string[],
): Promise<Wanted[]> {
  const names = symbols?.map((symbol) => ({ symbol }));
  const rows = await selectRows<PieceRow>(
    connection,
    `SELECT w.symbol, s.source, s.basis, epoch_us(s.as_of)::DOUBLE AS "asOfUs",
       s.row_count::DOUBLE AS "rowCount", w.series_id AS "seriesId", w.factor, w.split_factor AS "splitFactor",
       epoch_us(w.from_ts)::DOUBLE AS "fromUs", epoch_us(w.to_ts)::DOUBLE AS "toUs"
     FROM winners w
     ${names ? `SEMI JOIN ${jsonTable({ symbol: 'VARCHAR' })} n ON n.symbol = w.symbol` : ''}
     JOIN series s ON s.series_id = w.series_id
     JOIN source_priority p ON p.source = s.source
     WHERE w.interval = '${interval}'
     ORDER BY w.symbol, p.priority, s.as_of DESC, s.modified DESC, s.sha256 DESC`,
    names && [JSON.stringify(names)],
  );
  return [...Map.groupBy(rows, ({ symbol }) => symbol).values()].map((pieces) => ({
    symbol: pieces[0].symbol,
    source: pieces[0].source,
    basis: pieces[0].basis,
    asOfUs: BigInt(pieces[0].asOfUs),
    pieces,
    rowsExpected: rowsOfSeries(pieces),
  }));
}

/** Counts each series once, since it may be served in several pieces. */
function rowsOfSeries(pieces: readonly PieceRow[]): number {
  const counts = new Map(pieces.map(({ seriesId, rowCount }) => [seriesId, rowCount]));
  return counts.values().reduce((sum, count) => sum + count, 0);
}

async function isWorthScanning(
  { connection }: MarketDb,
  interval: StoredInterval,
  wanted: readonly Wanted[],
): Promise<boolean> {
  const total = await selectValue<number>(
    connection,
    `SELECT coalesce(sum(row_count), 0)::DOUBLE FROM series
     WHERE (interval = '1d') = ${interval === '1d'}`,
  );
  return wanted.reduce((sum, { rowsExpected }) => sum + rowsExpected, 0) >= total * SORTED_SHARE;
}

/** Returns series whose rows are not together in order of time, in one pass over two columns. */
async function readFragmented(
  { connection }: MarketDb,
  interval: StoredInterval,
): Promise<Set<number>> {
  const found = await selectColumn<number>(
    connection,
    `SELECT series_id FROM (
       SELECT series_id, ts, lag(series_id) OVER () AS previous, lag(ts) OVER () AS previous_ts
       FROM ${barTable(interval).bars})
     WHERE previous IS DISTINCT FROM series_id OR ts <= previous_ts
     GROUP BY series_id HAVING count(*) > 1`,
  );
  return new Set(found);
}

async function* streamScanned(
  db: MarketDb,
  interval: StoredInterval,
  wanted: readonly Wanted[],
): AsyncGenerator<WinningSeries> {
  if (wanted.length === 0) return;
  const seriesById = new Map(wanted.map((series) => [series.pieces[0].seriesId, series]));
  const ids = [...seriesById.keys()].sort((a, b) => a - b);
  const sql = `SELECT series_id, ts, open, high, low, close, volume
    FROM ${barTable(interval).bars}
    WHERE series_id BETWEEN ${ids[0]} AND ${ids[ids.length - 1]}`;
  yield* streamSeries(db, sql, undefined, (seriesId) => seriesById.get(seriesId));
}

/** Streams batches that can be sorted in memory, of series that are near each other if possible. */
async function* streamSorted(
  db: MarketDb,
  interval: StoredInterval,
  wanted: readonly Wanted[],
): AsyncGenerator<WinningSeries> {
  let batch: Wanted[] = [];
  let rowCount = 0;
  for (const series of wanted.toSorted((a, b) => a.pieces[0].seriesId - b.pieces[0].seriesId)) {
    if (rowCount + series.rowsExpected > limits.store.sortRowsMax && batch.length > 0) {
      yield* streamBatch(db, interval, batch);
      batch = [];
      rowCount = 0;
    }
    batch.push(series);
    rowCount += series.rowsExpected;
  }
  yield* streamBatch(db, interval, batch);
}

async function* streamBatch(
  db: MarketDb,
  interval: StoredInterval,
  wanted: readonly Wanted[],
): AsyncGenerator<WinningSeries> {
  const pieces = wanted.flatMap((series, key) => series.pieces.map((piece) => ({ key, ...piece })));
  if (pieces.length === 0) return;
  // Known to the scan, it passes over row groups and rows before they are joined.
  const earliestUs = pieces.reduce((us, { fromUs }) => Math.min(us, fromUs), pieces[0].fromUs);
  const sql = `SELECT p.key, b.ts, b.open * p.factor, b.high * p.factor, b.low * p.factor,
      b.close * p.factor, b.volume / coalesce(p."splitFactor", p.factor)
    FROM ${barTable(interval).bars} b JOIN ${jsonTable({
      key: 'INTEGER',
      seriesId: 'INTEGER',
      fromUs: 'BIGINT',
      toUs: 'BIGINT',
      factor: 'DOUBLE',
      splitFactor: 'DOUBLE',
    })} p ON b.series_id = p."seriesId"
      AND b.ts BETWEEN make_timestamp(p."fromUs") AND make_timestamp(p."toUs")
    WHERE b.ts >= ${sqlTimestamp(earliestUs)}
    ORDER BY p.key, b.ts`;
  yield* streamSeries(db, sql, [JSON.stringify(pieces)], (key) => wanted[key]);
}

async function* streamSeries(
  db: MarketDb,
  sql: string,
  values: string[] | undefined,
  seriesOf: (id: number) => Wanted | undefined,
): AsyncGenerator<WinningSeries> {
  const chunks = streamChunks(db, sql, values);
  for await (const { id, bars } of gatherBars(chunks, (id) => seriesOf(id)?.rowsExpected)) {
    const { symbol, source, basis, asOfUs } = seriesOf(id)!;
    yield { symbol, source, basis, asOfUs, bars };
  }
}
