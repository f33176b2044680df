/**
 * Sanity checks of a load of bars, within its transaction: a held load leaves the store as it was.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../../base/bars.ts';
import { type AwaitedBar, HeldLoadError, type HeldSymbol } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import type { PublishedQuotes } from '../../../base/published-quotes.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import { dayFromMicros } from '../../../base/time/dates.ts';
import type { LoadedFile } from '../candles/insert-rows.ts';
import { WHOLE_MARKET } from '../candles/last-days.ts';
import { barTable } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import type { MarketDb } from '../connection/open.ts';
import { selectRows } from '../connection/sql-rows.ts';
import { type PriceOfLoad, readPricesOfLoad } from './prices.ts';
import { reasonOf, type SeriesHold, withoutAccepted } from './series-hold.ts';

/** Checks that look at large loads only. */
export const COUNTED = ['refused rows', 'moved prices'] as const;

export interface LoadGuard {
  /**
   * True for scheduled loads, which are checked however small, since no person sees their counts.
   */
  isScheduled: boolean;
  /** Undefined while nothing is published. */
  published: PublishedQuotes | undefined;
  /** Symbols whose checks a person has decided. */
  accepted?: ReadonlySet<string>;
  /** Counts rejected rows that will be good once their session is over. */
  earlyRows(): number;
}

/** A segment and its checks; undefined: it is not checked. */
export interface Guarded<Segment> {
  segment: Segment;
  guard?: LoadGuard;
}

export interface LoadedRows {
  accepted: number;
  rejected: number;
  files: readonly LoadedFile[];
  /** First new series in the table of bars; undefined: the rows were merged. */
  newFromSeriesId: number | undefined;
  /** Symbols of the files' securities, by file. */
  symbols: readonly string[];
  /** Reasons found while the served series were recomputed. */
  holds: readonly SeriesHold[];
}

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

