/** Settles tickers within a load, where its rows may change what they mean. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { dayFromMicros } from '../../../base/time/dates.ts';
import type { StoredInterval } from '../../../base/time/intervals.ts';
import type { CandleBatch } from '../candles/candle-batch.ts';
import type { LoadedFile } from '../candles/insert-rows.ts';
import { storedInterval } from '../connection/bar-table.ts';
import { selectColumn } from '../connection/sql-rows.ts';
import { isWithin } from '../securities/facts/ticker-facts.ts';
import { loadingIntervals, recordMoves } from '../securities/moved-series.ts';
import { readPlaces } from '../securities/resolve-tickers.ts';
import { settleTickers } from '../securities/settle-tickers.ts';
import { recomputeWinners } from '../vintages/winners.ts';
import { loadActions } from './corporate-actions.ts';

interface Settling {
  unsettled: ReadonlySet<string>;
  seq: number;
  nowMs: number;
}

/**
 * Settles tickers of a load of bars, with its splits and dividends. Winners of its interval are
 * still to be recomputed.
 *
 * @returns the symbol of each file's last rows; undefined if nothing was unsettled.
 */
export async function settleWithLoad(
  connection: DuckDBConnection,
  batch: CandleBatch,
  { files, isMerged, ...settling }: Settling & { files: readonly LoadedFile[]; isMerged: boolean },
): Promise<string[] | undefined> {
  const { unsettled } = settling;
  if (unsettled.size === 0) return undefined;
  await loadActions(connection, batch);
  // Checks of the load read them later.
  if (isMerged) {
    await connection.run('CREATE OR REPLACE TEMP TABLE own_conflicts AS FROM conflicts');
    await connection.run('CREATE OR REPLACE TEMP TABLE own_incoming AS FROM incoming');
  }
  await settle(connection, settling, storedInterval(batch.joined));
  if (isMerged) {
    await connection.run('CREATE OR REPLACE TEMP TABLE conflicts AS FROM own_conflicts');
    await connection.run('CREATE OR REPLACE TEMP TABLE incoming AS FROM own_incoming');
  }
  const stated = batch.joined.files;
  const places = await readPlaces(
    connection,
    stated.map(({ symbol }) => symbol),
  );
  const lastDays = new Map(
    files.map(({ fileIndex, lastUs }) => [fileIndex, dayFromMicros(lastUs)]),
  );
  return stated.map(({ symbol: ticker }, i) => {
    const found = places.get(ticker)?.find((place) => isWithin(lastDays.get(i)!, place));
    return found?.symbol ?? ticker;
  });
}

/** Settles tickers of a load of records, or of a drop. */
export async function settleRecords(
  connection: DuckDBConnection,
  settling: Settling,
): Promise<void> {
  if (settling.unsettled.size > 0) await settle(connection, settling);
}

/** Settles the facts that an older program's commands left. */
export async function settleUpgraded(
  connection: DuckDBConnection,
  { seq, nowMs }: Omit<Settling, 'unsettled'>,
): Promise<void> {
  const found = await selectColumn<string>(
    connection,
    'SELECT DISTINCT ticker FROM ticker_facts WHERE NOT is_settled',
  );
  if (found.length === 0) return;
  await connection.run('CREATE OR REPLACE TEMP TABLE loading_symbols (symbol VARCHAR)');
  await settle(connection, { unsettled: new Set(found), seq, nowMs });
}

async function settle(
  connection: DuckDBConnection,
  { unsettled, seq, nowMs }: Settling,
  except?: StoredInterval,
): Promise<void> {
  await settleTickers(connection, [...unsettled], nowMs);
  for (const interval of await loadingIntervals(connection)) {
    if (interval !== except) await recomputeWinners(connection, interval);
  }
  await recordMoves(connection, seq);
}
