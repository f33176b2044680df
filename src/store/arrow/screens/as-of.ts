/** The universe as of a past day: securities as they were called, priced and filed then. */

import { blankBars, MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../../base/bars.ts';
import { FACT_FIGURES } from '../../../base/company-figures.ts';
import { priceChange, priceChangePct } from '../../../base/price-change.ts';
import { SCREENER_NUMBERS, type ScreenerNumber } from '../../../base/quote-fields.ts';
import {
  isSession,
  newYorkMidnightMs,
  sessionEndMs,
  sessionsBetween,
} from '../../../base/time/calendar.ts';
import { type BasisAsOf, basisAsOf } from '../../../compute/bars/basis-as-of.ts';
import { previousClose } from '../../../compute/bars/previous-close.ts';
import { scaleColumn } from '../../../compute/bars/ratio.ts';
import {
  declaredYield,
  isShare,
  marketCap,
  peRatio,
} from '../../../compute/companies/company-facts.ts';
import { factsFromFigures } from '../../../compute/companies/company-history.ts';
import { dividendYield } from '../../../compute/companies/dividend-yield.ts';
import { tickerOn } from '../snapshot/current-symbols.ts';
import { tableTexts } from '../snapshot/screener-table.ts';
import type { ScreenerTable, Snapshot, SymbolInfo } from '../snapshot/snapshot.ts';
import type { ScreenUniverse } from './screen-universe.ts';
import { Universe } from './universe.ts';

const MICROS_PER_DAY = BigInt(MILLIS_PER_DAY * MICROS_PER_MILLI);

/** Days for which a security without a new bar still counts. */
const ACTIVE_DAYS = 7;

/** Securities whose bars a step reads, some 15 µs each. */
const STEP_SECURITIES = 32;

/** Newest bar of a series on a day, priced as it was then. */
interface PastBar {
  series: string;
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
 * 7 days older than the newest of all. Texts of the directory but the ticker are those of today.
 *
 * Each step takes less than a millisecond. Bars whose checksum was not checked before are read
 * whole.
 *
 * @throws {ParameterError} The exchange calendar does not have the day.
 */
export function* universeAsOf(
  snapshot: Snapshot,
  asOfDay: number,
): Generator<void, ScreenUniverse> {
  const bars = yield* readPastBars(snapshot, asOfDay);
  const knownByMs = isSession(asOfDay) ? sessionEndMs(asOfDay) : newYorkMidnightMs(asOfDay + 1) - 1;
  const { listings } = snapshot;
  const listedRows = new Map(listings.symbol.map((symbol, row) => [symbol, row]));
  yield;
  const named = namedThen(bars, (bar) => {
    const row = listedRows.get(bar.series);
    return row === undefined ? bar.series : tickerOn(listings, row, asOfDay);
  });
  yield;
  const series = named.map(({ bar }) => bar.series);
  const directoryRows = series.map((symbol) => listedRows.get(symbol) ?? -1);
  const { companyNames, texts, codes } = tableTexts(directoryRows, listings);
  yield;
  const numbers = Object.fromEntries(
    SCREENER_NUMBERS.map((name) => [name, new Float64Array(named.length).fill(Number.NaN)]),
  ) as Record<ScreenerNumber, Float64Array>;
  const { figures } = yield* snapshot.figures.knownBy(series, knownByMs, FACT_FIGURES);
  for (const [row, { bar }] of named.entries()) {
    if (row % (8 * STEP_SECURITIES) === 0) yield;
    setPrices(numbers, row, bar);
    const type = listings.type[directoryRows[row]] ?? null;
    if (!bar.then.isOfDay) continue;
    const { info, price, day } = bar;
    numbers.dividendYield[row] = dividendYield(info, day, price) ?? Number.NaN;
    if (!isShare(type)) continue;
    const facts = factsFromFigures({
      shares: figures.shares[row],
      sharesDay: figures.sharesDay[row],
      epsDiluted: figures.epsDiluted[row],
      dividends: figures.dividends[row],
      filedDay: figures.filedDay[row],
    });
    numbers.marketCap[row] = marketCap(facts, info.splits, price, day);
    numbers.peRatio[row] = peRatio(facts, info.splits, price, day);
    if (Number.isNaN(numbers.dividendYield[row])) {
      numbers.dividendYield[row] = declaredYield(facts, info.splits, price, day);
    }
  }
  const table: ScreenerTable = {
    id: snapshot.id,
    symbols: named.map(({ name }) => name),
    companyNames,
    texts,
    columns: { ...numbers, ...codes, lastBarDay: Int32Array.from(named, ({ bar }) => bar.day) },
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

/** Reads the newest bars up to a day of the securities that count. */
function* readPastBars(snapshot: Snapshot, asOfDay: number): Generator<void, PastBar[]> {
  const reader = new PastBarReader(snapshot, asOfDay);
  const found: PastBar[] = [];
  let newestDay = Number.NEGATIVE_INFINITY;
  for (const [i, series] of snapshot.symbols.entries()) {
    if (i % STEP_SECURITIES === 0) yield;
    const bar = reader.read(series);
    if (!bar) continue;
    found.push(bar);
    newestDay = Math.max(newestDay, bar.day);
  }
  const oldestDay = newestDay - ACTIVE_DAYS;
  return found.filter(({ day }) => day >= oldestDay);
}

class PastBarReader {
  readonly #snapshot: Snapshot;
  readonly #asOfDay: number;
  /** The bar before the newest one, the newest one, and the first that does not count. */
  readonly #three = blankBars(3);
  readonly #two = blankBars(2);
  readonly #one = blankBars(1);
  /** By day of the newest stored bar, the sessions after the past day up to it. */
  readonly #sessionsAfter = new Map<number, number>();

  constructor(snapshot: Snapshot, asOfDay: number) {
    this.#snapshot = snapshot;
    this.#asOfDay = asOfDay;
  }

  /** Returns undefined if the series has no bar up to the day. */
  read(series: string): PastBar | undefined {
    const info = this.#snapshot.symbol(series);
    if (!info || dayOf(info.firstBarUs) > this.#asOfDay) return undefined;
    const rowCount = this.#rowCount(series, info);
    const start = Math.max(0, rowCount - 2);
    const bars = rowCount - start === 2 ? this.#two : this.#one;
    this.#snapshot.copyBars(series, '1d', { start, end: rowCount }, bars);
    const last = rowCount - start - 1;
    const lastBarDay = dayOf(info.lastBarUs);
    const then = basisAsOf({ ...info, lastBarDay }, this.#asOfDay);
    const scaled = (value: number) => scaleColumn(Float64Array.of(value), then.ratio)[0];
    const { numerator, denominator } = then.ratio;
    return {
      series,
      info,
      rowCount,
      day: dayOf(bars.timestampUs[last]),
      price: scaled(bars.close[last]),
      previousClose: last > 0 ? scaled(previousClose(bars, info)) : Number.NaN,
      volume: (bars.volume[last] * denominator) / numerator,
      then,
    };
  }

  #rowCount(series: string, { lastBarUs }: SymbolInfo): number {
    const all = this.#snapshot.rowCount(series, '1d');
    const lastDay = dayOf(lastBarUs);
    if (lastDay <= this.#asOfDay) return all;
    const guess = all - this.#sessionsUpTo(lastDay);
    if (guess >= 2 && this.#isCount(series, guess)) return guess;
    return this.#snapshot.rowAt(series, '1d', BigInt(this.#asOfDay + 1) * MICROS_PER_DAY);
  }

  #sessionsUpTo(lastDay: number): number {
    let count = this.#sessionsAfter.get(lastDay);
    if (count === undefined) {
      count = sessionsBetween(this.#asOfDay + 1, lastDay).length;
      this.#sessionsAfter.set(lastDay, count);
    }
    return count;
  }

  /** Returns true if that many rows are up to the day: most series have a bar a session. */
  #isCount(series: string, guess: number): boolean {
    const three = this.#three;
    this.#snapshot.copyBars(series, '1d', { start: guess - 2, end: guess + 1 }, three);
    const [, last, next] = three.timestampUs;
    return dayOf(last) <= this.#asOfDay && dayOf(next) > this.#asOfDay;
  }
}

/** Daily bars are stamped with their date at midnight. */
function dayOf(timestampUs: bigint): number {
  return Number(timestampUs / MICROS_PER_DAY);
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

/**
 * Returns bars ascending by the name of then. Securities that would share a name keep their present
 * symbols: the history of one of them is not complete.
 */
function namedThen(bars: readonly PastBar[], nameOf: (bar: PastBar) => string): NamedBar[] {
  const named = bars.map((bar) => ({ bar, name: nameOf(bar) }));
  for (;;) {
    const byName = Map.groupBy(named, ({ name }) => name);
    if (byName.size === named.length) break;
    for (const same of byName.values()) {
      if (same.length > 1) for (const one of same) one.name = one.bar.series;
    }
  }
  return named.sort((a, b) => (a.name < b.name ? -1 : 1));
}
