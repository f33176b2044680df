import { limits } from '../../../base/limits.ts';
import { dayFromDate, dayFromMillis } from '../../../base/time/dates.ts';
import type { DryRun, VendorCode } from '../../contract/source.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { barCount, bySymbols, requiredSymbols, sum } from '../shared/partition.ts';
import { PROBE_DAYS, PROBE_SYMBOL } from '../shared/probe.ts';
import { missingDays } from '../shared/vendor-days.ts';
import { fetchYahoo, fetchYahooChart } from './candles.ts';
import { parseYahooChart } from './parse-chart.ts';
import { fetchYahooRows } from './rows.ts';

const SYMBOLS_PER_PARTITION = 20;

/** Upgrades and downgrades of a large company since 2012. */
const ROWS_PER_SYMBOL = 1000;

/** Counts requests for every symbol, to now: prices are adjusted up to then. */
function dryRun(options: SourceOptions, nowMs: number): DryRun {
  const { lastStoredDays, dataset } = options;
  const symbols = requiredSymbols(options, 'yahoo');
  // A cookie and a crumb come first.
  if (dataset !== undefined) {
    return { requests: 2 + symbols.length, bars: 0, rows: symbols.length * ROWS_PER_SYMBOL };
  }
  const first = dayFromDate(limits.ingest.earliestDate);
  const bars = symbols.map((symbol) => {
    const overlapSessions = limits.overlapSessions.yahoo;
    const asked = { interval: '1d', nowMs, overlapSessions } as const;
    const range = missingDays(lastStoredDays?.[symbol], first, options, asked);
    return range ? barCount(range, '1d') : overlapSessions;
  });
  return { requests: symbols.length, bars: sum(bars) };
}

export const source: VendorCode = {
  fetch: (options, context) =>
    options.dataset === undefined ? fetchYahoo(options, context) : fetchYahooRows(options, context),
  dryRun,
  partition: (options) => bySymbols(options, options.symbols, SYMBOLS_PER_PARTITION),
  async probe({ http, nowMs }) {
    const fromDay = dayFromMillis(nowMs) - PROBE_DAYS;
    const body = await fetchYahooChart(http, { symbol: PROBE_SYMBOL, fromDay, nowMs });
    return parseYahooChart(body, PROBE_SYMBOL).bars.close.length;
  },
};
