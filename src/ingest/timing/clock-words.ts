/** Words for what bars say of the clock of a file. */

import { dateFromDay } from '../../base/time/dates.ts';
import type { BetterClock } from './session-profile.ts';

/** Returns words such as `by bars and volume, 5 sessions begin 1 h too early from 2024-03-11 on`. */
export function betterFact({ halves, day, sessions }: BetterClock): string {
  const hours = Math.abs(halves) / 2;
  const side = halves > 0 ? 'late' : 'early';
  const count = sessions === 1 ? 'a session begins' : `${sessions} sessions begin`;
  return `by bars and volume, ${count} ${hours} h too ${side} from ${dateFromDay(day)} on`;
}
