/** Fetches bars of each symbol from the first of several vendors that has them. */

import {
  ConfigError,
  MalformedInputError,
  ParameterError,
  RateLimitedError,
  SourceBlockedError,
  SourceEmptyError,
  SourceUnavailableError,
  SubscriptionNeededError,
  TapeworksError,
  UnknownSymbolError,
} from '../../base/errors.ts';
import { latestCompletedSession } from '../../base/time/calendar.ts';
import type { FetchContext, Fetched, SourceTry } from '../contract/fetch-context.ts';
import type { Source, SourceCode } from '../contract/source.ts';
import type { SourceOptions } from '../contract/source-options.ts';
import { bySymbols } from '../vendors/shared/partition.ts';
import { type BarSource, barSources } from './bar-sources.ts';
import { anySourceLimits } from './limits.ts';

/** Outcome of each of our errors; the first class that matches counts. */
const OUTCOMES: readonly (readonly [
  SourceTry['outcome'],
  readonly (new (...args: never[]) => Error)[],
])[] = [
  ['rate limited', [RateLimitedError]],
  ['refused', [SubscriptionNeededError, SourceBlockedError]],
  ['unknown symbol', [UnknownSymbolError, SourceEmptyError]],
  ['malformed', [MalformedInputError]],
  ['not configured', [ConfigError]],
  ['unavailable', [SourceUnavailableError]],
];

/**
 * Tries the sources in the order of `BAR_SOURCES`, each for the symbols that none before it has,
 * and reports every symbol to `context.onSourced`. A failing source ends its own try only.
 *
 * @throws {ParameterError} there are no symbols, or too many for this.
 */
async function* fetchAny(options: SourceOptions, context: FetchContext): AsyncGenerator<Fetched> {
  const open = new Map(requiredSymbols(options).map((symbol) => [symbol, [] as SourceTry[]]));
  const total = open.size;
  const found = (symbol: string, source: string, isUpToDate: boolean) => {
    context.onSourced?.({ symbol, source, isUpToDate, tried: open.get(symbol) ?? [] });
    open.delete(symbol);
    context.onProgress?.('fetch', total - open.size, total);
  };
  for (const one of barSources(context.settings)) {
    if (open.size === 0) break;
    const { id } = one.source;
    for (const symbol of open.keys()) {
      if (isUpToDate(symbol, id, options, context.nowMs)) found(symbol, id, true);
    }
    const symbols = [...open.keys()];
    if (symbols.length === 0) break;
    const given = new Set<string>();
    const failures = yield* fetchOne(one, { ...options, symbols }, context, given);
    for (const symbol of given) found(symbol, id, false);
    for (const [symbol, tried] of open) {
      const failure = failures(symbol);
      // It ended, or is halted: the source has nothing newer.
      const isStored = options.storedDaysBySource?.[id]?.[symbol] !== undefined;
      if (isStored && failure.outcome === 'unknown symbol') found(symbol, id, true);
      else tried.push({ source: id, ...failure });
    }
  }
  for (const [symbol, tried] of open) {
    context.onSourced?.({ symbol, source: null, isUpToDate: false, tried });
  }
}

/** Returns the outcome for a symbol that the source gave no bars of. */
type Failures = (symbol: string) => Omit<SourceTry, 'source'>;

/**
 * Yields the segments of one source after it has ended, because a truncated history of a better
 * source would be served instead of a whole one: of a source that failed, only those of symbols
 * with all their bars. The files of the others stay on disk, and are used when they come again.
 *
 * @param given Receives the symbols of the yielded segments.
 */
