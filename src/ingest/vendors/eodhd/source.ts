/** Daily bars from EODHD, raw, with splits and dividends: single symbols, or whole days of the US. */

import { type BarColumns, MILLIS_PER_DAY, type Split } from '../../../base/bars.ts';
import { SourceEmptyError, UnknownSymbolError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits/limits.ts';
import {
  latestCompletedSession,
  previousSession,
  sessionsBetween,
} from '../../../base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../../base/time/dates.ts';
import type { FetchContext, FetchedSegment } from '../../contract/fetch-context.ts';
import { SkippedNotes } from '../../contract/skipped-notes.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { HttpClient } from '../../http/client.ts';
import { keyParts } from '../../http/vendor-key.ts';
import { vendors } from '../../http/vendors.ts';
import { landVendorBars } from '../shared/land-vendor-bars.ts';
import { VendorActions } from '../shared/vendor-actions.ts';
import { type DayRange, missingDays, monthStart } from '../shared/vendor-days.ts';
import { eodhdSymbol } from '../shared/vendor-symbols.ts';
import {
  parseEodhdBars,
  parseEodhdDay,
  parseEodhdDayDividends,
  parseEodhdDaySplits,
  parseEodhdDividends,
  parseEodhdSplits,
} from './parse.ts';

type Ask = (path: string, query: Record<string, string>, symbol?: string) => Promise<string>;

/**
 * With symbols: three requests each for what is missing. Else three requests for each missing
 * session of the whole US market; without anything stored that is the latest session only.
 *
 * @throws {ConfigError} no key is set.
 * @throws {SourceEmptyError} nothing came of all that was asked.
 * @throws as `HttpClient.get` and the parsers.
 */
export async function* fetchEodhd(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  const key = keyParts(vendors.EODHD, context.settings);
  const http = new HttpClient(context.settings, { signal: context.signal });
  const ask: Ask = async (path, query, symbol) => {
    const asked = { ...key, query: { ...query, ...key.query, fmt: 'json' } };
    return (await http.get({ vendor: vendors.EODHD, path, ...asked, symbol })).text;
  };
  try {
    yield* options.symbols
      ? fetchSymbols(options, context, ask)
      : fetchMarket(options, context, ask);
  } finally {
    await http.close();
  }
}

/** Sessions of the whole market that are missing, ascending. */
export function eodhdSessions(options: SourceOptions, nowMs: number): number[] {
  const latest = latestCompletedSession(nowMs);
  const range = missingDays(options.wholeMarketDay, latest, options, { interval: '1d', nowMs });
  return range ? [...sessionsBetween(range.fromDay, range.toDay)] : [];
}

async function* fetchMarket(
  options: SourceOptions,
  context: FetchContext,
  ask: Ask,
): AsyncGenerator<FetchedSegment> {
  const sessions = eodhdSessions(options, context.nowMs);
  const notes = new SkippedNotes();
  for (const [done, day] of sessions.entries()) {
    context.onProgress?.('fetch', done, sessions.length);
    const date = dateFromDay(day);
    const path = '/api/eod-bulk-last-day/US';
    const actions = new VendorActions();
    parseEodhdDaySplits(await ask(path, { date, type: 'splits' }), actions);
    parseEodhdDayDividends(await ask(path, { date, type: 'dividends' }), actions);
    const answer = {
      source: 'eodhd',
      interval: '1d' as const,
      origin: `eodhd market ${date}`,
      barsBySymbol: parseEodhdDay(await ask(path, { date })),
      // From the day after the session before: nothing happens on days without one.
      actionsOf: (code: string) => ({
        ...actions.of(code),
        coverageFromDay: previousSession(day) + 1,
        coverageToDay: day,
      }),
    };
    if (answer.barsBySymbol.size === 0) notes.add(date, 'EODHD has no bars of this session');
    yield* notes.carriedBy(landVendorBars(answer, options, context));
  }
  if (sessions.length > 0) notes.requireSegments('EODHD');
}

/** Three requests. */
export interface EodhdQuestion extends DayRange {
  symbol: string;
}

export function eodhdQuestions(options: SourceOptions, nowMs: number): EodhdQuestion[] {
  const firstDay = dayFromDate(limits.ingest.earliestDate);
  return (options.symbols ?? []).flatMap((symbol) => {
    const storedDay = options.lastStoredDay?.(symbol);
    const range = missingDays(storedDay, firstDay, options, { interval: '1d', nowMs });
    if (!range) return [];
    const isRefresh = storedDay !== undefined && options.fromDay === undefined;
    return [{ symbol, ...range, fromDay: isRefresh ? monthStart(storedDay) : range.fromDay }];
  });
}

async function* fetchSymbols(
  options: SourceOptions,
  context: FetchContext,
  ask: Ask,
): AsyncGenerator<FetchedSegment> {
  const questions = eodhdQuestions(options, context.nowMs);
  const notes = new SkippedNotes();
  for (const [done, question] of questions.entries()) {
    context.onProgress?.('fetch', done, questions.length);
    try {
      const answer = await answerOf(question, ask);
      yield* notes.carriedBy(landVendorBars(answer, options, context));
    } catch (error) {
      if (!(error instanceof UnknownSymbolError || error instanceof SourceEmptyError)) throw error;
      notes.add(question.symbol, error.message);
    }
  }
  if (questions.length > 0) notes.requireSegments('EODHD');
}

async function answerOf({ symbol, fromDay, toDay }: EodhdQuestion, ask: Ask) {
  const code = `${eodhdSymbol(symbol)}.US`;
  const [from, to] = [dateFromDay(fromDay), dateFromDay(toDay)];
  const bars = parseEodhdBars(await ask(`/api/eod/${code}`, { from, to, period: 'd' }, code));
  if (bars.close.length === 0) {
    throw new SourceEmptyError(`EODHD has no bars of "${symbol}" for the time asked`);
  }
  const actions = new VendorActions();
  // To now, not to `to`: volumes are adjusted for all later splits.
  parseEodhdSplits(await ask(`/api/splits/${code}`, { from }, code), code, actions);
  parseEodhdDividends(await ask(`/api/div/${code}`, { from, to }, code), code, actions);
  const said = actions.of(code);
  const coverage = { coverageFromDay: fromDay, coverageToDay: toDay };
  return {
    source: 'eodhd',
    interval: '1d' as const,
    origin: `eodhd ${code} ${from}/${to}`,
    barsBySymbol: new Map([[symbol, withRawVolume(bars, said.splits)]]),
    actionsOf: () => ({ ...said, ...coverage }),
  };
}

/** EODHD's prices are raw and its volumes are not: undoes the splits after each bar. */
export function withRawVolume(bars: BarColumns, splits: readonly Split[]): BarColumns {
  const volume = bars.volume.map((shares, row) => {
    const day = Number(bars.timestampUs[row] / 1000n) / MILLIS_PER_DAY;
    const later = splits.filter(({ exDay }) => exDay > day);
    return later.reduce(
      (sum, { numerator, denominator }) => (sum * denominator) / numerator,
      shares,
    );
  });
  return { ...bars, volume };
}
