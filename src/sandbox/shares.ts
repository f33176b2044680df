/** Share counts of the sandbox, as on the cover pages of its reports. */

import type { Split } from '../base/bars.ts';
import type { RowOf } from '../base/datasets/datasets.ts';
import type { shares } from '../base/datasets/filings.ts';
import { sandboxFilings } from './filings.ts';
import { sharesOn } from './fundamentals.ts';
import type { SandboxSpan } from './reporting.ts';
import type { SandboxSecurity } from './universe.ts';

/** At the most. */
const DAYS_BETWEEN_REPORTS = 110;

/**
 * Those that were filed in a span, oldest first: one a year, and one after each split. Nothing
 * else changes them, and a count that is the one before would tell nothing.
 */
export function sandboxShares(
  security: SandboxSecurity,
  span: SandboxSpan,
): RowOf<typeof shares>[] {
  const { symbol, model } = security;
  return sandboxFilings(security, span)
    .filter(({ form, day }) => form !== '10-Q' || hasSplit(model.splits, day))
    .map(({ day, filedAt }) => ({
      symbol,
      date: day,
      filedAt,
      kind: 'cover',
      shares: sharesOn(security, day),
    }));
}

/** Within the time that a quarter's report covers, or a little before. */
function hasSplit(splits: readonly Split[], day: number): boolean {
  return splits.some(({ exDay }) => exDay <= day && exDay > day - DAYS_BETWEEN_REPORTS);
}
