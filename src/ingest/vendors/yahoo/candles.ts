import { type BarColumns, MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../../base/bars.ts';
import { ParameterError, SourceEmptyError, UnknownSymbolError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { previousSession } from '../../../base/time/calendar.ts';
import { dayFromDate, dayFromMillis } from '../../../base/time/dates.ts';
import type { FetchContext, FetchedSegment } from '../../contract/fetch-context.ts';
import { SkippedNotes } from '../../contract/skipped-notes.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { HttpClient } from '../../http/client.ts';
import { landSeries, type UncheckedSeries } from '../../segments/parquet-segment.ts';
import { yahooSymbol } from '../shared/vendor-symbols.ts';
import { fetchYahooChart } from './chart.ts';
import { parseYahooChart } from './parse-chart.ts';

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
  const { symbols = [] } = options;
  if (symbols.length === 0) throw new ParameterError('symbols', 'yahoo needs --symbols');
  await using http = new HttpClient(context.settings, {
    signal: context.signal,
    ...context.patience,
  });
  yield* fetchSymbols(symbols, http, options, context);
}

async function* fetchSymbols(
  symbols: readonly string[],
  http: HttpClient,
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  const notes = new SkippedNotes();
  for (const [index, symbol] of symbols.entries()) {
    context.signal?.throwIfAborted();
    try {
      const fetched = await fetchSymbol(symbol, http, options, context.nowMs);
      yield* notes.carriedBy(landed(headOf(symbol, options, context), fetched, context));
    } catch (error) {
      if (!(error instanceof UnknownSymbolError || error instanceof SourceEmptyError)) throw error;
      notes.add(symbol, error.message);
    }
    context.onProgress?.('fetch', index + 1, symbols.length);
  }
  notes.requireSegments('Yahoo');
}

interface FetchedSeries {
  series: UncheckedSeries;
  notes: readonly string[];
}

async function* landed(
  head: ReturnType<typeof headOf>,
  { series, notes }: FetchedSeries,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  yield { ...(await landSeries(head, [series], context)), notes };
}

function headOf(symbol: string, options: SourceOptions, { nowMs }: FetchContext) {
  return {
    source: 'yahoo',
    interval: '1d',
    basis: options.basis ?? 'split',
    asOfUs: options.asOfUs ?? BigInt(nowMs) * BigInt(MICROS_PER_MILLI),
    origin: `yahoo ${symbol}`,
  } as const;
}

async function fetchSymbol(
  symbol: string,
  http: HttpClient,
  options: SourceOptions,
  nowMs: number,
): Promise<FetchedSeries> {
  const fromDay = firstDayOf(symbol, options);
  const asked = yahooSymbol(symbol);
  const body = await fetchYahooChart(http, { symbol: asked, fromDay, nowMs });
  const chart = parseYahooChart(body, asked);
  const series = {
    symbol,
    bars: barsThrough(chart.bars, options.toDay),
    actions: {
      splits: chart.splits,
      dividends: chart.dividends,
      coverageFromDay: fromDay,
      coverageToDay: dayFromMillis(nowMs),
    },
  };
  return { series, notes: chart.notes };
}

function firstDayOf(symbol: string, { fromDay, lastStoredDay }: SourceOptions): number {
  if (fromDay !== undefined) return fromDay;
  let day = lastStoredDay?.(symbol);
  if (day === undefined) return dayFromDate(limits.ingest.earliestDate);
  for (let session = 0; session < limits.yahoo.overlapSessions; session++) {
    day = previousSession(day);
  }
  return day;
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
