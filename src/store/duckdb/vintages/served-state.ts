import type { DuckDBConnection } from '@duckdb/node-api';
import type { Basis } from '../../../base/bars.ts';
import type { ActionCoverage } from '../../../base/prices/action-coverage.ts';
import { dayFromMicros } from '../../../base/time/dates.ts';
import { STORED_INTERVALS, type StoredInterval } from '../../../base/time/intervals.ts';
import { readCoverage } from '../candles/read-actions.ts';
import type { Piece } from '../candles/series.ts';
import { storedInterval } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { sourcePriority } from '../connection/source-priority.ts';
import { selectRows } from '../connection/sql-rows.ts';

export interface ServedSeries {
  symbol: string;
  interval: StoredInterval;
  /** In order of time, at least one. */
  pieces: (Piece & { source: string })[];
  /** Source of the best piece. */
  source: string;
  /** Basis of all pieces. */
  basis: Basis;
  /** True for raw days with all splits and dividends of their range known: they are adjusted. */
  isAdjustable: boolean;
}

interface PieceRow extends Piece {
  symbol: string;
  interval: StoredInterval;
  source: string;
  basis: Basis;
}

const LOADING = 'SEMI JOIN loading_symbols USING (symbol)';

export interface ServedState {
  series: Map<string, ServedSeries>;
  /** Winning splits and dividends by symbol, as text; empty if the load states none. */
  actions: Map<string, string>;
}

/**
 * Reads the served state of `loading_symbols`: for the loaded interval, or for all if the load
 * states splits and dividends.
 */
export async function readServedState(
  connection: DuckDBConnection,
  segment: CandleSegment,
): Promise<ServedState> {
  const loaded = storedInterval(segment);
  const intervals = STORED_INTERVALS.filter((base) => segment.actions || base === loaded);
  const series = await readServedSeries(connection, intervals);
  const actions = segment.actions ? await readActionTexts(connection) : new Map<string, string>();
  return { series, actions };
}

async function readServedSeries(
  connection: DuckDBConnection,
  intervals: readonly StoredInterval[],
): Promise<Map<string, ServedSeries>> {
  const rows = await selectRows<PieceRow>(
    connection,
    `SELECT w.symbol, w.interval, s.source, s.basis, w.series_id AS "seriesId", w.factor,
       w.split_factor AS "splitFactor",
       epoch_us(w.from_ts)::DOUBLE AS "fromUs", epoch_us(w.to_ts)::DOUBLE AS "toUs"
     FROM winners w SEMI JOIN loading_symbols l ON l.symbol = w.symbol
     JOIN series s ON s.series_id = w.series_id
     WHERE list_contains(['${intervals.join("', '")}'], w.interval)
     ORDER BY w.symbol, w.interval, w.from_ts`,
  );
  const hasRawDays = rows.some(({ interval, basis }) => interval === '1d' && basis === 'raw');
  const coverage = hasRawDays ? await readCoverage(connection, LOADING) : new Map<string, never>();
  const served = new Map<string, ServedSeries>();
  for (const [key, pieces] of Map.groupBy(rows, (row) => `${row.symbol} ${row.interval}`)) {
    const { symbol, interval, basis } = pieces[0];
    const source = pieces
      .map((piece) => piece.source)
      .reduce((a, b) => (sourcePriority(a) <= sourcePriority(b) ? a : b));
    const isAdjustable =
      interval === '1d' && basis === 'raw' && covers(coverage.get(symbol), pieces);
    served.set(key, { symbol, interval, pieces, source, basis, isAdjustable });
  }
  return served;
}

async function readActionTexts(connection: DuckDBConnection): Promise<Map<string, string>> {
  const rows = await selectRows<{ symbol: string; actions: string }>(
    connection,
    `SELECT symbol, string_agg(action, ';' ORDER BY action) AS actions
     FROM (SELECT symbol, concat_ws(' ', type, ex_date, numerator, denominator, amount, factor, currency) AS action
           FROM corporate_actions ${LOADING})
     GROUP BY symbol`,
  );
  return new Map(rows.map(({ symbol, actions }) => [symbol, actions]));
}

function covers(coverage: ActionCoverage | undefined, pieces: readonly Piece[]): boolean {
  if (!coverage) return false;
  const { firstUs, lastUs } = rangeOf(pieces);
  return coverage.fromDay <= dayFromMicros(firstUs) && coverage.toDay >= dayFromMicros(lastUs);
}

/** Returns the first and last bar of pieces in order of time. */
export function rangeOf(pieces: readonly Piece[]): { firstUs: number; lastUs: number } {
  return { firstUs: pieces[0].fromUs, lastUs: pieces[pieces.length - 1].toUs };
}
