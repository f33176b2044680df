/** Earnings dates of all companies, and of single ones what analysts think, from Finnhub. */

import { MICROS_PER_MILLI } from '../../bars.ts';
import { dateFromDay } from '../../dates.ts';
import { SourceEmptyError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { landDatasetRows } from '../dataset-segment.ts';
import type { FetchContext, FetchedRows } from '../fetch-context.ts';
import type { FetchPlan } from '../fetch-plans.ts';
import type { SourceOptions } from '../source-options.ts';
import { calendarDays, daysInParts, wantedRows } from '../vendor-rows/calendar-days.ts';
import { fetchBySymbol, type RowsByDataset } from '../vendor-rows/fetch-by-symbol.ts';
import { type KeyedAsks, withKey } from '../vendor-rows/keyed-asks.ts';
import {
  parseFinnhubEarnings,
  parseFinnhubGrades,
  parseFinnhubRecommendations,
  parseFinnhubTargets,
} from '../vendor-rows/parse-finnhub.ts';
import { vendors } from '../vendors.ts';

const ROWS_PER_PART = 1000;
const ROWS_PER_SYMBOL = 100;
const REQUESTS_PER_SYMBOL = 3;

/**
 * Segments of the earnings calendar, a week each; with `symbols` of theirs only, and their
 * consensus, upgrades and downgrades beside it. What the plan does not include is named.
 *
 * @throws as `withKey`, `calendarDays` and the parsers.
 */
export function fetchFinnhub(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedRows> {
  return withKey(vendors.FINNHUB, context, async function* (asks) {
    const { symbols = [] } = options;
    yield* fetchCalendar(asks, options, context);
    const ask = (symbol: string) => askAnalysts(symbol, asks, context.nowMs);
    yield* fetchBySymbol({ source: 'finnhub', symbols, ask, notes: asks.notes }, options, context);
  });
}

export function planFinnhub(options: SourceOptions, nowMs: number): FetchPlan {
  const { symbols = [] } = options;
  const parts = partsOf(options, nowMs).length;
  return {
    requests: parts + symbols.length * REQUESTS_PER_SYMBOL,
    bars: 0,
    rows: parts * ROWS_PER_PART + symbols.length * ROWS_PER_SYMBOL,
  };
}

const partsOf = (options: SourceOptions, nowMs: number) =>
  daysInParts(calendarDays(options, nowMs), limits.calendar.daysPerRequest);

async function* fetchCalendar(
  { ask }: KeyedAsks,
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedRows> {
  const { nowMs } = context;
  const asOfUs = options.asOfUs ?? BigInt(nowMs * MICROS_PER_MILLI);
  for (const { fromDay, toDay } of partsOf(options, nowMs)) {
    const [from, to] = [dateFromDay(fromDay), dateFromDay(toDay)];
    const body = await ask('/api/v1/calendar/earnings', { from, to });
    const rows = wantedRows(parseFinnhubEarnings(body, nowMs), options);
    if (rows.length === 0) continue;
    const origin = `finnhub earnings ${from}/${to}`;
    const head = { dataset: 'earnings-calendar', source: 'finnhub', asOfUs, origin };
    yield await landDatasetRows(head, rows, context);
  }
}

async function askAnalysts(
  symbol: string,
  { ask, askIfIncluded }: KeyedAsks,
  asOfMs: number,
): Promise<RowsByDataset> {
  const aimed = await askIfIncluded('/api/v1/stock/price-target', { symbol });
  const targets = aimed === undefined ? undefined : parseFinnhubTargets(aimed, symbol);
  const counted = await ask('/api/v1/stock/recommendation', { symbol });
  const graded = await askIfIncluded('/api/v1/stock/upgrade-downgrade', { symbol });
  const consensus = parseFinnhubRecommendations(counted, symbol, { asOfMs, targets });
  const grades = graded === undefined ? [] : parseFinnhubGrades(graded, symbol);
  if (consensus.length + grades.length === 0) {
    throw new SourceEmptyError(`Finnhub has nothing of analysts of "${symbol}"`);
  }
  return { 'analyst-consensus': consensus, 'upgrades-downgrades': grades };
}
