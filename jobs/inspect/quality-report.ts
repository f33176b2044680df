import type { BarColumns } from '../../src/base/bars.ts';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits.ts';
import { distance } from '../../src/base/prices/split-jump.ts';
import { lowerBound } from '../../src/base/search-sorted.ts';
import type { QualityFlag } from '../../src/compute/quality/quality-flag.ts';
import { closedDayCounts, isOtherMarket } from '../../src/ingest/timing/closed-days.ts';
import { readNewestDay } from '../../src/store/duckdb/candles/last-days.ts';
import { type ActionsOfSymbol, readActions } from '../../src/store/duckdb/candles/read-actions.ts';
import { streamWinningBars, type WinningSeries } from '../../src/store/duckdb/candles/read-bars.ts';
import { openMarketForReading } from '../../src/store/duckdb/connection/open.ts';
import { currentSymbols } from '../../src/store/duckdb/securities/read-security.ts';
import { coverageOfDays, type DatedFlag, daysOfSeries, flagsOfSeries } from './series-quality.ts';

const PRICES = ['open', 'high', 'low', 'close'] as const;

/** Values that a rule proposes for a flagged bar. Pure. */
interface FlaggedBar extends Record<(typeof PRICES)[number] | 'volume', number> {
  proposed: Partial<Record<(typeof PRICES)[number], number>>;
  /** True for a bar that no session explains, in a series that shows no other market. */
  isToRemove?: boolean;
}

/** Closes of neighbouring sessions are nearer than this. */
const FAR = Math.log(3);

/** More digits are noise of the division. */
const DIGITS = 12;

/**
 * Returns a flagged bar with the values that are likely right: for a stray low or high the bound of
 * open and close, for a single bar in other units its prices in those of its neighbours. Nothing is
 * proposed if the closes on both sides are far apart.
 *
 * @param bars Bars as they are stored.
 */
export function flaggedBar(
  bars: BarColumns,
  row: number,
  { flag, value, expected }: Pick<QualityFlag, 'flag' | 'value' | 'expected'>,
): FlaggedBar {
  const { open, high, low, close, volume } = bars;
  const bar = { open: open[row], high: high[row], low: low[row], close: close[row] };
  const [before, after] = [close[row - 1], close[row + 1]];
  const isFar = (price: number) => distance(price, before) > FAR;
  const all = { ...bar, volume: volume[row] };
  const none = { ...all, proposed: {} };
  if (flag !== 'stray-price' && flag !== 'unit-jump') return none;
  // Undefined at the ends of a series.
  if (!(distance(after, before) <= FAR)) return none;
  const proposed: FlaggedBar['proposed'] = {};
  if (!isFar(bar.open) && !isFar(bar.close)) {
    if (value < 1) proposed.low = Math.min(bar.open, bar.close);
    else proposed.high = Math.max(bar.open, bar.close);
  } else if (flag === 'unit-jump') {
    for (const name of PRICES) {
      if (isFar(bar[name])) proposed[name] = Number((bar[name] / expected).toPrecision(DIGITS));
    }
    if (PRICES.some((name) => isFar(proposed[name] ?? bar[name]))) return none;
  }
  return { ...all, proposed };
}

/** Days are numbers since the epoch. */
export type SeriesQuality = ReturnType<typeof seriesQuality>;

export interface QualityReport {
  symbolCount: number;
  barCount: number;
  /** Newest day of the whole mode; undefined if nothing is stored. */
  newestDay: number | undefined;
  /** Series that have stopped, or have holes or flags, by symbol. */
  series: SeriesQuality[];
  /** Requested symbols without bars. */
  notFound: string[];
}

export interface QualityOptions {
  /** Symbols or former tickers in canonical spelling; default all. */
  symbols?: readonly string[];
  /** True to look for suspicious bars too. */
  withFlags?: boolean;
  /** True to give the stored bar of each flag. */
  withBars?: boolean;
  /** Default `limits.quality.findingsMax`. Counts are complete. */
  findingsMax?: number;
  onWaiting?: (holder: string) => void;
}

/**
 * Finds missing and suspicious daily bars. Reads every bar once, holding one series at a time.
 *
 * @throws as `openMarketForReading`.
 */
export async function qualityReport(
  paths: ModePaths,
  {
    symbols: names,
    withFlags = false,
    withBars = false,
    findingsMax = limits.quality.findingsMax,
    onWaiting,
  }: QualityOptions = {},
): Promise<QualityReport> {
  using market = await openMarketForReading(paths, { onWaiting });
  const symbols = names && (await currentSymbols(market, names));
  const newestDay = await readNewestDay(market, '1d');
  const actions = withFlags
    ? await readActions(market, symbols)
    : new Map<string, ActionsOfSymbol>();
  const notFound = new Set(symbols);
  const report = { symbolCount: 0, barCount: 0, newestDay };
  const series: SeriesQuality[] = [];
  let listed = 0;
  for await (const served of streamWinningBars(market, '1d', symbols)) {
    const quality = seriesQuality(served, newestDay!, withFlags, actions.get(served.symbol));
    if (withBars) quality.flaggedBars = flaggedBarsOf(served, quality.flags);
    notFound.delete(served.symbol);
    report.symbolCount++;
    report.barCount += quality.barCount;
    if (!hasFindings(quality)) continue;
    listed += quality.holes.length + quality.flags.length;
    series.push(listed <= findingsMax ? quality : countsOnly(quality));
  }
  series.sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  return { ...report, series, notFound: [...notFound] };
}

function countsOnly(quality: SeriesQuality): SeriesQuality {
  return { ...quality, isListed: false, holes: [], flags: [], flaggedBars: [] };
}

function hasFindings(quality: SeriesQuality): boolean {
  return quality.holes.length > 0 || quality.flags.length > 0 || quality.hasStopped;
}

function seriesQuality(
  series: WinningSeries,
  newestDay: number,
  withFlags: boolean,
  actions: ActionsOfSymbol | undefined,
) {
  const { symbol, source, basis } = series;
  const days = daysOfSeries(series);
  const flags = withFlags ? flagsOfSeries(series, days, actions) : [];
  const flagCounts: Partial<Record<DatedFlag['flag'], number>> = {};
  for (const { flag } of flags) flagCounts[flag] = (flagCounts[flag] ?? 0) + 1;
  return {
    ...{ symbol, source, basis },
    ...coverageOfDays(days, newestDay),
    /** Empty unless flags were requested. */
    flagCounts,
    /** False if the report was full: holes and flags are counted but not listed. */
    isListed: true,
    flags,
    /** First bar of each flag, on the stored basis; empty unless requested. */
    flaggedBars: [] as FlaggedBar[],
  };
}

function flaggedBarsOf(series: WinningSeries, flags: readonly DatedFlag[]): FlaggedBar[] {
  const days = daysOfSeries(series);
  const isNewYorks = !isOtherMarket(closedDayCounts(days));
  return flags.map((flag) => ({
    ...flaggedBar(series.bars, lowerBound(days, flag.fromDay), flag),
    isToRemove: flag.flag === 'closed-day' && isNewYorks,
  }));
}
