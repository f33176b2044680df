import type { DuckDBConnection } from '@duckdb/node-api';
import { dayFromMicros } from '../../../base/time/dates.ts';
import type { LoadedFile } from '../candles/insert-rows.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { listTable } from '../connection/sql-rows.ts';
import { recordMoves, rememberPlaces } from './moved-series.ts';
import { placeRows, placeStatements } from './place-rows.ts';
import { datedTickers, holderIn, readHistories, writeHistories } from './securities.ts';
import { holderOf, type StatedTicker } from './ticker-history.ts';

export interface Load {
  seq: number;
  nowMs: number;
}

/**
 * Returns a symbol for each stated ticker. A ticker that no security has any more makes a new
 * security, and the delisted one that had it before gets another symbol. Adds missing symbols to
 * `loading_symbols`.
 *
 * @param load Undefined: no security is made, and the ticker stays the symbol.
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
  const find = (one: StatedTicker) =>
    load ? holderIn(histories, one) : holderOf(histories.spans, one);
  const holders = stated.map((one) => (dated.has(one.ticker) ? find(one) : undefined));
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

/**
 * Creates `loading_symbols`: tickers of a load, and the symbols of all securities that have or had
 * one of them.
 */
export async function nameLoadingSymbols(
  connection: DuckDBConnection,
  tickers: Iterable<string>,
): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE loading_symbols AS
     SELECT symbol FROM ${listTable({ symbol: 'VARCHAR' })}`,
    [JSON.stringify([...new Set(tickers)])],
  );
  await connection.run(`
    INSERT INTO loading_symbols
    SELECT DISTINCT s.symbol FROM securities s JOIN security_tickers t USING (security_id)
    SEMI JOIN loading_symbols l ON l.symbol = t.ticker
    ANTI JOIN loading_symbols n ON n.symbol = s.symbol`);
}

/** Adds symbols to `loading_symbols` that it lacks. */
export async function addLoadingSymbols(
  connection: DuckDBConnection,
  symbols: Iterable<string>,
): Promise<void> {
  await connection.run(
    `INSERT INTO loading_symbols SELECT symbol FROM ${listTable({ symbol: 'VARCHAR' })}
     ANTI JOIN loading_symbols USING (symbol)`,
    [JSON.stringify([...new Set(symbols)])],
  );
}

/** Returns symbols by index of `segment.files`; a file without rows keeps its ticker. */
export async function symbolsOfFiles(
  connection: DuckDBConnection,
  segment: CandleSegment,
  files: readonly LoadedFile[],
  load: Load,
): Promise<string[]> {
  const symbols = segment.files.map(({ symbol }) => symbol);
  const filled = files.filter(({ accepted }) => accepted > 0);
  const stated = filled.map(({ fileIndex, firstUs, lastUs }) => ({
    ticker: symbols[fileIndex],
    firstDay: dayFromMicros(firstUs),
    lastDay: dayFromMicros(lastUs),
  }));
  const resolved = await resolveTickers(connection, stated, load);
  for (const [i, { fileIndex }] of filled.entries()) symbols[fileIndex] = resolved[i];
  return symbols;
}
