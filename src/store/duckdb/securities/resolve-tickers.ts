/** From the tickers that an input states to the symbols of the securities whose they were then. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../../base/bars.ts';
import type { LandedFile } from '../candles/insert-rows.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { jsonTable } from '../connection/sql-rows.ts';
import { recordMoves, rememberPlaces } from './moved-series.ts';
import { placeRows } from './place-rows.ts';
import { placeStatements } from './place-statements.ts';
import {
  datedTickers,
  holderIn,
  knownHolder,
  readHistories,
  writeHistories,
} from './securities.ts';
import type { StatedTicker } from './ticker-history.ts';

const MICROS_PER_DAY = MICROS_PER_MILLI * MILLIS_PER_DAY;

/** The load that an input comes with. */
export interface Load {
  /** Its number in the ledger. */
  seq: number;
  nowMs: number;
}

/**
 * Symbols of what is stated, one each. A ticker that nobody has any more makes a new security,
 * and a delisted one that had it before gets another symbol. Symbols that the temporary table
 * `loading_symbols` lacks are added to it.
 *
 * @param load Without it no security is made: such a ticker stays as it is, and is the symbol of
 *   whoever gets it.
 */
export async function resolveTickers(
  connection: DuckDBConnection,
  stated: readonly StatedTicker[],
  load?: Load,
): Promise<string[]> {
  const dated = await datedTickers(connection, [...new Set(stated.map(({ ticker }) => ticker))]);
  if (dated.size === 0) return stated.map(({ ticker }) => ticker);
  const histories = await readHistories(connection, [...dated]);
  const known = histories.spans.length;
  const holders = stated.map((one) =>
    dated.has(one.ticker) ? (load ? holderIn : knownHolder)(histories, one) : undefined,
  );
  await addLoadingSymbols(connection, histories.stored.values());
  let symbols = histories.stored;
  if (load && histories.spans.length > known) {
    await rememberPlaces(connection);
    symbols = await writeHistories(connection, histories, load.nowMs);
    await placeStatements(connection, histories, [...dated], symbols);
    await placeRows(connection, histories, [...dated], symbols);
    await addLoadingSymbols(connection, symbols.values());
    await recordMoves(connection, load.seq);
  }
  return stated.map(({ ticker }, i) =>
    holders[i] === undefined ? ticker : symbols.get(holders[i])!,
  );
}

/** Adds to `loading_symbols` the symbols of all securities that have or had one of its tickers. */
export async function addHolders(connection: DuckDBConnection): Promise<void> {
  await connection.run(`
    INSERT INTO loading_symbols
    SELECT DISTINCT s.symbol FROM securities s JOIN security_tickers t USING (security_id)
    SEMI JOIN loading_symbols l ON l.symbol = t.ticker
    ANTI JOIN loading_symbols n ON n.symbol = s.symbol`);
}

/** Adds to `loading_symbols` what it lacks. */
export async function addLoadingSymbols(
  connection: DuckDBConnection,
  symbols: Iterable<string>,
): Promise<void> {
  const rows = [...new Set(symbols)].map((symbol) => ({ symbol }));
  await connection.run(
    `INSERT INTO loading_symbols SELECT symbol FROM ${jsonTable({ symbol: 'VARCHAR' })}
     ANTI JOIN loading_symbols USING (symbol)`,
    [JSON.stringify(rows)],
  );
}

/** Symbols by place in `segment.files`; a file without rows keeps its ticker. */
export async function symbolsOfFiles(
  connection: DuckDBConnection,
  segment: CandleSegment,
  files: readonly LandedFile[],
  load: Load,
): Promise<string[]> {
  const symbols = segment.files.map(({ symbol }) => symbol);
  const landed = files.filter(({ accepted }) => accepted > 0);
  const stated = landed.map(({ fileIndex, firstUs, lastUs }) => ({
    ticker: symbols[fileIndex],
    firstDay: Math.floor(firstUs / MICROS_PER_DAY),
    lastDay: Math.floor(lastUs / MICROS_PER_DAY),
  }));
  const resolved = await resolveTickers(connection, stated, load);
  for (const [i, { fileIndex }] of landed.entries()) symbols[fileIndex] = resolved[i];
  return symbols;
}
