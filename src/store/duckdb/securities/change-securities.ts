/** Renames and delistings, each in one transaction. A repeated command changes nothing. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { TapeworksError } from '../../../base/errors.ts';
import { dateFromDay } from '../../../base/time/dates.ts';
import type { StoredInterval } from '../connection/bar-table.ts';
import { NEW_TOUCHED } from '../connection/changes.ts';
import { nextIds, writeCommand } from '../connection/ledger.ts';
import type { MarketDb } from '../connection/open.ts';
import { deleteOrphanRows } from '../connection/orphan-rows.ts';
import { exists, inTransaction, selectColumn } from '../connection/sql-rows.ts';
import { recomputeWinners } from '../vintages/winners.ts';
import { checkLeftBefore, leftDayOf, securityOf, tickerOfSymbol } from './find-security.ts';
import { recordMoves, rememberPlaces } from './moved-series.ts';
import { placeRows, placeStatements } from './place-rows.ts';
import { placeSeries, storePlaces } from './place-series.ts';
import { checkTickerFree } from './rename-conflicts.ts';
import { addLoadingSymbols } from './resolve-tickers.ts';
import { type Histories, readHistories, writeHistories } from './securities.ts';
import { delisted, newestSpan, relisted, renamed, type TickerSpan } from './ticker-history.ts';

export interface SecurityChange {
  /** False if nothing had to change. */
  changed: boolean;
  securityId: number;
  symbol: string;
}

export interface Rename {
  from: string;
  to: string;
  /** The first day under the new ticker, since the epoch. */
  day: number;
  nowMs: number;
}

/**
 * Gives the security whose symbol is `from` the ticker `to`.
 *
 * @throws {UnknownSymbolError} no security has the symbol.
 * @throws {TapeworksError} another security has the ticker that day; the security is delisted; or
 *   the day is before its present ticker's first or all bars.
 */
export async function renameSecurity(
  { connection }: MarketDb,
  { from, to, day, nowMs }: Rename,
): Promise<SecurityChange> {
  const histories = await readHistories(connection, [from, to]);
  const { spans } = histories;
  const left = spans.filter(({ ticker, toDay }) => ticker === from && toDay === day - 1);
  const begun = spans.filter(({ ticker, fromDay }) => ticker === to && fromDay === day);
  const done = left.find((one) => begun.some(({ securityId }) => securityId === one.securityId));
  if (done) return unchanged(histories, done);
  const securityId = securityOf(histories, from);
  return change(connection, nowMs, {
    what: `rename ${from} ${to} ${dateFromDay(day)}`,
    tickers: [from, to],
    securityId,
    async apply(own, all) {
      const merged = await checkTickerFree(connection, histories, { securityId, from, to, day });
      const others = all.filter((span) => span.securityId !== merged);
      return [...others, ...renamed(own, to, day, leftDayOf(others, newestSpan(own)))];
    },
  });
}

/**
 * Ends or moves the trading of a security: `day`, since the epoch, is its last trading day.
 *
 * @throws {UnknownSymbolError} no security has the symbol.
 * @throws {TapeworksError} the day is before the ticker's first, or before all bars.
 */
export async function delistSecurity(
  { connection }: MarketDb,
  { symbol, day, nowMs }: { symbol: string; day: number; nowMs: number },
): Promise<SecurityChange> {
  const ticker = await tickerOfSymbol(connection, symbol);
  const histories = await readHistories(connection, [ticker]);
  const done = histories.spans.find((span) => span.ticker === ticker && span.toDay === day);
  if (done && newestOf(histories, done.securityId) === done) return unchanged(histories, done);
  const securityId = securityOf(histories, symbol);
  return change(connection, nowMs, {
    what: `delist ${symbol} ${dateFromDay(day)}`,
    tickers: [ticker],
    securityId,
    apply(own, others) {
      checkLeftBefore(others, newestSpan(own), day);
      return [...others, ...delisted(own, day, leftDayOf(others, newestSpan(own)))];
    },
  });
}

