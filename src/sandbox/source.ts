/**
 * The sandbox: a synthetic market of companies and funds that do not exist, the same on every
 * machine. It takes the way of every source: raw bars in segments, splits and dividends with the
 * days for which they are complete, and names for the directory.
 */

import { limits } from '../base/limits/limits.ts';
import {
  latestCompletedSession,
  nextSession,
  previousSession,
  sessionCloseMs,
  sessionsBetween,
} from '../base/time/calendar.ts';
import { dayFromDate } from '../base/time/dates.ts';
import type {
  FetchContext,
  FetchedRows,
  FetchedSegment,
} from '../ingest/contract/fetch-context.ts';
import { landDatasetRows } from '../ingest/rows/segment.ts';
import {
  landIntradaySeries,
  landSeries,
  type UncheckedSeries,
} from '../ingest/segments/parquet-segment.ts';
import { yearFromDay } from './factors.ts';
import { sandboxMinutes } from './minutes.ts';
import { sandboxBars } from './prices.ts';
import { SANDBOX_DATASETS, sandboxRows } from './rows.ts';
import { type SandboxSecurity, sandboxUniverse } from './universe.ts';

const HISTORY_YEARS = 5;

export interface SandboxOptions {
  /** First day of bars and actions; default: the start of the year five years back. */
  fromDay?: number;
  /** Last day; default: the latest completed session of the run's clock. */
  toDay?: number;
  /** Bars up to this day are stored already: only later sessions are made. */
  storedThroughDay?: number;
  /** Companies to choose from, see `UniverseOptions`; a stored sandbox keeps its number. */
  stocks?: number;
}

interface SandboxDays {
  fromDay: number;
  /** A session. */
  toDay: number;
}

export interface SandboxListing
  extends Pick<
    SandboxSecurity,
    'symbol' | 'companyName' | 'exchange' | 'type' | 'sector' | 'industry'
  > {
  country: string;
}

/** What the directory says of every symbol that `sandboxSegments` gives with the same options. */
export function sandboxSymbols(options: SandboxOptions, nowMs: number): SandboxListing[] {
  const universe = sandboxUniverse({ ...sandboxDays(options, nowMs), stocks: options.stocks });
  return universe.map(({ symbol, companyName, exchange, type, sector, industry }) => ({
    symbol,
    companyName,
    exchange,
    type,
    country: 'US',
    sector,
    industry,
  }));
}

/**
 * Raw daily bars, as of the close of their last session; nothing when no session is new.
 *
 * Actions are stated for all days from `fromDay` on, also by segments that only extend: a newer
 * statement then replaces an older one instead of lying beside it.
 */
export async function* sandboxSegments(
  options: SandboxOptions,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  const days = sandboxDays(options, context.nowMs);
  const barsFromDay = Math.max(days.fromDay, (options.storedThroughDay ?? -Infinity) + 1);
  const sessionCount = sessionsBetween(barsFromDay, days.toDay).length;
  if (sessionCount === 0) return;

  const universe = sandboxUniverse({ ...days, stocks: options.stocks });
  const perSegment = Math.max(1, Math.floor(limits.ingest.sandboxSegmentRows / sessionCount));
  for (let start = 0; start < universe.length; start += perSegment) {
    context.signal?.throwIfAborted();
    const securities = universe.slice(start, start + perSegment);
    const series = securities.map((security) => seriesOf(security, barsFromDay, days));
    const traded = series.filter(({ bars }) => bars.close.length > 0);
    if (traded.length > 0) yield await landSeries(headOf(days), traded, context);
    context.onProgress?.('generate', start + securities.length, universe.length);
  }
}

/** How many companies have bars of minutes, and for how many sessions up to the latest. */
const MINUTE_STOCKS = 20;
const MINUTE_SESSIONS = 10;

/**
 * Raw bars of minutes of the largest companies by market value on the last session, for the
 * latest sessions that are not stored: first those of extended hours, then the regular ones, so
 * that a symbol with regular minutes of a session has all of it.
 *
 * @param storedThroughDay Minutes up to this day are stored already.
 */
