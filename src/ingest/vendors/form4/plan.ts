/** What a run of `form4` would ask of the SEC, before it asks. Pure. */

import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits/limits.ts';
import type { FetchPlan } from '../../contract/dry-runs.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { daysOf, quartersBetween, weekdaysBetween } from './edgar-days.ts';

/** Usual counts of Forms 4 and 5 and of their transactions. */
const FILINGS_PER_DAY = 1000;
const ROWS_PER_FILING = 3;
const ROWS_PER_QUARTER = 150_000;
/** Filings of an issuer in a year, where only some are asked for. */
const FILINGS_PER_ISSUER_DAY = 0.2;

/**
 * Counts quarters as data sets once they are over; while the newest is not published its days are
 * asked for one by one, which takes longer.
 *
 * @throws {ParameterError} `plan`: files on disk need no requests.
 */
export function planForm4(options: SourceOptions, nowMs: number): FetchPlan {
  if (options.path !== undefined || options.paths?.length) {
    throw new ParameterError('plan', 'files on disk need no requests: leave out --plan');
  }
  const { from, to, today } = daysOf(options, nowMs);
  const { symbol, symbols = symbol === undefined ? undefined : [symbol] } = options;
  const filingsPerDay =
    symbols === undefined ? FILINGS_PER_DAY : Math.ceil(symbols.length * FILINGS_PER_ISSUER_DAY);
  const { requestsAtOnce } = limits.form4;
  const plan = { requests: 0, bars: 0, rows: 0, requestsAtOnce };
  for (const quarter of quartersBetween(from, to)) {
    if (quarter.lastDay < today) {
      plan.requests += 1;
      plan.rows += ROWS_PER_QUARTER;
      continue;
    }
    const days = weekdaysBetween(Math.max(from, quarter.firstDay), Math.min(to, today)).length;
    plan.requests += 1 + days * (1 + filingsPerDay);
    plan.rows += days * filingsPerDay * ROWS_PER_FILING;
  }
  return plan;
}
