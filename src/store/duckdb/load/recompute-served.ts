import type { DuckDBConnection } from '@duckdb/node-api';
import type { DaySpan } from '../../../base/prices/action-coverage.ts';
import type { CandleBatch } from '../candles/candle-batch.ts';
import { storedInterval } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { holdForContradictions } from '../holds/contradictions.ts';
import { holdForFilesApart } from '../holds/files-apart.ts';
import { holdForOutdated } from '../holds/outdated-bars.ts';
import type { NewRows } from '../holds/replaced-bars.ts';
import { type SeriesHold, symbolsOf } from '../holds/series-hold.ts';
import { holdForShrinking } from '../holds/shrinking.ts';
import { checkSplices } from '../holds/splices.ts';
import { holdsForSplits } from '../holds/split-contradictions.ts';
import {
  holdForWithdrawn,
  lineOf,
  readCounted,
  withdrawnActions,
} from '../holds/withdrawn-actions.ts';
import { nameLoadingSymbols } from '../securities/resolve-tickers.ts';
import { recordChanges, rememberServed } from '../vintages/record-changes.ts';
import { rangeOf, type ServedState } from '../vintages/served-state.ts';
import { recomputeWinners } from '../vintages/winners.ts';
import { loadActions } from './corporate-actions.ts';

/** Names the symbols with rows or actions in the segment. */
export function nameSegmentSymbols(
  connection: DuckDBConnection,
  { files, actions = [] }: CandleSegment,
): Promise<void> {
  const filled = files.filter(({ dataLines }) => dataLines > 0);
  return nameLoadingSymbols(
    connection,
    [...filled, ...actions].map(({ symbol }) => symbol),
  );
}

interface ServeOptions {
  /** Rows of the load; absent if it only confirms stored ones. */
  newRows?: Omit<NewRows, 'interval'>;
  /** True (the default) if the batch's splits and dividends are still to be stored. */
  hasNewActions?: boolean;
  /** Days of the bars that the load brings; undefined if it brings none. */
  span?: DaySpan;
}

interface Recomputed {
  holds: SeriesHold[];
  jumps: string[];
  withdrawn: string[];
  served: ServedState['series'];
}

/**
 * Recomputes the served series of `loading_symbols`, and records the changes.
 *
 * @returns reasons to hold the load, small jumps that it leaves, actions that it takes back, and
 *   what is served after it.
 */
export async function recomputeServed(
  connection: DuckDBConnection,
  batch: CandleBatch,
  { newRows, hasNewActions = true, span }: ServeOptions = {},
): Promise<Recomputed> {
  const { joined, seq } = batch;
  const interval = storedInterval(joined);
  const before = await rememberServed(connection, joined);
  const counted = newRows && hasNewActions ? await readCounted(connection, joined) : [];
  if (hasNewActions) await loadActions(connection, batch);
  const splices = await recomputeWinners(connection, interval);
  const { series: served } = await recordChanges(connection, joined, { seq, before });
  const shrinking = await holdForShrinking(connection, before.series, served);
  const isNew = (seriesId: number) =>
    newRows !== undefined && !newRows.isMerged && seriesId >= newRows.firstSeriesId;
  const { holds, jumps } = await checkSplices(connection, splices, { interval, isNew });
  if (shrinking) holds.push(shrinking);
  holds.push(...(await holdsForSplits(connection, joined, span)));
  const withdrawn =
    counted.length > 0 ? withdrawnActions(counted, await readCounted(connection, joined)) : [];
  const lost = await holdForWithdrawn(connection, withdrawn);
  if (lost) holds.push(lost);
  if (newRows) {
    const rows = { interval, ...newRows };
    const apart = await holdForFilesApart(connection, rows, new Set(holds.flatMap(symbolsOf)));
    if (apart) holds.push(apart);
    const known = new Set(holds.flatMap(symbolsOf));
    const areLater = isAhead(before.series, served);
    // New bars replace none where nothing was served.
    const contradictions =
      before.series.size > 0 && (await holdForContradictions(connection, rows, known, areLater));
    if (contradictions) holds.push(contradictions);
    const outdated =
      before.series.size > 0 &&
      (await holdForOutdated(connection, rows, new Set(holds.flatMap(symbolsOf))));
    if (outdated) holds.push(outdated);
  }
  return { holds, jumps, withdrawn: withdrawn.map(lineOf), served };
}

/** Returns a function that tells whether a symbol would be served later bars than before. */
function isAhead(
  before: ServedState['series'],
  after: ServedState['series'],
): (symbol: string) => boolean {
  const lastOf = (series: ServedState['series']) => {
    return new Map(series.values().map(({ symbol, pieces }) => [symbol, rangeOf(pieces).lastUs]));
  };
  const [was, is] = [lastOf(before), lastOf(after)];
  return (symbol) => (is.get(symbol) ?? 0) > (was.get(symbol) ?? 0);
}
