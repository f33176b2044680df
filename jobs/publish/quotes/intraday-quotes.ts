/** Finds the quotes that a publish of intraday bars changes. */

import { type BarColumns, blankBars, joinedBars, MILLIS_PER_DAY } from '../../../src/base/bars.ts';
import { STORED_INTRADAY, type StoredIntraday } from '../../../src/base/time/intervals.ts';
import type { Checkpoints } from '../../../src/compute/indicators/checkpoints.ts';
import type { PublishedVersion } from '../../../src/store/arrow/read/published-version.ts';
import type { Quote } from '../../../src/store/arrow/snapshot/snapshot.ts';
import type { SymbolFacts } from '../../../src/store/arrow/snapshot/symbol-directory.ts';
import { dailyQuote, type Session, sessionQuote } from './daily-quote.ts';
import {
  closeBefore,
  continuedSession,
  dayOfBar,
  dayOfQuote,
  type EarlierClose,
  intradayQuote,
  type LastDay,
  newestSession,
  type PriceBasis,
  runningSession,
  sessionStart,
} from './intraday-quote.ts';

const NO_BARS = blankBars(0);
/** Number of bars in the longest session, and one before it. */
const SESSION_ROWS = { '1m': 391, '5m': 79 } as const;

/** Daily bars of the next version, as quotes from minutes need them. */
export interface DailySide {
  /** Symbols whose daily bars or facts the publish changes or removes. */
  changed: ReadonlySet<string>;
  factsOf(symbol: string): SymbolFacts | undefined;
  lastDayOf(symbol: string): LastDay | undefined;
}

export function lastDayOf(
  checkpoints: Checkpoints,
  number: number | undefined,
): LastDay | undefined {
  if (number === undefined || checkpoints.rowCount(number, '1d') === 0) return undefined;
  return {
    day: checkpoints.lastBarMs(number) / MILLIS_PER_DAY,
    close: checkpoints.lastClose(number),
    previewRsi: (close) => checkpoints.previewRsi(number, close),
  };
}

interface NewestSession {
  interval: StoredIntraday;
  session: Session;
  minutes: EarlierClose | undefined;
  /** Published quote, if it holds the previous close. */
  quote?: Quote;
}

