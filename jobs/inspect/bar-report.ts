import type { Basis } from '../../src/base/bars.ts';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { UnknownSymbolError } from '../../src/base/errors.ts';
import { CALENDAR_FIRST_DAY, CALENDAR_LAST_DAY, isSession } from '../../src/base/time/calendar.ts';
import { dateFromDay, dayFromMicros } from '../../src/base/time/dates.ts';
import { adjustBars, derivableBases } from '../../src/compute/bars/adjust.ts';
import type { StatedReading } from '../../src/ingest/contract/reading-of-files.ts';
import { type ActionsOfSymbol, readActions } from '../../src/store/duckdb/candles/read-actions.ts';
import { streamWinningBars, type WinningSeries } from '../../src/store/duckdb/candles/read-bars.ts';
import { openMarketForReading } from '../../src/store/duckdb/connection/open.ts';
import { currentSymbol } from '../../src/store/duckdb/securities/read-security.ts';
import {
  type BarExplanation,
  explainBar,
  type StoredBar,
} from '../../src/store/duckdb/segments/explain-bar.ts';
import { daysOfSeries, flagsOfSeries, holesOfDays } from './series-quality.ts';

export type Prices = Record<'open' | 'high' | 'low' | 'close' | 'volume', number>;

/** A stored bar and its file. */
export type BarDocument = ReturnType<typeof barDocument>;

/** Report of one bar. Dates are ISO text. */
export type BarReport = { symbol: string } & ReturnType<typeof reportOf>;

type BarStatus = 'served' | 'gap' | 'not-a-session' | 'before-first-bar' | 'after-last-bar';

/**
 * Explains one daily bar: its origin, its prices on each basis, and the bars that lost to it.
 *
 * @param name Symbol or former ticker, in canonical spelling.
 * @throws {UnknownSymbolError} no daily bars are stored; else as `openMarketForReading`.
 */
export async function barReport(
  paths: ModePaths,
  name: string,
  day: number,
  onWaiting?: (holder: string) => void,
): Promise<BarReport> {
  using market = await openMarketForReading(paths, { onWaiting });
  const symbol = (await currentSymbol(market, name)) ?? name;
  const explanation = await explainBar(market, '1d', symbol, day);
  if (!explanation) {
    throw new UnknownSymbolError(symbol, `No daily bars of "${symbol}" are stored in this mode`);
  }
  const actions = (await readActions(market, [symbol])).get(symbol);
  for await (const series of streamWinningBars(market, '1d', [symbol])) {
    return { symbol, ...reportOf(explanation, series, actions, day) };
  }
  throw new Error(`Served series of "${symbol}" has no bars`);
}

function reportOf(
  explanation: BarExplanation,
  series: WinningSeries,
  actions: ActionsOfSymbol | undefined,
  day: number,
) {
  const { served, superseded } = explanation;
  const days = daysOfSeries(series);
  const isOn = ({ fromDay, toDay }: { fromDay: number; toDay: number }) =>
    fromDay <= day && day <= toDay;
  const adjusted = adjustedBars(series, actions, days.indexOf(day));
  // Actions up to this day have changed prices; later ones are only announced.
  const inForceToDay = Math.max(days[days.length - 1], dayFromMicros(Number(series.asOfUs)));
  const hole = holesOfDays(days).find(isOn);
  return {
    status: statusOf(explanation, day),
    firstBar: dateFromDay(explanation.firstDay),
    lastBar: dateFromDay(explanation.lastDay),
    hole: hole ? { ...dated(hole), sessions: hole.sessions } : null,
    // Served price = stored × factor.
    bar: served ? { ...barDocument(served), factor: served.factor } : null,
    // The served bar on every basis that can be derived.
    adjusted,
    factors: presentFactors(explanation, { adjusted, inForceToDay }, day, actions?.coverage),
    actionsAfter: explanation.actionsAfter.map(
      ({ type, exDay, numerator, denominator, amount, currency, source }) => ({
        ...{ type, exDate: dateFromDay(exDay), numerator, denominator, amount },
        // Only where it is not that of the prices.
        ...(currency !== undefined && { currency }),
        source,
        inForce: exDay <= inForceToDay,
      }),
    ),
    actionCoverage: explanation.coverage.map((one) => ({
      source: one.source,
      ...dated(one),
      // Only where it does not know both.
      ...(one.covers && { covers: one.covers }),
    })),
    rivals: superseded.map((bar) => ({ ...barDocument(bar), reason: bar.reason })),
    flags: flagsOfSeries(series, days, actions)
      .filter(isOn)
      .map(({ fromDay, toDay, ...flag }) => ({ ...flag, ...dated({ fromDay, toDay }) })),
  };
}

