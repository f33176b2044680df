/** Finds bars of one weekday that are dated on the weekend beside it, by the days they leave out. */

import { dateFromDay, weekdayFromDay } from '../../base/time/dates.ts';
import { isTradingDay, isWeekend, WEEKDAYS } from './week-days.ts';

/** A day of the weekend, and the step to the weekday whose bars it may have. */
const MOVES = [
  { weekend: 6, step: -1 },
  { weekend: 0, step: 1 },
] as const;

/** Such dates below this number are single wrong ones. */
const COUNT_MIN = 3;
/** Part of the dates on that day of the weekend which leave the weekday out. */
const LACKING_SHARE_MIN = 0.8;
/** Part of the weeks from the first to the last of them that they must be in. */
const WEEK_SHARE_MIN = 0.5;
/** Markets that trade on one day of the weekend and close on a weekday trade on the other one, too. */
const OTHER_SHARE_MAX = 0.1;

/**
 * @param days In rising order.
 * @returns a fact, as a clause; undefined for days without such a weekday.
 */
export function movedWeekday(days: readonly number[]): string | undefined {
  const known = new Set(days);
  const weekends = [...known].filter(isWeekend);
  for (const { weekend, step } of MOVES) {
    const dated = weekends.filter((day) => weekdayFromDay(day) === weekend);
    const lacking = dated.filter((day) => isTradingDay(day + step) && !known.has(day + step));
    const others = weekends.length - dated.length;
    const weeks = (lacking[lacking.length - 1] - lacking[0]) / 7 + 1;
    const isRegular =
      lacking.length >= COUNT_MIN &&
      lacking.length >= dated.length * LACKING_SHARE_MIN &&
      lacking.length >= weeks * WEEK_SHARE_MIN &&
      others <= dated.length * OTHER_SHARE_MAX;
    if (!isRegular) continue;
    const [own, meant] = [lacking[0], lacking[0] + step].map(
      (day) => WEEKDAYS[weekdayFromDay(day)],
    );
    const side = step < 0 ? 'before' : 'after';
    return `${lacking.length} of its dates are ${own}s (${dateFromDay(lacking[0])}), and the ${meant}s ${side} have no bar`;
  }
  return undefined;
}