async function* fetchOne(
  { source, title, remedy }: BarSource,
  options: SourceOptions,
  context: FetchContext,
  given: Set<string>,
): AsyncGenerator<Fetched, Failures> {
  if (remedy !== undefined) {
    return () => ({ outcome: 'not configured', message: `${title}: ${remedy}` });
  }
  if (options.interval === '1m' && !source.command?.hasInterval) {
    return () => ({ outcome: 'not offered', message: `${title} has no 1-minute bars here` });
  }
  const { storedDaysBySource = {}, ...plain } = options;
  const asked = { ...plain, lastStoredDays: storedDaysBySource[source.id] };
  const { triesMax, retryAfterMaxMs, paceWaitMaxMs } = anySourceLimits;
  const segments: Fetched[] = [];
  let failure: TapeworksError | undefined;
  try {
    const code = await source.load();
    const patience = { triesMax, retryAfterMaxMs, paceWaitMaxMs };
    const fetched = code.fetch?.(asked, { ...context, patience, onProgress: undefined });
    for await (const segment of fetched ?? []) segments.push(segment);
  } catch (error) {
    context.signal?.throwIfAborted();
    if (!(error instanceof TapeworksError) || error instanceof ParameterError) throw error;
    failure = error;
  }
  for (const segment of failure ? wholeSegments(segments) : segments) {
    for (const symbol of symbolsOf(segment)) given.add(symbol);
    // Notes on symbols become outcomes: another source may have what this one lacks.
    yield { ...segment, skipped: segment.skipped.filter(({ name }) => !isOf(name, options)) };
  }
  const notes = segments.flatMap(({ skipped }) => skipped);
  const reasons = new Map(notes.map(({ name, reason }) => [name, reason]));
  return (symbol) => {
    const reason = reasons.get(symbol);
    if (reason !== undefined) return { outcome: 'unknown symbol', message: reason };
    if (failure) return { outcome: outcomeOf(failure), message: failure.message };
    return { outcome: 'unknown symbol', message: `${title} has no bars of it` };
  };
}

/**
 * Returns the segments of a failed source whose symbols have all their bars. The symbols of the last
 * segment may lack some, and so may all that share a segment with one of them.
 */
function wholeSegments(segments: readonly Fetched[]): Fetched[] {
  const partial = new Set(segments.slice(-1).flatMap(symbolsOf));
  const whole: Fetched[] = [];
  for (const segment of segments.toReversed()) {
    const symbols = symbolsOf(segment);
    if (!symbols.some((symbol) => partial.has(symbol))) whole.unshift(segment);
    else for (const symbol of symbols) partial.add(symbol);
  }
  return whole.filter((segment) => !symbolsOf(segment).some((symbol) => partial.has(symbol)));
}

function symbolsOf(segment: Fetched): string[] {
  return 'files' in segment ? segment.files.flatMap(({ symbol }) => symbol ?? []) : [];
}

function isOf(name: string, { symbols = [] }: SourceOptions): boolean {
  return symbols.includes(name);
}

function outcomeOf(error: TapeworksError): SourceTry['outcome'] {
  const known = OUTCOMES.find(([, classes]) => classes.some((one) => error instanceof one));
  return known?.[0] ?? 'unavailable';
}

/** Returns true if a source has all days of a symbol in the store. */
function isUpToDate(
  symbol: string,
  source: string,
  { storedDaysBySource, fromDay, toDay, interval = '1d' }: SourceOptions,
  nowMs: number,
): boolean {
  const day = storedDaysBySource?.[source]?.[symbol];
  // The newest stored day of minutes may be incomplete, and `--from` requests days again.
  if (day === undefined || fromDay !== undefined || interval !== '1d') return false;
  return day >= Math.min(latestCompletedSession(nowMs), toDay ?? Infinity);
}

/** @throws {ParameterError} there are no symbols, or more than a list of single symbols should be. */
function requiredSymbols({ symbols = [] }: SourceOptions): readonly string[] {
  const { symbolsMax } = anySourceLimits;
  if (symbols.length >= 1 && symbols.length <= symbolsMax) return symbols;
  throw new ParameterError(
    'symbols',
    `any needs --symbols with 1 to ${symbolsMax} symbols, got ${symbols.length}; for a whole market use one source`,
  );
}

const code: SourceCode = {
  fetch: fetchAny,
  partition: (options) =>
    bySymbols(options, requiredSymbols(options), anySourceLimits.symbolsPerPartition),
};

export const anySource: Source = {
  id: 'any',
  title: 'The first configured vendor that has the symbol',
  datasets: ['candles', 'corporate-actions'],
  history: 'that of the vendor',
  delay: 'that of the vendor',
  cost: 'that of the vendor',
  keyNeeded: false,
  terms: 'those of the vendor',
  redistribution: 'as the vendor allows',
  verified: 'as the vendor is',
  stored: 'bars by source',
  load: async () => code,
};
