import { TapeworksError } from '../../../base/errors.ts';
import { dateFromDay } from '../../../base/time/dates.ts';
import { isWithin, type TickerFact } from './ticker-facts.ts';

/**
 * @throws {TapeworksError} one of the facts can't be true with the new one, whatever else is. The
 *   message has both.
 */
export function requireNoContradiction(facts: readonly TickerFact[], fact: TickerFact): void {
  const other = facts.find((one) => contradicts(one, fact));
  if (!other) return;
  throw new TapeworksError(
    `${sentenceOf(fact)} contradicts what was stated before: ${sentenceOf(other)}. ` +
      'Take that back first with --undo, if it is wrong',
  );
}

function contradicts(a: TickerFact, b: TickerFact): boolean {
  if (a.kind === 'rename' && b.kind === 'rename' && a.day === b.day) {
    return (a.ticker === b.ticker) !== (a.other === b.other);
  }
  if (a.kind === 'assign' && b.kind === 'assign' && a.ticker === b.ticker) {
    const isOther = a.other !== b.other || a.otherDay !== b.otherDay;
    return isOther && (touches(a, b) || touches(b, a));
  }
  return endsTwice(a, b) || endsTwice(b, a);
}

/** Returns true if the last trading day is the day before a rename of the same ticker. */
function endsTwice(a: TickerFact, b: TickerFact): boolean {
  return (
    a.kind === 'delist' && b.kind === 'rename' && a.ticker === b.ticker && a.day === b.day! - 1
  );
}

function touches(a: TickerFact, b: TickerFact): boolean {
  const span = { fromDay: a.day, toDay: a.endDay };
  return isWithin(b.day ?? Number.NEGATIVE_INFINITY, span);
}

/** Returns a fact in words. */
export function sentenceOf({ kind, ticker, day, endDay, other }: TickerFact): string {
  const on = day === null ? 'the first day' : dateFromDay(day);
  if (kind === 'rename') return `${ticker} became ${other} on ${on}`;
  if (kind === 'delist') return `${ticker} was traded for the last time on ${on}`;
  if (kind === 'part') return `${ticker} means another security from ${on} on`;
  if (kind === 'listed') return `${ticker} was listed on ${on}`;
  if (kind === 'join') return `${ticker} and ${other} are one security`;
  const end = endDay === null ? 'now' : dateFromDay(endDay);
  return `${ticker} from ${on} to ${end} means ${other ?? 'a security of its own'}`;
}