/**
 * Reverts a delisting. If another security has the ticker since, the two become one, as in a
 * rename.
 *
 * @throws {UnknownSymbolError} no security has the symbol.
 * @throws {TapeworksError} the ticker is another security's.
 */
export async function relistSecurity(
  { connection }: MarketDb,
  { symbol, nowMs }: { symbol: string; nowMs: number },
): Promise<SecurityChange> {
  const to = await tickerOfSymbol(connection, symbol);
  const histories = await readHistories(connection, [to]);
  const securityId = securityOf(histories, symbol);
  const { toDay } = newestOf(histories, securityId);
  if (toDay === null) return { changed: false, securityId, symbol };
  return change(connection, nowMs, {
    what: `relist ${symbol}`,
    tickers: [to],
    securityId,
    async apply(own, all) {
      const claim = { securityId, from: symbol, to, day: toDay + 1 };
      const merged = await checkTickerFree(connection, histories, claim);
      return [...all.filter((span) => span.securityId !== merged), ...relisted(own)];
    },
  });
}

function newestOf({ spans }: Histories, securityId: number): TickerSpan {
  return newestSpan(spans.filter((span) => span.securityId === securityId));
}

function unchanged({ stored }: Histories, { securityId }: TickerSpan): SecurityChange {
  return { changed: false, securityId, symbol: stored.get(securityId)! };
}

interface Command {
  what: string;
  tickers: readonly string[];
  securityId: number;
  /** Returns the new histories from the spans of the security and those of all others. */
  apply(
    own: readonly TickerSpan[],
    others: readonly TickerSpan[],
  ): Promise<TickerSpan[]> | TickerSpan[];
}

async function change(
  connection: DuckDBConnection,
  nowMs: number,
  { what, tickers, securityId, apply }: Command,
): Promise<SecurityChange> {
  await deleteOrphanRows(connection);
  return inTransaction(connection, async () => {
    const histories = await readHistories(connection, tickers);
    const { seq } = await nextIds(connection);
    await connection.run('CREATE OR REPLACE TEMP TABLE loading_symbols (symbol VARCHAR)');
    await connection.run(NEW_TOUCHED);
    await addLoadingSymbols(connection, histories.stored.values());
    await rememberPlaces(connection);
    const hadBars = await hasBars(connection, histories.stored.get(securityId)!);
    const isOwn = (span: TickerSpan) => span.securityId === securityId;
    const { spans } = histories;
    const applied = await apply(
      spans.filter(isOwn),
      spans.filter((span) => !isOwn(span)),
    );
    const planned = { ...histories, spans: applied };
    const parts = await placeSeries(connection, planned, tickers);
    const symbols = await writeHistories(connection, planned, nowMs);
    await storePlaces(connection, parts, symbols);
    await placeStatements(connection, planned, tickers, symbols);
    await placeRows(connection, planned, tickers, symbols);
    await addLoadingSymbols(connection, symbols.values());
    for (const interval of await loadingIntervals(connection)) {
      await recomputeWinners(connection, interval);
    }
    await recordMoves(connection, seq);
    const symbol = symbols.get(securityId)!;
    if (hadBars && !(await hasBars(connection, symbol))) {
      throw new TapeworksError(
        `All bars of ${tickers[0]} are later than that day, so they would be another security's: ` +
          'give a later day as --on',
      );
    }
    await writeCommand(connection, { seq, dataset: 'securities', what, nowMs });
    return { changed: true, securityId, symbol };
  });
}

async function hasBars(connection: DuckDBConnection, symbol: string): Promise<boolean> {
  return exists(connection, 'FROM series WHERE symbol = $1 AND row_count > 0', [symbol]);
}

async function loadingIntervals(connection: DuckDBConnection): Promise<StoredInterval[]> {
  return selectColumn<StoredInterval>(
    connection,
    `SELECT interval FROM (
       SELECT symbol, interval FROM series UNION SELECT symbol, interval FROM winners)
     SEMI JOIN loading_symbols USING (symbol) GROUP BY interval`,
  );
}
