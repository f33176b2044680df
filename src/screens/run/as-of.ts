/** The universe as of a past day: securities as they were called, priced and filed then. */

import { blankBars, MICROS_PER_DAY } from '../../base/bars.ts';
import { FACT_FIGURES } from '../../base/companies/figures.ts';
import { SCREENER_NUMBERS, type ScreenerNumber } from '../../base/fields.ts';
import { priceChange, priceChangePct } from '../../base/prices/price-change.ts';
import { isTestIssue } from '../../base/symbols/test-issues.ts';
import { isSession, newYorkMidnightMs, sessionEndMs } from '../../base/time/calendar.ts';
import { newestMarketDay } from '../../base/time/market-day.ts';
import { type BasisAsOf, basisAsOf } from '../../compute/bars/basis-as-of.ts';
import { previousClose } from '../../compute/bars/previous-close.ts';
import { type Ratio, scaleColumn } from '../../compute/bars/ratio.ts';
import {
  type CompanyFacts,
  declaredYield,
  factsFromFigures,
  isPriced,
  marketCap,
  peRatio,
} from '../../compute/companies/company-facts.ts';
import { dividendYield } from '../../compute/companies/dividend-yield.ts';
import { namesOn } from '../../store/arrow/snapshot/current-symbols.ts';
import { listedRows } from '../../store/arrow/snapshot/directory-table.ts';
import { tableTexts } from '../../store/arrow/snapshot/screener-table.ts';
import type { ScreenerTable, Snapshot, SymbolInfo } from '../../store/arrow/snapshot/snapshot.ts';
import { inSteps } from './in-steps.ts';
import type { NewestSeries } from './newest-series.ts';
import type { ScreenMemory } from './screen-memory.ts';
import type { ScreenUniverse } from './screen-universe.ts';
import { Universe } from './universe.ts';

/** Days for which a security without a new bar still counts. */
const ACTIVE_DAYS = 7;

/** Newest bar of a series on a day, priced as it was then. */
interface PastBar {
  symbol: string;
  info: SymbolInfo;
  /** Rows of the series up to the day. */
  rowCount: number;
  /** Day of the bar. */
  day: number;
  price: number;
  /** NaN for the first bar. */
  previousClose: number;
  volume: number;
  then: BasisAsOf;
}

/**
 * Returns the universe as of a day: bars up to it, filings known at the end of its session (of the
 * day itself if it has none), splits after it undone. A security counts if its newest bar is at most
 * 7 days older than the newest day of the market. Texts of the directory are those of today, but for tickers, names and exchanges.
 *
 * Bars whose checksum was not checked before are read whole.
 */
export function* universeAsOf(
  snapshot: Snapshot,
  memory: ScreenMemory,
  asOfDay: number,
): Generator<void, ScreenUniverse> {
  const { bars, newestDay } = yield* readPastBars(snapshot, memory, asOfDay);
  // Without bars the day may lie before the calendar, and no filing counts.
  const knownByMs = bars.length > 0 ? endOfDayMs(asOfDay) : Number.NEGATIVE_INFINITY;
  const { listings } = snapshot;
  const rows = listedRows(listings);
  yield;
  const symbols = bars.map(({ symbol }) => symbol);
  const barRows = symbols.map((symbol) => rows.get(symbol));
  const names = namesOn(listings, { symbols, rows: barRows }, asOfDay);
  const named = bars.map((bar, i): NamedBar => ({ bar, name: names[i] }));
  yield;
  named.sort((a, b) => (a.name < b.name ? -1 : 1));
  yield;
  const series = named.map(({ bar }) => bar.symbol);
  const directoryRows = series.map((symbol) => rows.get(symbol) ?? -1);
  const { companyNames, texts, codes } = yield* tableTexts(directoryRows, listings, asOfDay);
  const numbers = Object.fromEntries(
    SCREENER_NUMBERS.map((name) => [name, new Float64Array(named.length).fill(Number.NaN)]),
  ) as Record<ScreenerNumber, Float64Array>;
  const { figures } = yield* snapshot.figures.knownBy(series, knownByMs, FACT_FIGURES);
  yield* inSteps(named.entries(), ([row, { bar }]) => {
    setPrices(numbers, row, bar);
    const type = listings.type[directoryRows[row]] ?? null;
    if (!bar.then.isOfDay) return;
    const facts = factsFromFigures({
      shares: figures.shares[row],
      sharesDay: figures.sharesDay[row],
      epsDiluted: figures.epsDiluted[row],
      dividends: figures.dividends[row],
      filedDay: figures.filedDay[row],
      adsRatio: figures.adsRatio[row],
    });
    const isOfPrice = isPriced(type, figures.adsRatio[row]);
    const ofCompany = pricedFigures(bar, isOfPrice ? facts : undefined);
    numbers.dividendYield[row] = ofCompany.dividendYield;
    numbers.marketCap[row] = ofCompany.marketCap;
    numbers.peRatio[row] = ofCompany.peRatio;
  });
  const table: ScreenerTable = {
    id: snapshot.id,
    symbols: named.map(({ name }) => name),
    companyNames,
    texts,
    columns: { ...numbers, ...codes, lastBarDay: Float64Array.from(named, ({ bar }) => bar.day) },
    marketDay: newestDay,
  };
  return new Universe({
    snapshot,
    table,
    series,
    past: {
      asOfDay,
      knownByMs,
      bases: named.map(({ bar }) => bar.then.basis),
      rowCounts: Int32Array.from(named, ({ bar }) => bar.rowCount),
    },
  });
}

