import type { DuckDBConnection } from '@duckdb/node-api';
import type { Basis } from '../../../base/bars.ts';
import { limits } from '../../../base/limits.ts';
import { dayFromMicros } from '../../../base/time/dates.ts';
import type { StoredInterval } from '../../../base/time/intervals.ts';
import { barTable } from '../connection/bar-table.ts';
import { sourcePriority } from '../connection/source-priority.ts';
import {
  exists,
  listsOf,
  listTable,
  runOne,
  selectColumn,
  selectRows,
} from '../connection/sql-rows.ts';
import { restoreVolumes } from './dividend-volumes.ts';
import type { Splice } from './factor.ts';
import { insertWinners, type SymbolPiece } from './insert-winners.ts';
import { readCloses, readOverlaps, SPAN_COLUMNS } from './read-overlaps.ts';
import { REPAIR_SOURCE, withRepairs } from './repairs.ts';
import { restateDividends } from './restate-dividends.ts';
import { combineVintages, overlapSpans } from './vintages.ts';
import { type Candidate, extensionsInReach, vintagesOf, winnerPieces } from './winner-pieces.ts';

const SIDE_COLUMNS = { key: 'INTEGER', ...SPAN_COLUMNS } as const;

interface SeriesRow extends Candidate {
  symbol: string;
  interval: StoredInterval;
  source: string;
  basis: Basis;
  asOfUs: number;
  modifiedUs: number;
  sha256: string;
  /** Ticker that its inputs state. */
  ticker: string;
  rowCount: number;
}

export interface SymbolSplice extends Splice {
  symbol: string;
}

/**
 * Replaces the `winners` rows of `loading_symbols`. Their content depends only on which series
 * there are.
 *
 * @returns the splices between vintages that are served.
 */
export async function recomputeWinners(
  connection: DuckDBConnection,
  interval: StoredInterval,
): Promise<SymbolSplice[]> {
  const { candidates: all, repairs } = await readCandidates(connection, interval);
  const groups = await withoutRepeats(connection, interval, all);
  const rows: SymbolPiece[] = [];
  const splices: SymbolSplice[] = [];
  for (const batch of batchesByBars(groups)) {
    const bars = await readOverlaps(connection, interval, batch.map(vintagesOf));
    const compared = batch.flatMap(comparedSeries).map(({ seriesId }) => seriesId);
    const closes = await readCloses(connection, interval, compared);
    for (const candidates of batch) {
      const { symbol } = candidates[0];
      const combined = combineVintages(vintagesOf(candidates), bars);
      const pieces = winnerPieces(candidates, closes, combined.pieces);
      for (const piece of pieces) rows.push({ symbol, ...piece });
      for (const splice of combined.splices) splices.push({ symbol, ...splice });
    }
  }
  const bases = new Map(groups.map(([{ symbol, basis }]) => [symbol, basis]));
  const basisOf = (symbol: string) => bases.get(symbol);
  const repaired = await withRepairs(connection, interval, rows, { series: repairs, basisOf });
  await runOne(
    connection,
    `DELETE FROM winners USING loading_symbols l
     WHERE winners.symbol = l.symbol AND winners.interval = $1`,
    [interval],
  );
  await insertWinners(connection, interval, repaired);
  // Both plan joins over rankings, which takes milliseconds where no action is stated.
  if (interval === '1d' && (await exists(connection, 'FROM stated_actions'))) {
    await restateDividends(connection);
    await restoreVolumes(connection);
  }
  return splices;
}

/** Returns the series of each symbol, best first, and those of repairs, which no series competes with. */
async function readCandidates(
  connection: DuckDBConnection,
  interval: StoredInterval,
): Promise<{ candidates: SeriesRow[][]; repairs: SeriesRow[] }> {
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
  const isRepair = ({ source }: SeriesRow) => source === REPAIR_SOURCE;
  const others = rows.filter((row) => !isRepair(row));
  const groups = Map.groupBy(others, ({ symbol }) => symbol);
  return {
    candidates: [...groups.values()].map((candidates) => inTurn(candidates.sort(bestFirst))),
    repairs: rows.filter(isRepair).sort(bestFirst),
  };
}

/** Ranks by source, newest as-of, newest modification time, greatest hash; the rest breaks ties. */
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

/**
 * Puts the raw series of the best source first, from the last to the first: a security that had
 * several tickers has one of each, and each goes on before the one after it.
 */
function inTurn(candidates: SeriesRow[]): SeriesRow[] {
  const [best] = candidates;
  if (best.basis !== 'raw') return candidates;
  const isOwn = ({ source, basis }: SeriesRow) => source === best.source && basis === 'raw';
  const own = candidates.filter(isOwn).sort((a, b) => b.lastUs - a.lastUs || b.firstUs - a.firstUs);
  return [...own, ...candidates.filter((one) => !isOwn(one))];
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Returns series whose closes are compared: none if no other source reaches beyond the best. */
function comparedSeries(candidates: SeriesRow[]): SeriesRow[] {
  const extensions = extensionsInReach(candidates);
  return extensions.length === 0 ? [] : [...vintagesOf(candidates), ...extensions];
}

/**
 * Leaves out the older vintages of a series if the newest has a bar at each of their times. One
 * pass in DuckDB finds this for a whole universe that is loaded again.
 */
async function withoutRepeats(
  connection: DuckDBConnection,
  interval: StoredInterval,
  groups: SeriesRow[][],
): Promise<SeriesRow[][]> {
  const sides = groups.flatMap((candidates) => {
    const [newest, ...older] = vintagesOf(candidates);
    const isWithin = ({ firstUs, lastUs }: SeriesRow) =>
      firstUs >= newest.firstUs && lastUs <= newest.lastUs;
    if (!older.every(isWithin)) return [];
    return older.flatMap(({ seriesId: key, firstUs, lastUs }) =>
      [key, newest.seriesId].map((seriesId) => ({ key, seriesId, fromUs: firstUs, toUs: lastUs })),
    );
  });
  if (sides.length === 0) return groups;
  const found = await selectColumn<number>(
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
  const repeated = new Set(found);
  return groups.map((candidates) => {
    const [newest, ...older] = vintagesOf(candidates);
    if (!older.every(({ seriesId }) => repeated.has(seriesId))) return candidates;
    return candidates.filter((one) => one === newest || !older.includes(one));
  });
}

/** Groups of candidates in batches whose bars fit the limit; a larger group is a batch alone. */
function* batchesByBars(groups: SeriesRow[][]): Generator<SeriesRow[][]> {
  let batch: SeriesRow[][] = [];
  let count = 0;
  for (const candidates of groups) {
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

/** Memory of a bar with its time, in closes with their time. */
const BAR_CLOSES = 3;

function overlapBarsMax(vintages: readonly SeriesRow[]): number {
  const spans = overlapSpans(vintages);
  return vintages.reduce((sum, { rowCount, interval }, i) => {
    const span = spans[i];
    if (!span) return sum;
    const days = dayFromMicros(span.toUs - span.fromUs) + 1;
    return sum + Math.min(rowCount, interval === '1d' ? days : rowCount);
  }, 0);
}

/** Returns an upper bound: one close a day, and one a row. */
function closesMax({ rowCount, firstUs, lastUs }: SeriesRow): number {
  return Math.min(rowCount, dayFromMicros(lastUs - firstUs) + 2);
}
