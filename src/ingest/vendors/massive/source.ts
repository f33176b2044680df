import { ParameterError } from '../../../base/errors.ts';
import type { FetchContext, FetchedSegment } from '../../contract/fetch-context.ts';
import type { DryRun, VendorCode } from '../../contract/source.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { fetchCandleFiles } from '../../files/candle-files.ts';
import type { CandleFileSource } from '../../files/prepare.ts';
import { askWith, withAsk } from '../shared/ask.ts';
import { barCount, bySymbols, MARKET_SYMBOLS, sum, withDays } from '../shared/partition.ts';
import { lastDays, PROBE_SYMBOL } from '../shared/probe.ts';
import { monthStart } from '../shared/vendor-days.ts';
import { massiveLimits } from './limits.ts';
import { fetchMassiveMarket, isEvening, massiveSessions } from './market.ts';
import { parseMassiveBars } from './parse-bars.ts';
import { fetchMassiveSymbols, massiveRequests } from './symbols.ts';
import { vendor } from './vendor.ts';

const flatFiles: CandleFileSource = { id: 'massive', symbolForm: 'nasdaq', isNamedBySymbol: false };

/**
 * Reads flat files where a path is given, fetches the missing history of each symbol where symbols
 * are, and else every session of the market since the newest stored one.
 * @throws {ParameterError} minutes of the whole market, which only flat files have.
 */
export async function* fetchMassive(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  if (options.path !== undefined) {
    yield* fetchCandleFiles(flatFiles, withFlatFileInterval(options), context);
    return;
  }
  yield* withAsk(vendor.host, context, (ask) =>
    options.symbols
      ? fetchMassiveSymbols(options, context, ask)
      : fetchMassiveMarket(options, context, ask),
  );
}

/** Adds the interval, which a flat file of one day does not show: the folder or an option does. */
function withFlatFileInterval(options: SourceOptions): SourceOptions {
  const ofPath = options.path?.includes('minute_aggs') ? '1m' : '1d';
  return {
    ...options,
    interval: options.interval ?? ofPath,
    zone: options.zone ?? 'America/New_York',
  };
}

/** Dividends and splits of the whole market in a year, for the pages of a list. */
const ACTIONS_PER_YEAR = 45_000;
const SESSIONS_PER_YEAR = 252;

function dryRun(options: SourceOptions, nowMs: number): DryRun {
  if (options.path !== undefined) {
    throw new ParameterError('plan', 'flat files on disk need no requests: leave out --plan');
  }
  if (options.symbols === undefined) {
    const sessions = massiveSessions(options, nowMs);
    const { length } = sessions;
    const actions = (ACTIONS_PER_YEAR * length) / SESSIONS_PER_YEAR;
    const pages = 2 + Math.floor(actions / massiveLimits.actionsPerPage);
    const lists = length === 0 ? 0 : isEvening(sessions, options) ? 1 : pages;
    return { requests: length + lists, bars: length * MARKET_SYMBOLS };
  }
  const requests = massiveRequests(options, nowMs);
  const bars = requests.flatMap(({ missing, interval }) =>
    missing.map((range) => barCount(range, interval)),
  );
  const pages = bars.map((count) => Math.max(1, Math.ceil(count / massiveLimits.barsPerPage)));
  return { requests: 2 * requests.length + sum(pages), bars: sum(bars) };
}

const SYMBOLS_PER_PARTITION = 10;

/**
 * Cuts the whole market by months, because splits and dividends are stated at the end of each; all
 * of them from the first month on, so that one list serves every month.
 */
function partition(options: SourceOptions, nowMs: number): SourceOptions[] {
  if (options.symbols !== undefined) {
    const missing = massiveRequests(options, nowMs).flatMap((request) => request.missing);
    const symbols = missing.map(({ symbol }) => symbol);
    return bySymbols(options, symbols, SYMBOLS_PER_PARTITION);
  }
  const sessions = massiveSessions(options, nowMs);
  const months = [...Map.groupBy(sessions, monthStart).values()];
  if (months.length <= 1 || isEvening(sessions, options))
    return sessions.length === 0 ? [] : [options];
  const actionsFromDay = sessions[0] - massiveLimits.lookbackDays;
  return months.map((days) => ({
    ...withDays(options, days[0], days[days.length - 1]),
    actionsFromDay,
  }));
}

export const source: VendorCode = {
  fetch: fetchMassive,
  dryRun,
  partition,
  async probe({ http, settings, nowMs }) {
    const { from, to } = lastDays(nowMs);
    const path = `/v2/aggs/ticker/${PROBE_SYMBOL}/range/1/day/${from}/${to}`;
    const text = await askWith(http, vendor.host, settings)(path, { adjusted: 'false' });
    return parseMassiveBars(text, '1d').bars.close.length;
  },
};
