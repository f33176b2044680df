/** Makes the quote of a symbol from the minutes of its newest session. */

import { type BarColumns, barRows, MICROS_PER_MILLI, type Split } from '../../../src/base/bars.ts';
import {
  intradayBarEndMs,
  newYorkDay,
  newYorkMidnightMs,
} from '../../../src/base/time/calendar.ts';
import type { StoredIntraday } from '../../../src/base/time/intervals.ts';
import { newestDayInForce } from '../../../src/compute/bars/adjust.ts';
import type { Quote } from '../../../src/store/arrow/snapshot/snapshot.ts';
import type { SymbolFacts } from '../../../src/store/arrow/snapshot/symbol-directory.ts';
import { type Session, sessionQuote } from './daily-quote.ts';

/** Close of an earlier session, on the basis of that day. */
export interface EarlierClose {
  day: number;
  close: number;
}

/** Newest daily bar before a session. */
export interface LastDay extends EarlierClose {
  /** Returns the RSI with one more close; NaN if there is none yet. */
  previewRsi(close: number): number;
}

/** Returns the first row of the last bar's session. */
export function sessionStart({ timestampUs }: BarColumns): number {
  let start = timestampUs.length - 1;
  const midnightMs = newYorkMidnightMs(dayOfBar(timestampUs[start]));
  const fromUs = BigInt(midnightMs * MICROS_PER_MILLI);
  while (start > 0 && timestampUs[start - 1] >= fromUs) start--;
  return start;
}

/** @param bars At least one, all of one session, in order. */
export function runningSession(bars: BarColumns, interval: StoredIntraday): Session {
  const { timestampUs, open, high, low, close, volume } = bars;
  const last = close.length - 1;
  const startMs = Number(timestampUs[last]) / MICROS_PER_MILLI;
  const day = newYorkDay(startMs);
  const session = {
    day,
    endMs: intradayBarEndMs(startMs, interval),
    open: open[0],
    high: high[0],
    low: low[0],
    close: close[last],
    volume: volume[0],
  };
  for (let row = 1; row <= last; row++) {
    session.high = Math.max(session.high, high[row]);
    session.low = Math.min(session.low, low[row]);
    session.volume += volume[row];
  }
  return session;
}

/** Continues a session: its quote so far, and the bars that follow. */
export function continuedSession(
  quote: Quote,
  bars: BarColumns,
  interval: StoredIntraday,
): Session {
  const session = runningSession(bars, interval);
  session.open = quote.dayOpen;
  session.high = Math.max(quote.dayHigh, session.high);
  session.low = Math.min(quote.dayLow, session.low);
  // Row by row, to give the bits of one sum over the session.
  session.volume = quote.volume;
  for (let row = 0; row < bars.volume.length; row++) session.volume += bars.volume[row];
  return session;
}

export interface SessionBefore {
  lastDay: LastDay | undefined;
  /** Close before the session by minutes, if no daily bar is as new. */
  minutes: EarlierClose | undefined;
  /** Basis of the minutes' prices; by default that of the symbol's daily bars. */
  minutesBasis?: PriceBasis;
}

export type PriceBasis = Pick<SymbolFacts, 'basis' | 'asOfUs'>;

export function intradayQuote(
  session: Session,
  facts: SymbolFacts,
  { lastDay, minutes, minutesBasis = facts }: SessionBefore,
): Quote {
  const before = lastDay && lastDay.day >= (minutes?.day ?? lastDay.day) ? lastDay : minutes;
  const price = session.close;
  const ratioSince = ({ day }: EarlierClose, basis: PriceBasis) =>
    splitRatio(facts.splits, newestSplitDay(basis, day), session.day);
  const basis = before === lastDay ? facts : minutesBasis;
  const previousClose = before ? before.close / ratioSince(before, basis) : null;
  // Daily bars are on the basis of the last one, and an RSI only depends on proportions.
  const rsi14 = lastDay ? lastDay.previewRsi(price * ratioSince(lastDay, facts)) : Number.NaN;
  return sessionQuote(facts.symbol, session, { previousClose, rsi14, facts });
}

/** Returns the newest day whose splits are in a close: its own, or that of its vintage. */
function newestSplitDay({ basis, asOfUs }: PriceBasis, day: number): number {
  return basis === 'raw' ? day : newestDayInForce(asOfUs, day);
}

/** Returns the number of new shares for an old one between two days. */
function splitRatio(splits: readonly Split[], afterDay: number, toDay: number): number {
  let ratio = 1;
  for (const { exDay, numerator, denominator } of splits) {
    if (exDay > afterDay && exDay <= toDay) ratio *= numerator / denominator;
  }
  return ratio;
}

export function dayOfBar(timestampUs: bigint): number {
  return newYorkDay(Number(timestampUs) / MICROS_PER_MILLI);
}

export function dayOfQuote({ timestampMs }: Quote): number {
  return newYorkDay(timestampMs - 1);
}

/** Returns the close before a session, from rows that end with the session. */
export function closeBefore(bars: BarColumns, start: number): EarlierClose | undefined {
  if (start === 0) return undefined;
  return { day: dayOfBar(bars.timestampUs[start - 1]), close: bars.close[start - 1] };
}

export function newestSession(bars: BarColumns): BarColumns {
  return barRows(bars, sessionStart(bars));
}
