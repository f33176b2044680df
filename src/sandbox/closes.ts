/** Closes of single days of a security of the sandbox. */

import { sharesMultiplier } from './events.ts';
import { SANDBOX_FIRST_YEAR, sandboxFactors, sessionFromDay, yearFromDay } from './factors.ts';
import { logClosesOfYear, YEAR_SESSIONS_MAX } from './path.ts';
import { roundToTick } from './prices.ts';
import type { SandboxSecurity } from './universe.ts';

/**
 * A function that gives the raw close of a day: that of `sandboxBars`; of a day without a session
 * that of the next one. It computes each year once, when it is first asked for.
 */
export function sandboxCloses({ model }: SandboxSecurity): (day: number) => number {
  const { days, yearStarts } = sandboxFactors();
  const years = new Map<number, Float64Array>();
  return (day) => {
    const session = Math.min(sessionFromDay(day), days.length - 1);
    const year = yearFromDay(days[session]);
    let closes = years.get(year);
    if (!closes) {
      closes = new Float64Array(YEAR_SESSIONS_MAX);
      logClosesOfYear(model.path, year, closes);
      years.set(year, closes);
    }
    const logClose = closes[session - yearStarts[year - SANDBOX_FIRST_YEAR]];
    return roundToTick(Math.exp(logClose) / sharesMultiplier(model.splits, days[session]));
  };
}