function countsOf({ files: stated }: CandleSegment, files: readonly LoadedFile[]) {
  return files.map(({ fileIndex, accepted, rejected }) => {
    const { refusedLines = 0 } = stated[fileIndex];
    return { fileIndex, accepted, rejected: rejected + refusedLines };
  });
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

/** Names the files with the most rejected rows, if the input has several. */
function worstFiles(segment: CandleSegment, files: readonly LoadedFile[]): string {
  const counts = new Map<string, number>();
  for (const { fileIndex, rejected } of files) {
    const { path } = segment.files[fileIndex];
    if (rejected > 0) counts.set(path, (counts.get(path) ?? 0) + rejected);
  }
  if (counts.size === 0 || new Set(segment.files.map(({ path }) => path)).size === 1) return '';
  const worst = [...counts].sort(([, a], [, b]) => b - a).slice(0, limits.sanity.shownMax);
  return `, ${worst.map(([path, count]) => `${count} of them in ${path}`).join(', ')}`;
}

type Counts = Pick<LoadedRows, 'accepted' | 'rejected'>;

/** @throws {HeldLoadError} too many rows are rejected. */
export function requireFewRejected(origin: string, counts: Counts, guard: LoadGuard): void {
  if (isHeld(counts, guard)) {
    throw new HeldLoadError(`${origin}: ${holdForRejected(counts, guard)}`);
  }
}

export function isHeld(counts: Counts, guard: LoadGuard): boolean {
  return isLookedAt(counts, guard) && holdForRejected(counts, guard) !== undefined;
}

/**
 * @throws {HeldLoadError} the directory lacks too many symbols that the same origin gave
 *   before.
 */
export async function requireWholeDirectory(
  { connection }: Pick<MarketDb, 'connection'>,
  { source, origin, accepted }: { source: string; origin: string; accepted: number },
  guard: LoadGuard,
): Promise<void> {
  if (!isLookedAt({ accepted, rejected: 0 }, guard)) return;
  const [before] = await selectRows<{ count: number }>(
    connection,
    `SELECT accepted::DOUBLE AS count FROM segments
     WHERE dataset = 'symbols' AND source = $1 AND origin = $2 ORDER BY seq DESC LIMIT 1`,
    [source, origin],
  );
  const { missingShareMax: most } = limits.sanity;
  if (!before || accepted >= before.count * (1 - most)) return;
  const share = overShare(1 - accepted / before.count, most);
  throw new HeldLoadError(
    `${origin}: it names ${accepted} symbols, and ${before.count} the time before (${share} fewer)`,
  );
}

export function isLookedAt(
  { accepted, rejected }: Counts,
  { isScheduled }: Pick<LoadGuard, 'isScheduled'>,
): boolean {
  return isScheduled || accepted + rejected >= limits.sanity.rowsMin;
}

export function holdForRejected(
  counts: Counts,
  { earlyRows }: Pick<LoadGuard, 'earlyRows'>,
): string | undefined {
  const rejected = counts.rejected - earlyRows();
  const rows = counts.accepted + rejected;
  const { rejectedShareMax: most } = limits.sanity;
  if (rejected <= rows * most) return undefined;
  return `${rejected} of ${rows} rows were rejected (${overShare(rejected / rows, most)})`;
}

/** Names the symbols with the most rejected rows, as many as leave few in the others. */
function holdForRejectedSymbols(
  segment: CandleSegment,
  loaded: LoadedRows,
  guard: LoadGuard,
): SeriesHold | undefined {
  const counts = countsOf(segment, loaded.files);
  const bySymbol = [...Map.groupBy(counts, ({ fileIndex }) => loaded.symbols[fileIndex])]
    .map(([symbol, own]) => ({ symbol, ...sumOf(own) }))
    .filter(({ accepted }) => accepted > 0);
  const worst = bySymbol
    .filter(({ rejected }) => rejected > 0)
    .sort((a, b) => b.rejected - a.rejected)
    .slice(0, bySymbol.length - 1);
  let { accepted, rejected } = loaded;
  const found: { symbol: string; detail: string }[] = [];
  for (const one of worst) {
    accepted -= one.accepted;
    rejected -= one.rejected;
    const detail = `${one.rejected} of ${one.accepted + one.rejected}`;
    found.push({ symbol: one.symbol, detail });
    if (holdForRejected({ accepted, rejected }, guard) === undefined) {
      return { check: COUNTED[0], text: 'many of their rows were rejected', found };
    }
  }
  return undefined;
}

/** Returns true if small inputs together are large and have too many rejected rows. */
export function areHeld(inputs: readonly { counts: Counts; guard: LoadGuard }[]): boolean {
  const all = sumOf(inputs.map(({ counts }) => counts));
  const earlyRows = () => inputs.reduce((sum, { guard }) => sum + guard.earlyRows(), 0);
  return (
    isLookedAt(all, { isScheduled: false }) && holdForRejected(all, { earlyRows }) !== undefined
  );
}

export function sumOf(counts: readonly Counts[]): Counts {
  const sum = (name: keyof Counts) => counts.reduce((total, one) => total + one[name], 0);
  return { accepted: sum('accepted'), rejected: sum('rejected') };
}

export function holdForUniverse(
  segment: CandleSegment,
  files: readonly LoadedFile[],
  published: PublishedQuotes,
): string | undefined {
  const { source, interval, kind, origin, isPart } = segment;
  const isMarket = new RegExp(WHOLE_MARKET).test(origin);
  if (interval !== '1d' || isPart || !(isMarket || kind === 'external')) return undefined;
  const before = published.newestSession(source);
  const stored = files.filter(({ accepted }) => accepted > 0);
  const newestUs = Math.max(...stored.map(({ lastUs }) => lastUs));
  // Earlier sessions had other symbols.
  if (!before || stored.length === 0 || dayFromMicros(newestUs) < before.day) return undefined;
  const newest = stored.filter(({ lastUs }) => lastUs === newestUs);
  const count = new Set(newest.map(({ fileIndex }) => segment.files[fileIndex].symbol)).size;
  const { missingShareMax: most, universeShareMin, universeMin } = limits.sanity;
  const { symbolCount } = before;
  const isUniverse =
    isMarket || (symbolCount >= universeMin && count > symbolCount * universeShareMin);
  if (!isUniverse || count >= symbolCount * (1 - most)) return undefined;
  const share = overShare(1 - count / symbolCount, most);
  return `its newest session has ${count} symbols, and the published one ${symbolCount} (${share} fewer)`;
}

async function holdForPrices(
  connection: DuckDBConnection,
  segment: CandleSegment,
  loaded: LoadedRows,
  published: PublishedQuotes,
): Promise<SeriesHold | undefined> {
  const { files, newFromSeriesId } = loaded;
  if (segment.hours === 'extended' || isLaterVintage(segment, files, published)) return undefined;
  const rowsSql =
    newFromSeriesId === undefined
      ? '(SELECT series_id, ts, close FROM fresh UNION ALL SELECT series_id, ts, close FROM conflicts WHERE place = 1)'
      : `(FROM ${barTable(segment.interval).bars} WHERE series_id >= ${newFromSeriesId})`;
  const prices = await readPricesOfLoad(connection, segment, rowsSql, published);
  const moved = prices.filter(isMoved);
  const { movedShareMax: most } = limits.sanity;
  const count = Math.max(prices.length, countPublished(segment, files, published));
  if (moved.length <= count * most) return undefined;
  const all = await withoutSplits(connection, segment, moved);
  // A factor to the common days explains a few moved prices. Many may be in another unit.
  const isFew = all.length <= limits.sanity.heldSymbolsMax;
  const unexplained = isFew ? withoutOwnHistory(all, segment, loaded) : all;
  if (unexplained.length <= count * most) return undefined;
  const share = overShare(unexplained.length / count, most);
  const text = `${unexplained.length} of ${count} prices move by half or more (${share})`;
  const found = unexplained.map(({ symbol, before, price }) => {
    return { symbol, detail: `from ${before} to ${price}` };
  });
  return { check: COUNTED[1], text, found };
}

/**
 * Leaves out prices of adjusted series that the load brings with their past. Their common days show
 * the basis, and were compared.
 */
function withoutOwnHistory(
  moved: readonly PriceOfLoad[],
  segment: CandleSegment,
  { files, symbols }: LoadedRows,
): PriceOfLoad[] {
  if (segment.basis === 'raw') return [...moved];
  const pastMs = limits.sanity.ownPastDaysMin * MILLIS_PER_DAY;
  return moved.filter(({ symbol, beforeMs }) => {
    const startsBefore = files.some(
      ({ fileIndex, firstUs }) =>
        symbols[fileIndex] === symbol && firstUs / MICROS_PER_MILLI <= beforeMs - pastMs,
    );
    return !startsBefore;
  });
}

/** Returns true for adjusted prices of a later time, which contain splits that no source states. */
export function isLaterVintage(
  { basis }: CandleSegment,
  files: readonly LoadedFile[],
  { newestMs }: PublishedQuotes,
): boolean {
  if (basis === 'raw') return false;
  const latestUs = (newestMs + limits.sanity.gapDaysMax * MILLIS_PER_DAY) * MICROS_PER_MILLI;
  return files.some(({ lastUs }) => lastUs > latestUs);
}

function countPublished(
  segment: CandleSegment,
  files: readonly LoadedFile[],
  published: PublishedQuotes,
): number {
  const loaded = files.filter(({ accepted }) => accepted > 0);
  const symbols = new Set(loaded.map(({ fileIndex }) => segment.files[fileIndex].symbol));
  return symbols.values().reduce((sum, one) => sum + Number(published.quote(one) !== undefined), 0);
}

export function isMoved({ before, price }: Pick<PriceOfLoad, 'before' | 'price'>): boolean {
  return Math.abs(price / before - 1) >= limits.sanity.movedMin;
}

/** Leaves out prices that a known split explains. */
async function withoutSplits(
  connection: DuckDBConnection,
  { basis }: CandleSegment,
  moved: readonly PriceOfLoad[],
): Promise<PriceOfLoad[]> {
  const splits = await selectRows<{ symbol: string; exDay: number; ratio: number }>(
    connection,
    `SELECT symbol, (ex_date - DATE '1970-01-01')::INTEGER AS "exDay",
       (numerator / denominator)::DOUBLE AS ratio
     FROM corporate_actions WHERE type = 'split'
       AND symbol IN (SELECT unnest(from_json($1, '["VARCHAR"]')))`,
    [JSON.stringify(moved.map(({ symbol }) => symbol))],
  );
  const ofSymbol = Map.groupBy(splits, ({ symbol }) => symbol);
  return moved.filter(({ symbol, before, beforeMs, price, timestampMs }) => {
    // Adjusted prices are those of the time when they were stated: later splits are in them too.
    const throughDay = basis === 'raw' ? newYorkDay(timestampMs) : Number.POSITIVE_INFINITY;
    const ratio = (ofSymbol.get(symbol) ?? [])
      .filter(({ exDay }) => exDay > newYorkDay(beforeMs) && exDay <= throughDay)
      .reduce((product, split) => product * split.ratio, 1);
    return isMoved({ before: before / ratio, price });
  });
}

/** `2.1 %, at most 1 %`. */
function overShare(share: number, most: number): string {
  return `${(share * 100).toFixed(1)} %, at most ${most * 100} %`;
}
