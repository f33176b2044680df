/** Share counts of the sandbox, as on the cover pages of its reports. */

import type { RowOf } from '../datasets.ts';
import type { shares } from '../datasets-filings.ts';
import { sandboxFilings } from './sandbox-filings.ts';
import { sharesOn } from './sandbox-fundamentals.ts';
import type { SandboxSpan } from './sandbox-reporting.ts';
import type { SandboxSecurity } from './sandbox-universe.ts';

/** Those that were filed in a span, oldest first. Counts change with splits alone. */
export function sandboxShares(
  security: SandboxSecurity,
  span: SandboxSpan,
): RowOf<typeof shares>[] {
  return sandboxFilings(security, span).map(({ day, filedAt }) => ({
    symbol: security.symbol,
    date: day,
    filedAt,
    kind: 'cover',
    shares: sharesOn(security, day),
  }));
}
