/** Earnings dates of all companies, and of single ones what analysts think, from FMP. */

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
  parseFmpConsensus,
  parseFmpEarnings,
  parseFmpGrades,
  parseFmpTargets,
} from '../vendor-rows/parse-fmp.ts';
import { eodhdSymbol } from '../vendor-symbols.ts';
import { vendors } from '../vendors.ts';

const ROWS_PER_PART = 1000;
const ROWS_PER_SYMBOL = 1000;
const REQUESTS_PER_SYMBOL = 4;

/** An answer of the list kind without rows. */
const NOTHING = '[]';

/**
 * Segments of the earnings calendar, a week each; with `symbols` of theirs only, and their
 * consensus, targets, upgrades and downgrades beside it. What the plan does not include is named.
 *
 * @throws as `withKey`, `calendarDays` and the parsers.
 */
export function fetchFmp(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedRows> {
  return withKey(vendors.FMP, context, async function* (asks) {
    const { symbols = [] } = options;
    yield* fetchCalendar(asks, options, context);
    const ask = (symbol: string) => askAnalysts(symbol, asks, context.nowMs);
    yield* fetchBySymbol({ source: 'fmp', symbols, ask, notes: asks.notes }, options, context);
  });
}

export function planFmp(options: SourceOptions, nowMs: number): FetchPlan {
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
  { askIfIncluded }: KeyedAsks,
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedRows> {
  const { nowMs } = context;
  const asOfUs = options.asOfUs ?? BigInt(nowMs * MICROS_PER_MILLI);
  for (const { fromDay, toDay } of partsOf(options, nowMs)) {
    const [from, to] = [dateFromDay(fromDay), dateFromDay(toDay)];
    const body = await askIfIncluded('/stable/earnings-calendar', { from, to });
    const rows = wantedRows(parseFmpEarnings(body ?? NOTHING, nowMs), options);
    if (rows.length === 0) continue;
    const origin = `fmp earnings ${from}/${to}`;
    const head = { dataset: 'earnings-calendar', source: 'fmp', asOfUs, origin };
    yield await landDatasetRows(head, rows, context);
  }
}

async function askAnalysts(
  symbol: string,
  { askIfIncluded }: KeyedAsks,
  asOfMs: number,
): Promise<RowsByDataset> {
  // Hyphens for classes, as EODHD has them; of preferred shares it is not confirmed.
  const query = { symbol: eodhdSymbol(symbol) };
  const ask = async (path: string) => (await askIfIncluded(path, query)) ?? NOTHING;
  const countsBody = await ask('/stable/grades-consensus');
  const targetsBody = await ask('/stable/price-target-consensus');
  const rows = {
    'analyst-consensus': parseFmpConsensus({ countsBody, targetsBody }, symbol, asOfMs),
    'upgrades-downgrades': parseFmpGrades(await ask('/stable/grades'), symbol),
    'analyst-targets': parseFmpTargets(await ask('/stable/price-target-news'), symbol),
  };
  if (Object.values(rows).every((some) => some.length === 0)) {
    throw new SourceEmptyError(`FMP has nothing of analysts of "${symbol}"`);
  }
  return rows;
}
