/** Origin of one daily bar, and its prices on each basis. */

import { type Basis, MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../src/base/bars.ts';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { UnknownSymbolError } from '../../src/base/errors.ts';
import { adjustBars, derivableBases } from '../../src/compute/bars/adjust.ts';
import { type ActionsOfSymbol, readActions } from '../../src/store/duckdb/candles/read-actions.ts';
import { streamWinningBars, type WinningSeries } from '../../src/store/duckdb/candles/read-bars.ts';
import { openMarketForReading } from '../../src/store/duckdb/connection/open.ts';
import { currentSymbol } from '../../src/store/duckdb/securities/read-security.ts';
import { type BarExplanation, explainBar } from '../../src/store/duckdb/segments/explain-bar.ts';
import {
  type DatedFlag,
  daysOfSeries,
  flagsOfSeries,
  type Hole,
  holesOfDays,
} from './series-quality.ts';

const MICROS_PER_DAY = MICROS_PER_MILLI * MILLIS_PER_DAY;

export interface AdjustedBar {
  adjustment: Basis;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** Factors from a price of that day to today's; 1 if nothing happened since. */
export interface PresentFactors {
  /** Undefined if some splits since that day are unknown. */
  split: number | undefined;
  /** Undefined if the stored prices include dividends, or some dividends are unknown. */
  dividend: number | undefined;
}

export interface BarReport extends BarExplanation {
  /** Current symbol. */
  symbol: string;
  /** Bar on every basis that can be derived; empty without a bar. */
  adjusted: AdjustedBar[];
  factors: PresentFactors;
  /** Last day of actions that changed prices; later ones are only announced. */
  inForceToDay: number;
  flags: DatedFlag[];
  /** Hole that the day lies in. */
  hole: Hole | undefined;
}

type SeriesReport = Omit<BarReport, keyof BarExplanation | 'factors' | 'symbol'>;

/**
 * Explains a bar.
 *
 * @param name Symbol or former ticker, in canonical spelling.
 * @throws {UnknownSymbolError} no daily bars of the symbol are stored; else as
 *   `openMarketForReading`.
 */
export async function barReport(
  paths: ModePaths,
  name: string,
  day: number,
  onWaiting?: (holder: string) => void,
): Promise<BarReport> {
  const market = await openMarketForReading(paths, { onWaiting });
  try {
    const symbol = (await currentSymbol(market, name)) ?? name;
    const explanation = await explainBar(market, '1d', symbol, day);
    if (!explanation) {
      throw new UnknownSymbolError(symbol, `No daily bars of "${symbol}" are stored in this mode`);
    }
    const actions = (await readActions(market, [symbol])).get(symbol);
    for await (const series of streamWinningBars(market, '1d', [symbol])) {
      const report = seriesStory(series, actions, day);
      const factors = presentFactors(explanation, report, day, actions?.coverage);
      return { symbol, ...explanation, ...report, factors };
    }
    throw new Error(`Served series of "${symbol}" has no bars`);
  } finally {
    market.close();
  }
}

function seriesStory(
  series: WinningSeries,
  actions: ActionsOfSymbol | undefined,
  day: number,
): SeriesReport {
  const days = daysOfSeries(series);
  const isOn = ({ fromDay, toDay }: { fromDay: number; toDay: number }) =>
    fromDay <= day && day <= toDay;
  return {
    adjusted: adjustedBars(series, actions, days.indexOf(day)),
    inForceToDay: Math.max(
      days[days.length - 1],
      Math.floor(Number(series.asOfUs) / MICROS_PER_DAY),
    ),
    flags: flagsOfSeries(series, days, actions).filter(isOn),
    hole: holesOfDays(days).find(isOn),
  };
}

function adjustedBars(
  { bars, basis, asOfUs }: WinningSeries,
  actions: ActionsOfSymbol | undefined,
  row: number,
): AdjustedBar[] {
  if (row < 0) return [];
  const { splits, dividends, coverage } = actions ?? { splits: [], dividends: [] };
  const [firstBarUs, lastBarUs] = [bars.timestampUs[0], bars.timestampUs[bars.close.length - 1]];
  const source = { basis, asOfUs, firstBarUs, lastBarUs, actionCoverage: coverage };
  return derivableBases(source).map((adjustment) => {
    const adjusted = adjustBars(bars, { basis, asOfUs, splits, dividends }, adjustment);
    return {
      adjustment,
      open: adjusted.open[row],
      high: adjusted.high[row],
      low: adjusted.low[row],
      close: adjusted.close[row],
      volume: adjusted.volume[row],
    };
  });
}

function presentFactors(
  { actionsAfter, lastDay }: BarExplanation,
  { adjusted, inForceToDay }: SeriesReport,
  day: number,
  coverage: ActionsOfSymbol['coverage'] | undefined,
): PresentFactors {
  const closes = new Map(adjusted.map(({ adjustment, close }) => [adjustment, close]));
  const [split, all] = [closes.get('split'), closes.get('all')];
  const isKnown = coverage && coverage.fromDay <= day + 1 && coverage.toDay >= lastDay;
  const splitFactor = actionsAfter
    .filter(({ type, exDay }) => type === 'split' && exDay <= inForceToDay)
    .reduce((factor, action) => (factor * action.denominator!) / action.numerator!, 1);
  return { split: isKnown ? splitFactor : undefined, dividend: split && all && all / split };
}