export class IntradayQuotes {
  readonly #published: PublishedVersion | undefined;
  readonly #daily: DailySide;
  readonly #basisOf: (symbol: string, interval: StoredIntraday) => PriceBasis | undefined;
  /** Changed series by symbol; undefined for a removed one. */
  readonly #newest: Record<StoredIntraday, Map<string, NewestSession | undefined>> = {
    '1m': new Map(),
    '5m': new Map(),
  };

  /** @param basisOf Returns the basis of a series as it will be published. */
  constructor(
    published: PublishedVersion | undefined,
    daily: DailySide,
    basisOf: (symbol: string, interval: StoredIntraday) => PriceBasis | undefined,
  ) {
    this.#published = published;
    this.#daily = daily;
    this.#basisOf = basisOf;
  }

  /** Takes the new rows of a series, from `firstRow` on. Earlier rows are as published. */
  add(symbol: string, interval: StoredIntraday, firstRow: number, bars: BarColumns): void {
    const continued = this.#continued(symbol, interval, firstRow, bars);
    this.#newest[interval].set(
      symbol,
      continued ?? this.#newestOf(symbol, interval, firstRow, bars),
    );
  }

  remove(symbol: string, interval: StoredIntraday): void {
    this.#newest[interval].set(symbol, undefined);
  }

  /**
   * Continues the session of the published quote. Most of a minute's publish, it saves reading the
   * session so far.
   */
  #continued(
    symbol: string,
    interval: StoredIntraday,
    firstRow: number,
    bars: BarColumns,
  ): NewestSession | undefined {
    const published = this.#published;
    const other = interval === '1m' ? '5m' : '1m';
    if (!published || firstRow === 0 || this.#daily.changed.has(symbol)) return undefined;
    if (published.rowCount(symbol, interval) !== firstRow) return undefined;
    if (published.rowCount(symbol, other) > 0) return undefined;
    const quote = published.quote(symbol);
    if (!quote) return undefined;
    const day = dayOfBar(bars.timestampUs[0]);
    if (day !== dayOfBar(bars.timestampUs[bars.timestampUs.length - 1])) return undefined;
    const quoteDay = dayOfQuote(quote);
    if (quoteDay > day) return undefined;
    // A daily bar of the day would be the quote and stay so.
    if (quoteDay === day) {
      const session = continuedSession(quote, bars, interval);
      return { interval, session, minutes: undefined, quote };
    }
    const lastDay = this.#daily.lastDayOf(symbol)?.day;
    const minutes = lastDay === quoteDay ? undefined : { day: quoteDay, close: quote.price };
    return { interval, session: runningSession(bars, interval), minutes };
  }

  /** Reads the newest session, published rows included, and the row before it. */
  #newestOf(
    symbol: string,
    interval: StoredIntraday,
    firstRow: number,
    bars: BarColumns,
  ): NewestSession | undefined {
    let rows = bars;
    const length = bars.close.length;
    if (firstRow > 0 && (length === 0 || sessionStart(bars) === 0)) {
      rows = this.#publishedRows(symbol, interval, firstRow);
      if (length > 0) rows = joinedBars(rows, bars);
    }
    if (rows.close.length === 0) return undefined;
    const session = runningSession(newestSession(rows), interval);
    return { interval, session, minutes: closeBefore(rows, sessionStart(rows)) };
  }

  /** Returns as many published rows before `end` as can matter. */
  #publishedRows(symbol: string, interval: StoredIntraday, end: number): BarColumns {
    const start = Math.max(0, end - SESSION_ROWS[interval]);
    return this.#published!.bars(symbol, interval, { start, end });
  }

  /**
   * Returns the quotes that differ from the daily ones, by symbol; undefined for a symbol without
   * bars.
   */
  quotes(): Map<string, Quote | undefined> {
    const quotes = new Map<string, Quote | undefined>();
    const { changed } = this.#daily;
    const symbols = STORED_INTRADAY.flatMap((interval) => [...this.#newest[interval].keys()]);
    for (const symbol of new Set([...symbols, ...this.#overtaken()])) {
      const newest = this.#newestOfSymbol(symbol);
      const lastDay = this.#daily.lastDayOf(symbol);
      if (newest && !(lastDay && lastDay.day >= newest.session.day)) {
        quotes.set(symbol, this.#quoteOf(symbol, newest, lastDay));
      } else if (!lastDay) quotes.set(symbol, undefined);
      else if (!changed.has(symbol) && this.#isFromMinutes(symbol, lastDay)) {
        quotes.set(symbol, this.#publishedDailyQuote(symbol));
      }
    }
    return quotes;
  }

  #isFromMinutes(symbol: string, lastDay: LastDay): boolean {
    const quote = this.#published?.quote(symbol);
    return !quote || dayOfQuote(quote) > lastDay.day;
  }

  /** Yields symbols with newer daily bars whose unchanged minutes may be newer still. */
  *#overtaken(): Generator<string> {
    const published = this.#published;
    const part = published?.intradayPart;
    if (!part) return;
    for (const symbol of this.#daily.changed) {
      if (STORED_INTRADAY.every((interval) => part.number(symbol, interval) === undefined))
        continue;
      const quote = published?.quote(symbol);
      const day = this.#daily.lastDayOf(symbol)?.day ?? Number.NEGATIVE_INFINITY;
      if (!quote || dayOfQuote(quote) > day) yield symbol;
    }
  }

  /** Returns the newest session of both intervals; minutes win within one session. */
  #newestOfSymbol(symbol: string): NewestSession | undefined {
    const [minutes, five] = STORED_INTRADAY.map((interval) => {
      const known = this.#newest[interval];
      if (known.has(symbol)) return known.get(symbol);
      const rowCount = this.#published?.rowCount(symbol, interval) ?? 0;
      if (rowCount === 0) return undefined;
      return this.#newestOf(symbol, interval, rowCount, NO_BARS);
    });
    if (!minutes || !five) return minutes ?? five;
    return five.session.day > minutes.session.day ? five : minutes;
  }

  #quoteOf(
    symbol: string,
    { interval, session, minutes, quote: old }: NewestSession,
    lastDay: LastDay | undefined,
  ): Quote {
    const facts = this.#daily.factsOf(symbol)!;
    const minutesBasis = this.#basisOf(symbol, interval);
    const quote = intradayQuote(session, facts, { lastDay, minutes, minutesBasis });
    if (!old) return quote;
    const rsi14 = quote.rsi14 ?? Number.NaN;
    return sessionQuote(symbol, session, { previousClose: old.previousClose, rsi14, facts });
  }

  #publishedDailyQuote(symbol: string): Quote {
    const published = this.#published!;
    const end = published.rowCount(symbol, '1d');
    const [rsi] = published.indicators(symbol, '1d', ['rsi'], { start: end - 1, end });
    const bars = published.bars(symbol, '1d', { start: Math.max(0, end - 2), end });
    return dailyQuote(bars, this.#daily.factsOf(symbol)!, rsi[0]);
  }
}
