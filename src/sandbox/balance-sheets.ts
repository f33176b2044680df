/** Balance sheets of the sandbox, on the dates of its statements. */

import type { RowOf } from '../base/datasets/datasets.ts';
import type { balanceSheet } from '../base/datasets/filings.ts';
import { sandboxFilings } from './filings.ts';
import { balanceAt } from './fundamentals.ts';
import type { SandboxSpan } from './reporting.ts';
import { periodColumns } from './statements.ts';
import type { SandboxSecurity } from './universe.ts';

/** Those that were filed in a span, oldest first. */
export function sandboxBalanceSheets(
  security: SandboxSecurity,
  span: SandboxSpan,
): RowOf<typeof balanceSheet>[] {
  return sandboxFilings(security, span).flatMap((filing) =>
    filing.periods.map((filed) => ({
      ...periodColumns(security, filing, filed),
      ...balanceAt(security, filed.number, filed.isRestated),
    })),
  );
}
