import { SourceEmptyError } from '../../../base/errors.ts';
import { dateFromDay } from '../../../base/time/dates.ts';
import type { FetchContext, FetchedSegment } from '../../contract/fetch-context.ts';
import type { VendorCode } from '../../contract/source.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { type Ask, askWith, withAsk } from '../shared/ask.ts';
import { barCount, bySymbols, requiredSymbols, sum } from '../shared/partition.ts';
import { lastDays, PROBE_SYMBOL } from '../shared/probe.ts';
import { missingRanges, type SymbolRange, stageHistories } from '../shared/symbol-histories.ts';
import { VendorActions } from '../shared/vendor-actions.ts';
import { tiingoSymbol } from '../shared/vendor-symbols.ts';
import { parseTiingoPrices } from './parse-prices.ts';
import { vendor } from './vendor.ts';

/** Fetches one segment a symbol, with one request each. */
export async function* fetchTiingo(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  const ranges = rangesOf(options, context.nowMs);
  yield* withAsk(vendor.host, context, (ask) =>
    stageHistories('Tiingo', ranges, (range) => barsOf(range, ask), options, context),
  );
}

function rangesOf(options: SourceOptions, nowMs: number): SymbolRange[] {
  return missingRanges({ ...options, symbols: requiredSymbols(options, 'tiingo') }, nowMs);
}

async function barsOf({ symbol, fromDay, toDay }: SymbolRange, ask: Ask) {
  const asked = tiingoSymbol(symbol);
  const [startDate, endDate] = [dateFromDay(fromDay), dateFromDay(toDay)];
  const path = `/tiingo/daily/${encodeURIComponent(asked)}/prices`;
  const query = { startDate, endDate, resampleFreq: 'daily', format: 'json' };
  const text = await ask(path, query, asked);
  const actions = new VendorActions();
  const bars = parseTiingoPrices(text, asked, actions);
  if (bars.close.length === 0) {
    throw new SourceEmptyError(`Tiingo has no bars of "${symbol}" for the time asked`);
  }
  return {
    source: 'tiingo',
    interval: '1d' as const,
    origin: `tiingo ${asked} ${startDate}/${endDate}`,
    barsBySymbol: new Map([[symbol, bars]]),
    actionsOf: () => actions.statement(asked, { fromDay, toDay }),
  };
}

const SYMBOLS_PER_PARTITION = 10;

export const source: VendorCode = {
  fetch: fetchTiingo,
  dryRun(options, nowMs) {
    const ranges = rangesOf(options, nowMs);
    return { requests: ranges.length, bars: sum(ranges.map((range) => barCount(range, '1d'))) };
  },
  partition(options, nowMs) {
    const symbols = rangesOf(options, nowMs).map(({ symbol }) => symbol);
    return bySymbols(options, symbols, SYMBOLS_PER_PARTITION);
  },
  async probe({ http, settings, nowMs }) {
    const { from, to } = lastDays(nowMs);
    const query = { startDate: from, endDate: to, format: 'json' };
    const ask = askWith(http, vendor.host, settings);
    const text = await ask(`/tiingo/daily/${PROBE_SYMBOL}/prices`, query);
    return parseTiingoPrices(text, PROBE_SYMBOL, new VendorActions()).close.length;
  },
};