function dated({ fromDay, toDay }: { fromDay: number; toDay: number }) {
  return { from: dateFromDay(fromDay), to: dateFromDay(toDay) };
}

type AdjustedBar = { adjustment: Basis } & Prices;

function adjustedBars(
  { bars, basis, asOfUs }: WinningSeries,
  actions: ActionsOfSymbol | undefined,
  row: number,
): AdjustedBar[] {
  if (row < 0) return [];
  const { splits, dividends, coverage } = actions ?? { splits: [], dividends: [] };
  const [firstBarUs, lastBarUs] = [bars.timestampUs[0], bars.timestampUs[bars.close.length - 1]];
  const source = { basis, asOfUs, firstBarUs, lastBarUs, dividends, actionCoverage: coverage };
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
  { adjusted, inForceToDay }: { adjusted: readonly AdjustedBar[]; inForceToDay: number },
  day: number,
  coverage: ActionsOfSymbol['coverage'] | undefined,
): { split: number | null; dividend: number | null } {
  const closes = new Map(adjusted.map(({ adjustment, close }) => [adjustment, close]));
  const [split, all] = [closes.get('split'), closes.get('all')];
  const isKnown = coverage && coverage.fromDay <= day + 1 && coverage.toDay >= lastDay;
  const splitFactor = actionsAfter
    .filter(({ type, exDay }) => type === 'split' && exDay <= inForceToDay)
    .reduce((factor, action) => (factor * action.denominator!) / action.numerator!, 1);
  return { split: isKnown ? splitFactor : null, dividend: (split && all && all / split) ?? null };
}

function statusOf({ served, firstDay, lastDay }: BarExplanation, day: number): BarStatus {
  if (served) return 'served';
  const isKnown = day >= CALENDAR_FIRST_DAY && day <= CALENDAR_LAST_DAY;
  if (isKnown && !isSession(day)) return 'not-a-session';
  if (day < firstDay) return 'before-first-bar';
  return day > lastDay ? 'after-last-bar' : 'gap';
}

function barDocument(bar: StoredBar) {
  const { source, basis, open, high, low, close, volume } = bar;
  return {
    source,
    basis,
    asOf: new Date(bar.asOfUs / 1000).toISOString(),
    // Prices as the source has them.
    stored: { open, high, low, close, volume },
    segment: bar.segment,
    origin: bar.origin,
    loadedAt: new Date(bar.loadedMs).toISOString(),
    file: {
      path: bar.path,
      sha256: bar.sha256,
      // Null for data of a vendor, and for loads of an older version.
      modifiedAt: bar.modifiedUs === 0 ? null : new Date(bar.modifiedUs / 1000).toISOString(),
      // Day of its newest bar; null if its as-of was given.
      lastDay:
        bar.newestUs === null ? null : new Date(bar.newestUs / 1000).toISOString().slice(0, 10),
      lines: bar.lineCount,
      accepted: bar.acceptedCount,
      rejected: bar.rejectedCount,
      // Null for data of a vendor, and for loads of an older version.
      reading: bar.reading === null ? null : (JSON.parse(bar.reading) as StatedReading),
    },
  };
}
