import { type BarColumns, MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../../base/bars.ts';
import { PRICE_CURRENCY } from '../../../base/datasets/currency.ts';
import { SourceEmptyError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { dayFromDate, dayFromMillis } from '../../../base/time/dates.ts';
import type { FetchContext, FetchedSegment } from '../../contract/fetch-context.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { HttpClient } from '../../http/client.ts';
import { requiredSymbols } from '../shared/partition.ts';
import type { VendorResponse } from '../shared/stage-vendor-bars.ts';
import { type SymbolRange, stageHistories } from '../shared/symbol-histories.ts';
import { VendorActions } from '../shared/vendor-actions.ts';
import { newestSessionsFrom } from '../shared/vendor-days.ts';
import { yahooSymbol } from '../shared/vendor-symbols.ts';
import { parseYahooChart } from './parse-chart.ts';
import { vendor } from './vendor.ts';

/**
 * Fetches one segment a symbol, one request each: an interruption loses one symbol at most.
 *
 * A request always runs to now, because prices are adjusted for all splits up to its end. One that
 * continues a stored series starts some sessions before its end, so that the two overlap.
 * @throws {ParameterError} `symbols` are not given.
 * @throws {SourceEmptyError} no symbol gave bars; names each with its reason.
 */
export async function* fetchYahoo(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  const symbols = requiredSymbols(options, 'yahoo');
  const { settings, signal, patience, nowMs } = context;
  await using http = new HttpClient(settings, { signal, ...patience });
  const toDay = dayFromMillis(nowMs);
  const ranges = symbols.map((symbol) => ({ symbol, fromDay: firstDayOf(symbol, options), toDay }));
  const ask = (range: SymbolRange) => barsOf(range, http, options, nowMs);
  yield* stageHistories('Yahoo', ranges, ask, options, context);
}

async function barsOf(
  { symbol, fromDay, toDay }: SymbolRange,
  http: HttpClient,
  options: SourceOptions,
  nowMs: number,
): Promise<VendorResponse> {
  const asked = yahooSymbol(symbol);
  const body = await fetchYahooChart(http, { symbol: asked, fromDay, nowMs });
  const { bars, splits, dividends, currency, notes } = parseYahooChart(body, asked);
  if (currency !== PRICE_CURRENCY) {
    throw new SourceEmptyError(
      `Yahoo has the prices of "${symbol}" in ${currency}, and prices here are in US dollars`,
    );
  }
  const actions = new VendorActions(new Map([[symbol, splits]]), new Map([[symbol, dividends]]));
  return {
    source: 'yahoo',
    interval: '1d',
    basis: 'split',
    origin: `yahoo ${symbol}`,
    barsBySymbol: new Map([[symbol, barsThrough(bars, options.toDay)]]),
    actionsOf: () => actions.statement(symbol, { fromDay, toDay }),
    notes,
  };
}

function firstDayOf(symbol: string, { fromDay, lastStoredDays }: SourceOptions): number {
  if (fromDay !== undefined) return fromDay;
  const storedDay = lastStoredDays?.[symbol];
  if (storedDay === undefined) return dayFromDate(limits.ingest.earliestDate);
  return newestSessionsFrom(storedDay, limits.overlapSessions.yahoo + 1);
}

/** Drops bars after `--to`; splits and dividends after it stay, since prices hold them. */
function barsThrough(bars: BarColumns, toDay: number | undefined): BarColumns {
  if (toDay === undefined) return bars;
  const endUs = BigInt(toDay * MILLIS_PER_DAY) * BigInt(MICROS_PER_MILLI);
  const isKept = (_: unknown, index: number) => bars.timestampUs[index] <= endUs;
  return {
    timestampUs: bars.timestampUs.filter(isKept),
    open: bars.open.filter(isKept),
    high: bars.high.filter(isKept),
    low: bars.low.filter(isKept),
    close: bars.close.filter(isKept),
    volume: bars.volume.filter(isKept),
  };
}

export interface YahooChartRequest {
  symbol: string;
  fromDay: number;
  nowMs: number;
}

/** An agent that names the program and passes: Yahoo answers plain HTTP clients with 429. */
const USER_AGENT = 'Mozilla/5.0 (compatible; tapeworks)';

const NOT_FOUND = 404;

/** Fetches daily bars with splits and dividends from `fromDay` to now. */
export async function fetchYahooChart(
  http: Pick<HttpClient, 'get'>,
  { symbol, fromDay, nowMs }: YahooChartRequest,
): Promise<string> {
  const { text } = await http.get({
    host: vendor.host,
    path: `/v8/finance/chart/${encodeURIComponent(symbol)}`,
    query: {
      interval: '1d',
      includePrePost: 'false',
      events: 'div|split|capitalGains',
      lang: 'en-US',
      period1: (fromDay * MILLIS_PER_DAY) / 1000,
      period2: Math.floor(nowMs / 1000),
    },
    headers: { 'user-agent': USER_AGENT },
    readable: [NOT_FOUND],
  });
  return text;
}
