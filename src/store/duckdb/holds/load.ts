/**
 * Sanity checks of a load of bars, within its transaction: a held load leaves the store as it was.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { type AwaitedBar, HeldLoadError, type HeldSymbol } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import type { PublishedQuotes } from '../../../base/published-quotes.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import { dayFromMicros } from '../../../base/time/dates.ts';
import type { LoadedFile } from '../candles/insert-rows.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import type { LoadedRows, LoadGuard } from './load-guard.ts';
import { holdForUniverse } from './missing-symbols.ts';
import { holdForPrices } from './moved-prices.ts';
import {
  countsOf,
  holdForRejected,
  holdForRejectedSymbols,
  isLookedAt,
  sumOf,
  worstFiles,
} from './rejected-rows.ts';
import { reasonOf, type SeriesHold, withoutAccepted } from './series-hold.ts';

/** @throws {HeldLoadError} names the reasons, with their numbers. */
export async function requireNotHeld(
  connection: DuckDBConnection,
  segment: CandleSegment,
  { rejected, ...others }: LoadedRows,
  guard: LoadGuard,
): Promise<void> {
  const loaded = { ...others, rejected: rejected - (segment.refusedFileLines?.() ?? 0) };
  const { published } = guard;
  const wholes: string[] = [];
  const found = [...loaded.holds];
  const accepted = acceptedSymbols(segment, loaded, guard);
  if (isLookedAt(loaded, guard)) {
    const judged = withoutRowsOf(accepted, segment, loaded);
    const rejected = holdForRejected(judged, guard);
    const few = rejected && holdForRejectedSymbols(segment, judged, guard);
    if (few && !isMany(few, loaded)) found.push(few);
    else if (rejected) wholes.push(rejected + worstFiles(segment, loaded.files));
    const universe = published && holdForUniverse(segment, loaded.files, published);
    if (universe) wholes.push(universe);
    const prices = published && (await holdForPrices(connection, segment, loaded, published));
    if (prices && isMany(prices, loaded)) wholes.push(reasonOf(prices));
    else if (prices) found.push(prices);
  }
  const holds = found.flatMap((hold) => withoutAccepted(hold, { accepted }));
  if (wholes.length + holds.length === 0) return;
  const symbols = heldSymbols(segment, loaded, holds);
  const reason = [...wholes, ...holds.map(reasonOf)].join('; ');
  const isPartial = wholes.length === 0 && symbols !== undefined;
  const held = wholes.length === 0 ? symbols : undefined;
  const newest = wholes.length === 0 ? awaitedBars(segment, loaded, holds, published) : [];
  // A whole load is mended if all of its held symbols are.
  const count = new Set(holds.flatMap((hold) => hold.found.map(({ symbol }) => symbol))).size;
  const isKnown = held !== undefined || new Set(newest.map(({ symbol }) => symbol)).size === count;
  const awaited = isKnown ? newest : [];
  throw new HeldLoadError(`${segment.origin}: ${reason}`, { symbols: held, isPartial, awaited });
}

/** Returns the newest bars of held symbols, or those that contradict served ones. */
function awaitedBars(
  { interval }: CandleSegment,
  { files, symbols }: LoadedRows,
  holds: readonly SeriesHold[],
  published: PublishedQuotes | undefined,
): AwaitedBar[] {
  if (interval !== '1d') return [];
  const held = new Map(
    holds.flatMap(({ found }) => found.map(({ symbol, contradicts }) => [symbol, contradicts])),
  );
  return files.flatMap(({ fileIndex, accepted, lastUs }) => {
    const symbol = symbols[fileIndex];
    if (!held.has(symbol) || accepted === 0) return [];
    const newest = { symbol, day: dayFromMicros(lastUs) };
    const quote = published?.quote(symbol);
    if (quote === undefined || newest.day > newYorkDay(quote.timestampMs)) return [newest];
    const bar = held.get(symbol);
    if (bar === undefined) return [{ ...newest, isReplacing: true }];
    return [{ symbol, day: dayFromMicros(bar.us), close: bar.close, isReplacing: true }];
  });
}

/** Returns the accepted symbols, also as their securities are named now. */
function acceptedSymbols(
  segment: CandleSegment,
  { files, symbols }: LoadedRows,
  guard: LoadGuard,
): Set<string> {
  const accepted = new Set(guard.accepted);
  for (const { fileIndex } of files) {
    if (guard.accepted?.has(segment.files[fileIndex].symbol)) accepted.add(symbols[fileIndex]);
  }
  return accepted;
}

/** Leaves out the rows of accepted symbols, good and refused ones. */
function withoutRowsOf(
  left: ReadonlySet<string>,
  segment: CandleSegment,
  loaded: LoadedRows,
): LoadedRows {
  const isLeft = ({ fileIndex }: LoadedFile) => left.has(loaded.symbols[fileIndex]);
  const out = sumOf(countsOf(segment, loaded.files.filter(isLeft)));
  return {
    ...loaded,
    files: loaded.files.filter((file) => !isLeft(file)),
    accepted: loaded.accepted - out.accepted,
    rejected: loaded.rejected - out.rejected,
  };
}

function isMany({ found }: SeriesHold, { symbols }: LoadedRows): boolean {
  const { heldSymbolsMax, heldShareMax } = limits.sanity;
  return found.length > Math.max(heldSymbolsMax, new Set(symbols).size * heldShareMax);
}

/**
 * Returns the symbols to hold, as the input names them.
 *
 * @returns undefined if the whole load is to be held: all or many of its symbols are, or one that
 *   is not in it.
 */
function heldSymbols(
  segment: CandleSegment,
  { files, symbols }: LoadedRows,
  holds: readonly SeriesHold[],
): HeldSymbol[] | undefined {
  const reasons = new Map<string, string>();
  for (const { check, found } of holds) {
    for (const { symbol, detail } of found) {
      if (!reasons.has(symbol)) reasons.set(symbol, `${check}: ${detail}`);
    }
  }
  const named = new Map<string, string>();
  const others = new Set<string>();
  const stated = files.map(({ fileIndex, accepted }) => {
    return { ticker: segment.files[fileIndex].symbol, symbol: symbols[fileIndex], accepted };
  });
  // Actions without bars are known by their ticker; a renamed one holds the whole load.
  const alone = files.length === 0 ? (segment.actions ?? []) : [];
  stated.push(...alone.map(({ symbol }) => ({ ticker: symbol, symbol, accepted: 1 })));
  for (const { ticker, symbol, accepted } of stated) {
    const reason = reasons.get(symbol);
    if (reason !== undefined) named.set(ticker, reason);
    else if (accepted > 0) others.add(ticker);
  }
  const { heldSymbolsMax, heldShareMax } = limits.sanity;
  const isWhole =
    named.size < reasons.size ||
    others.size === 0 ||
    named.size > Math.max(heldSymbolsMax, (named.size + others.size) * heldShareMax);
  if (isWhole) return undefined;
  return [...named].map(([symbol, reason]) => ({ symbol, reason }));
}