export async function* sandboxMinuteSegments(
  options: SandboxOptions,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  const days = sandboxDays(options, context.nowMs);
  const fromDay = Math.max(days.fromDay, (options.storedThroughDay ?? -Infinity) + 1);
  const [firstSession] = sessionsBetween(fromDay, days.toDay).slice(-MINUTE_SESSIONS);
  if (firstSession === undefined) return;
  const universe = sandboxUniverse({ ...days, stocks: options.stocks });
  const series = largestStocks(universe, days.toDay).map((security) => ({
    symbol: security.symbol,
    bars: sandboxMinutes(security, firstSession, days.toDay),
  }));
  const head = { ...headOf(days), interval: '1m' } as const;
  yield* (await landIntradaySeries(head, series, context)).toReversed();
}

function largestStocks(universe: readonly SandboxSecurity[], day: number): SandboxSecurity[] {
  const values = universe
    .filter(({ type, lastDay = day }) => type === 'stock' && lastDay >= day)
    .map((security) => {
      const { close } = sandboxBars(security, previousSession(day), day);
      return { security, value: (close.at(-1) ?? 0) * security.sharesOutstanding };
    });
  values.sort((a, b) => b.value - a.value || (a.security.symbol < b.security.symbol ? -1 : 1));
  return values.slice(0, MINUTE_STOCKS).map(({ security }) => security);
}

export interface SandboxRowOptions extends Omit<SandboxOptions, 'storedThroughDay'> {
  /** By dataset: rows up to this moment are stored already. */
  storedThroughMs: ReadonlyMap<string, number>;
}

/**
 * Rows of every dataset, a segment each, as of the close of the last session; none of a dataset
 * without a new row. Filings reach five years back even where bars do not.
 */
export async function* sandboxRowSegments(
  options: SandboxRowOptions,
  context: FetchContext,
): AsyncGenerator<FetchedRows> {
  const days = sandboxDays(options, context.nowMs);
  const { source, asOfUs, origin } = headOf(days);
  const usual = sandboxDays({ toDay: days.toDay }, context.nowMs);
  const historyFromDay = Math.min(days.fromDay, usual.fromDay);
  const universe = sandboxUniverse({ ...days, stocks: options.stocks });
  for (const [index, one] of SANDBOX_DATASETS.entries()) {
    context.signal?.throwIfAborted();
    const { dataset } = one;
    const storedThroughMs = options.storedThroughMs.get(dataset);
    const rows = sandboxRows(one, universe, { historyFromDay, toDay: days.toDay, storedThroughMs });
    const { value: first } = rows.next();
    if (first) {
      const head = { dataset, source, asOfUs, origin };
      yield await landDatasetRows(head, startingWith(first, rows), context);
    }
    context.onProgress?.('rows', index + 1, SANDBOX_DATASETS.length);
  }
}

function* startingWith<T>(first: T, rest: Iterable<T>): Generator<T> {
  yield first;
  yield* rest;
}

export function sandboxDays({ fromDay, toDay }: SandboxOptions, nowMs: number): SandboxDays {
  const latest = latestCompletedSession(nowMs);
  const last = Math.min(toDay ?? latest, latest);
  const yearsBack = dayFromDate(`${yearFromDay(last) - HISTORY_YEARS}-01-01`);
  return { fromDay: fromDay ?? nextSession(yearsBack - 1), toDay: last };
}

function headOf({ toDay }: SandboxDays) {
  const [lastSession] = sessionsBetween(toDay - 10, toDay).slice(-1);
  return {
    source: 'sandbox',
    interval: '1d',
    basis: 'raw',
    asOfUs: BigInt(sessionCloseMs(lastSession)) * 1000n,
    origin: 'tapeworks backfill sandbox',
  } as const;
}

function seriesOf(
  security: SandboxSecurity,
  barsFromDay: number,
  { fromDay, toDay }: SandboxDays,
): UncheckedSeries {
  const { symbol, splits, dividends } = security;
  return {
    symbol,
    bars: sandboxBars(security, barsFromDay, toDay),
    actions: { splits, dividends, coverageFromDay: fromDay, coverageToDay: toDay },
  };
}
