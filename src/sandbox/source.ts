/**
 * The sandbox as a source: a synthetic market of companies and funds that do not exist, the same on
 * every machine.
 */

import { limits } from '../base/limits.ts';
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
import { stageDatasetRows } from '../ingest/rows/segment.ts';
import { stageIntradaySeries, stageSeries } from '../ingest/segments/parquet-segment.ts';
import { dividendsBetween } from './actions.ts';
import { yearFromDay } from './levels.ts';
import { sandboxMinutes } from './minutes.ts';
import { sandboxBars } from './prices.ts';
import { SANDBOX_DATASETS, sandboxRows } from './rows.ts';
import { type SandboxSecurity, sandboxUniverse, sharesOn } from './universe.ts';

const HISTORY_YEARS = 5;
/** Minute bars cover the largest companies by market value, for the latest sessions. */
const MINUTE_STOCKS = 20;
const MINUTE_SESSIONS = 10;

/** Numbers that the first fill settles for good: others would make another market. */
export interface SandboxPlan {
  fromDay: number;
  stocks?: number;
}

export interface Sandbox {
  fromDay: number;
  toDay: number;
  securities: SandboxSecurity[];
}

/** Returns a plan whose bars begin with the year five years back, unless a day is given. */
export function sandboxPlan({ fromDay, stocks }: Partial<SandboxPlan>, nowMs: number): SandboxPlan {
  return { fromDay: fromDay ?? historyFromDay(latestCompletedSession(nowMs)), stocks };
}

export function openSandbox({ fromDay, stocks }: SandboxPlan, nowMs: number): Sandbox {
  const toDay = latestCompletedSession(nowMs);
  return { fromDay, toDay, securities: sandboxUniverse({ fromDay, toDay, stocks }) };
}

function historyFromDay(toDay: number): number {
  return nextSession(dayFromDate(`${yearFromDay(toDay) - HISTORY_YEARS}-01-01`) - 1);
}

export function sandboxSymbols({ securities }: Sandbox) {
  return securities.map(({ symbol, companyName, exchange, type, sector, industry }) => {
    return { symbol, companyName, exchange, type, country: 'US', sector, industry };
  });
}

/**
 * Gives raw daily bars as of the close of the last session; nothing when no session is new.
 *
 * Each segment states the actions of all days from `fromDay` on, so that a newer statement
 * replaces an older one.
 */
export async function* sandboxSegments(
  { fromDay, toDay, securities }: Sandbox,
  storedThroughDay: number | undefined,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  const barsFromDay = Math.max(fromDay, (storedThroughDay ?? -Infinity) + 1);
  const sessionCount = sessionsBetween(barsFromDay, toDay).length;
  if (sessionCount === 0) return;

  const perSegment = Math.max(1, Math.floor(limits.ingest.sandboxSegmentRows / sessionCount));
  for (let start = 0; start < securities.length; start += perSegment) {
    context.signal?.throwIfAborted();
    const end = Math.min(start + perSegment, securities.length);
    const series = securities
      .slice(start, end)
      .map((security) => ({
        symbol: security.symbol,
        bars: sandboxBars(security, barsFromDay, toDay),
        actions: actionsOf(security, fromDay, toDay),
      }))
      .filter(({ bars }) => bars.close.length > 0);
    if (series.length > 0) yield await stageSeries(headOf(toDay), series, context);
    context.onProgress?.('generate', end, securities.length);
  }
}

/** Returns the splits and dividends between two days, from the day after the listing. */
function actionsOf(security: SandboxSecurity, coverageFromDay: number, coverageToDay: number) {
  const from = Math.max(coverageFromDay, security.firstDay + 1);
  const to = Math.min(coverageToDay, security.lastDay);
  const splits = security.splits.filter(({ exDay }) => exDay >= from && exDay <= to);
  const dividends = dividendsBetween(security, from, to);
  return { splits, dividends, coverageFromDay, coverageToDay };
}

/**
 * Gives raw minute bars of the latest sessions that are not stored: extended hours first, so that
 * a symbol with regular minutes of a session has all of it.
 */
export async function* sandboxMinuteSegments(
  { fromDay, toDay, securities }: Sandbox,
  storedThroughDay: number | undefined,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  const minutesFromDay = Math.max(fromDay, (storedThroughDay ?? -Infinity) + 1);
  const [firstSession] = sessionsBetween(minutesFromDay, toDay).slice(-MINUTE_SESSIONS);
  if (firstSession === undefined) return;
  const series = largestStocks(securities, toDay).map((security) => ({
    symbol: security.symbol,
    bars: sandboxMinutes(security, firstSession, toDay),
  }));
  const head = { ...headOf(toDay), interval: '1m' } as const;
  yield* (await stageIntradaySeries(head, series, context)).toReversed();
}

function largestStocks(securities: readonly SandboxSecurity[], day: number): SandboxSecurity[] {
  return securities
    .filter(({ type, lastDay }) => type === 'stock' && lastDay >= day)
    .map((security) => {
      const { close } = sandboxBars(security, previousSession(day), day);
      return { security, value: (close.at(-1) ?? 0) * sharesOn(security, day) };
    })
    .sort((a, b) => b.value - a.value || (a.security.symbol < b.security.symbol ? -1 : 1))
    .slice(0, MINUTE_STOCKS)
    .map(({ security }) => security);
}

/**
 * Gives one segment of records per dataset, as of the close of the last session; none where no
 * record is new. Filings reach five years back even where bars do not.
 *
 * @param storedThroughMs By dataset: records up to this moment are stored already.
 */
export async function* sandboxRowSegments(
  { fromDay, toDay, securities }: Sandbox,
  storedThroughMs: ReadonlyMap<string, number>,
  context: FetchContext,
): AsyncGenerator<FetchedRows> {
  const filingsFromDay = Math.min(fromDay, historyFromDay(toDay));
  const { source, asOfUs, origin } = headOf(toDay);
  for (const [index, one] of SANDBOX_DATASETS.entries()) {
    context.signal?.throwIfAborted();
    const dataset = one.dataset.name;
    const stored = storedThroughMs.get(dataset);
    const period = { historyFromDay: filingsFromDay, toDay, storedThroughMs: stored };
    const head = { dataset, source, asOfUs, origin };
    const rows = sandboxRows(one, securities, period).map((row) => ({ row }));
    const first = rows.next();
    if (!first.done) yield await stageDatasetRows(head, startingWith(first.value, rows), context);
    context.onProgress?.('rows', index + 1, SANDBOX_DATASETS.length);
  }
}

function* startingWith<T>(first: T, rest: Iterable<T>): Generator<T> {
  yield first;
  yield* rest;
}

function headOf(toDay: number) {
  return {
    source: 'sandbox',
    interval: '1d',
    basis: 'raw',
    asOfUs: BigInt(sessionCloseMs(toDay)) * 1000n,
    origin: 'tapeworks backfill sandbox',
  } as const;
}