/**
 * Returns what follows from a price of a day, which must be that of the day; NaN where unknown.
 *
 * @param facts Undefined for a security that is no share.
 */
export function pricedFigures(
  { info, day, price }: Pick<PastBar, 'info' | 'day' | 'price'>,
  facts: CompanyFacts | undefined,
): Record<'dividendYield' | 'marketCap' | 'peRatio', number> {
  const paid = dividendYield(info, day, price) ?? Number.NaN;
  if (!facts) return { dividendYield: paid, marketCap: Number.NaN, peRatio: Number.NaN };
  return {
    dividendYield: Number.isNaN(paid) ? declaredYield(facts, info.splits, price, day) : paid,
    marketCap: marketCap(facts, info.splits, price, day),
    peRatio: peRatio(facts, info.splits, price, day),
  };
}

/** Returns the end of the day's session, or of the day itself. */
export function endOfDayMs(day: number): number {
  return isSession(day) ? sessionEndMs(day) : newYorkMidnightMs(day + 1) - 1;
}

/** Reads the newest bars up to a day of the securities that count. */
function* readPastBars(
  snapshot: Snapshot,
  memory: ScreenMemory,
  asOfDay: number,
): Generator<void, { bars: PastBar[]; newestDay: number | undefined }> {
  const series = yield* memory.series(snapshot, '1d');
  const days = yield* memory.days(snapshot, '1d');
  const infos = yield* memory.infos(snapshot);
  const rowCounts = new Int32Array(infos.length);
  const barDays = new Float64Array(infos.length);
  yield* inSteps(infos.keys(), (number) => {
    const rowCount = days.rowOf(number, asOfDay + 1);
    rowCounts[number] = rowCount;
    barDays[number] = rowCount === 0 ? Number.NaN : days.dayBefore(number, rowCount);
  });
  const newestDay = newestMarketDay(barDays, (number) => {
    const rowCount = rowCounts[number];
    const before = rowCount > 1 ? days.dayBefore(number, rowCount - 1) : undefined;
    const after = rowCount < series.ends[number] ? days.dayBefore(number, rowCount + 1) : Infinity;
    return closestDay(barDays[number], before, after);
  });
  const bars: PastBar[] = [];
  yield* inSteps(infos.entries(), ([number, info]) => {
    const day = barDays[number];
    if (!info || !(day >= newestDay! - ACTIVE_DAYS) || isTestIssue(info.symbol)) return;
    const stored = { series, number, info, rowCount: rowCounts[number] };
    bars.push(readPastBar(snapshot.symbols[number], stored, day, asOfDay));
  });
  return { bars, newestDay };
}

/** Returns the day before a bar as far from it as the closest one: a bar after it confirms its date. */
function closestDay(day: number, before = -Infinity, after: number): number {
  return Math.max(before, 2 * day - after);
}

/** Rows of a symbol up to a day. */
interface StoredRows {
  series: NewestSeries;
  number: number;
  info: SymbolInfo;
  rowCount: number;
}

/** The bar before the newest one, and the newest one. */
const closes = new Float64Array(2);
const volumes = new Float64Array(1);

function readPastBar(symbol: string, stored: StoredRows, day: number, asOfDay: number): PastBar {
  const { series, number, info, rowCount } = stored;
  const isFirst = rowCount === 1;
  const two = isFirst ? closes.subarray(1) : closes;
  series.copyStored(number, ['close'], { start: rowCount - two.length, end: rowCount }, [two]);
  series.copyStored(number, ['volume'], { start: rowCount - 1, end: rowCount }, [volumes]);
  const lastBarDay = Number(info.lastBarUs / MICROS_PER_DAY);
  const then = basisAsOf({ ...info, lastBarDay }, asOfDay);
  const { ratio } = then;
  const [before, last] = closes;
  return {
    symbol,
    info,
    rowCount,
    day,
    price: scaledPrice(last, ratio),
    previousClose: isFirst ? Number.NaN : previousPrice(stored, before, ratio),
    volume: (volumes[0] * ratio.denominator) / ratio.numerator,
    then,
  };
}

/** Returns the close before, on the split basis of the newest bar's day. */
function previousPrice(
  { series, number, info, rowCount }: StoredRows,
  close: number,
  ratio: Ratio,
): number {
  if (info.basis !== 'raw') return scaledPrice(close, ratio);
  if (info.splits.length === 0) return close;
  const bars = blankBars(2);
  const range = { start: rowCount - 2, end: rowCount };
  series.copyTimestamps(number, range, bars.timestampUs);
  series.copyStored(number, ['close'], range, [bars.close]);
  return previousClose(bars, info);
}

function scaledPrice(price: number, ratio: Ratio): number {
  if (ratio.numerator === ratio.denominator) return price;
  return scaleColumn(Float64Array.of(price), ratio)[0];
}

function setPrices(
  numbers: Record<ScreenerNumber, Float64Array>,
  row: number,
  { price, previousClose: before, volume }: PastBar,
): void {
  numbers.price[row] = price;
  numbers.volume[row] = volume;
  if (!Number.isNaN(before)) {
    numbers.changePct[row] = priceChangePct(priceChange(price, before), before);
  }
}

interface NamedBar {
  bar: PastBar;
  name: string;
}
