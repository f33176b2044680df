/** Daily bars of the sandbox: raw prices in cents, and volumes. */

import { type BarColumns, MILLIS_PER_DAY, microsFromMillis } from '../base/bars.ts';
import { sharesMultiplier } from './events.ts';
import { SANDBOX_FIRST_YEAR, sandboxFactors, sessionFromDay } from './factors.ts';
import { logClosesOfYear, logPriceAtYear, reportSession, YEAR_SESSIONS_MAX } from './path.ts';
import { highUniform, lowUniform, seedAt } from './random.ts';
import type { SandboxSecurity } from './universe.ts';

const logCloses = new Float64Array(YEAR_SESSIONS_MAX);

/**
 * Raw bars of a security between two days, both included.
 *
 * A day's bar does not depend on the days asked: it follows from the security, the year and the
 * day. One call computes the whole path of each year it touches.
 */
export function sandboxBars(security: SandboxSecurity, fromDay: number, toDay: number): BarColumns {
  const { days, yearStarts } = sandboxFactors();
  const from = sessionFromDay(Math.max(fromDay, security.firstDay));
  const to = Math.max(from, sessionFromDay(Math.min(toDay, security.lastDay ?? toDay) + 1));
  const startsMs = new Float64Array(to - from);
  for (let row = 0; row < startsMs.length; row++) startsMs[row] = days[from + row] * MILLIS_PER_DAY;
  const bars = {
    timestampUs: microsFromMillis(startsMs),
    open: new Float64Array(to - from),
    high: new Float64Array(to - from),
    low: new Float64Array(to - from),
    close: new Float64Array(to - from),
    volume: new Float64Array(to - from),
  };
  for (let i = 0; i < yearStarts.length - 1; i++) {
    const start = Math.max(from, yearStarts[i]);
    const end = Math.min(to, yearStarts[i + 1]);
    if (start < end) fillYear(security, SANDBOX_FIRST_YEAR + i, start, end, bars, from);
  }
  return bars;
}

/** Writes the bars of the sessions [start, end) of a year; `offset` is the session of row 0. */
function fillYear(
  { model }: SandboxSecurity,
  year: number,
  start: number,
  end: number,
  bars: BarColumns,
  offset: number,
): void {
  const { days, yearStarts, nervousness } = sandboxFactors();
  const { path } = model;
  const yearStart = yearStarts[year - SANDBOX_FIRST_YEAR];
  logClosesOfYear(path, year, logCloses);
  const report = reportSession(path);
  let logBefore =
    start === yearStart ? logPriceAtYear(path, year) : logCloses[start - 1 - yearStart];
  for (let session = start; session < end; session++) {
    const day = days[session];
    const shares = sharesMultiplier(model.splits, day);
    const logClose = logCloses[session - yearStart];
    const close = Math.exp(logClose) / shares;
    const before = Math.exp(logBefore) / shares;
    const seed = seedAt(model.noiseSeed, day);
    const openBits = seedAt(seed, 1);
    const rangeBits = seedAt(seed, 2);
    const crowd = lowUniform(seedAt(seed, 3));
    const spread = close * path.dailySpread * (0.7 + 0.3 * nervousness[session]);
    const open = Math.max(
      before +
        (close - before) * 0.7 * lowUniform(openBits) +
        spread * (highUniform(openBits) - 0.5),
      close / 2,
    );

    const row = session - offset;
    bars.open[row] = roundToTick(open);
    bars.high[row] = roundToTick(Math.max(open, close) + spread * lowUniform(rangeBits));
    bars.low[row] = roundToTick(
      Math.max(Math.min(open, close) - spread * highUniform(rangeBits), close / 4),
    );
    bars.close[row] = roundToTick(close);
    const excitement = Math.abs(logClose - logBefore) / path.dailySpread;
    bars.volume[row] = Math.ceil(
      model.sharesAtListing *
        shares *
        model.turnover *
        nervousness[session] *
        (0.4 + crowd * crowd + 0.4 * excitement) *
        ((session - yearStart) % 63 === report ? 2.5 : 1),
    );
    logBefore = logClose;
  }
}

/** Cents from one dollar on, hundredths of a cent below it, as exchanges quote. Monotone. */
export function roundToTick(price: number): number {
  if (price >= 1) return Math.round(price * 100) / 100;
  return Math.max(1, Math.round(price * 10_000)) / 10_000;
}
