/**
 * Securities that a ticker means by day, and the effect of renames and delistings. Pure: nothing
 * here depends on the order of loads.
 */

import { TapeworksError } from '../../../base/errors.ts';
import { dateFromDay } from '../../../base/time/dates.ts';

/** A ticker of a security. Days since the epoch, inclusive; null: open on that side. */
export interface TickerSpan {
  securityId: number;
  ticker: string;
  fromDay: number | null;
  toDay: number | null;
}

/** A ticker in an input, with the first and the last of its days there. */
export interface StatedTicker {
  ticker: string;
  firstDay: number;
  lastDay: number;
}

function isDated({ fromDay, toDay }: TickerSpan): boolean {
  return fromDay !== null || toDay !== null;
}

function fromOf({ fromDay }: TickerSpan): number {
  return fromDay ?? Number.NEGATIVE_INFINITY;
}

function toOf({ toDay }: TickerSpan): number {
  return toDay ?? Number.POSITIVE_INFINITY;
}

/** Spans of one ticker, or of one security, in order of time. */
function inOrder(spans: readonly TickerSpan[]): TickerSpan[] {
  return spans.toSorted((a, b) => {
    if (a.toDay === b.toDay) return a.securityId - b.securityId;
    return toOf(a) < toOf(b) ? -1 : 1;
  });
}

/**
 * Returns the security that an input means with a ticker: the one that had it on the last day; else
 * the one that left it before the input ends; else the next one that had it, since vendors report
 * the whole past under the new ticker; else the one that has it without dates. Undefined: a new
 * one.
 *
 * @param spans All spans of the ticker, and any others.
 */
export function holderOf(
  spans: readonly TickerSpan[],
  { ticker, firstDay, lastDay }: StatedTicker,
): number | undefined {
  const all = spans.filter((span) => span.ticker === ticker);
  const dated = inOrder(all.filter(isDated));
  const holder =
    dated.find((span) => fromOf(span) <= lastDay && lastDay <= toOf(span)) ??
    dated.findLast((span) => firstDay <= toOf(span) && toOf(span) < lastDay) ??
    dated.find((span) => fromOf(span) > lastDay) ??
    all.find((span) => !isDated(span));
  return holder?.securityId;
}

export function newestSpan(spans: readonly TickerSpan[]): TickerSpan {
  return inOrder(spans)[spans.length - 1];
}

/**
 * Returns the symbol of every security: its ticker. A delisted one whose ticker another security
 * has had since gets the year and month of its last trading day: `XYZ.201512`.
 */
export function symbolsOf(spans: readonly TickerSpan[]): Map<number, string> {
  const histories = Map.groupBy(spans, ({ securityId }) => securityId);
  const symbols = new Map<number, string>();
  for (const [securityId, history] of histories) {
    const { ticker, toDay } = newestSpan(history);
    const isReused = spans.some(
      (span) =>
        toDay !== null &&
        span.ticker === ticker &&
        span.securityId !== securityId &&
        toOf(span) > toDay,
    );
    const month =
      isReused &&
      dateFromDay(toDay as number)
        .slice(0, 7)
        .replace('-', '');
    symbols.set(securityId, month ? `${ticker}.${month}` : ticker);
  }
  return symbols;
}

/**
 * Returns the history of a security that gets another ticker. A rename on the day on which the
 * present ticker began replaces that one, so renaming back on that day undoes it.
 *
 * @param leftDay The last day on which another had the present ticker before, if one did.
 * @throws {TapeworksError} the present ticker began later than `day`, or trading has ended.
 */
export function renamed(
  spans: readonly TickerSpan[],
  ticker: string,
  day: number,
  leftDay?: number,
): TickerSpan[] {
  const { history, now } = begun(spans, day, leftDay);
  if (now.toDay !== null) {
    throw new TapeworksError(
      `${now.ticker} was delisted; its last trading day was ${dateFromDay(now.toDay)}`,
    );
  }
  if (fromOf(now) < day) history.push({ ...now, toDay: day - 1 });
  const before = history.at(-1);
  if (before?.ticker === ticker && before.toDay === day - 1) {
    return [...history.slice(0, -1), { ...before, toDay: null }];
  }
  return [...history, { ...now, ticker, fromDay: day, toDay: null }];
}

/**
 * Returns the history of a security that is traded for the last time on `day`.
 *
 * @throws {TapeworksError} its ticker began later.
 */
export function delisted(
  spans: readonly TickerSpan[],
  day: number,
  leftDay?: number,
): TickerSpan[] {
  const { history, now } = begun(spans, day, leftDay);
  return [...history, { ...now, toDay: day }];
}

/** Returns the history of a security that is traded again under the ticker it had last. */
export function relisted(spans: readonly TickerSpan[]): TickerSpan[] {
  const history = inOrder(spans);
  return [...history.slice(0, -1), { ...newestSpan(spans), toDay: null }];
}

/** Returns the ticker that a security has on a day, and those before it. */
function begun(
  spans: readonly TickerSpan[],
  day: number,
  leftDay: number | undefined,
): { history: TickerSpan[]; now: TickerSpan } {
  const history = inOrder(spans);
  const last = history.pop()!;
  const fromDay = last.fromDay ?? (leftDay === undefined ? null : leftDay + 1);
  if (fromDay !== null && fromDay > day) {
    throw new TapeworksError(
      `${last.ticker} is the ticker of this security since ${dateFromDay(fromDay)}: ` +
        `--on must not be before that, got ${dateFromDay(day)}`,
    );
  }
  return { history, now: { ...last, fromDay } };
}
