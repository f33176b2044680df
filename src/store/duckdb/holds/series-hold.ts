/** Reasons to hold symbols of a load, in words. */

import { MICROS_PER_MILLI } from '../../../base/bars.ts';
import { limits } from '../../../base/limits.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import { dateFromDay, dayFromMicros } from '../../../base/time/dates.ts';
import type { StoredInterval } from '../../../base/time/intervals.ts';

/** Symbols that are held for one reason, with the facts of each. */
export interface SeriesHold {
  /** The check, as docs/quality.md names it. */
  check: string;
  /** Verbs of one series and of several, if the text tells of the found ones. */
  verbs?: readonly [one: string, several: string];
  text: string;
  /** `contradicts` is the first bar that differs from a served one, as it would be served. */
  found: readonly { symbol: string; detail: string; contradicts?: { us: number; close: number } }[];
}

export function symbolsOf({ found }: SeriesHold): string[] {
  return found.map(({ symbol }) => symbol);
}

/** Leaves out the symbols that a person has accepted. */
export function withoutAccepted(
  { found, ...hold }: SeriesHold,
  { accepted }: { accepted?: ReadonlySet<string> },
): SeriesHold[] {
  const others = found.filter(({ symbol }) => !accepted?.has(symbol));
  return others.length === 0 ? [] : [{ ...hold, found: others }];
}

/** Names the first symbols with their facts. */
export function reasonOf({ verbs, text, found }: SeriesHold): string {
  const { length: count } = found;
  const subject = count === 1 ? `1 series ${verbs?.[0]} ` : `${count} series ${verbs?.[1]} `;
  return `${verbs ? subject : ''}${text}: ${examples(found, ({ symbol, detail }) => `${symbol} ${detail}`)}`;
}

/** Names the first ones, and how many more there are. */
function examples<T>(all: readonly T[], textOf: (one: T) => string): string {
  const shown = all.slice(0, limits.sanity.shownMax).map(textOf);
  if (all.length > shown.length) shown.push(`and ${all.length - shown.length} more`);
  return shown.join(', ');
}

export function dayOfBar(interval: StoredInterval): (us: number) => number {
  return (us) => (interval === '1d' ? dayFromMicros(us) : newYorkDay(us / MICROS_PER_MILLI));
}

/** Returns a function from the start of a bar in microseconds to its date. */
export function timeText(interval: StoredInterval): (us: number) => string {
  const dayOf = dayOfBar(interval);
  return (us) => dateFromDay(dayOf(us));
}
