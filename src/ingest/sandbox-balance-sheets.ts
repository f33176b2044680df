/** Balance sheets of the sandbox, on the dates of its statements. */

import type { RowOf } from '../datasets.ts';
import type { balanceSheet } from '../datasets-filings.ts';
import { sandboxFilings } from './sandbox-filings.ts';
import { balanceAt } from './sandbox-fundamentals.ts';
import type { SandboxSpan } from './sandbox-reporting.ts';
import { periodColumns } from './sandbox-statements.ts';
import type { SandboxSecurity } from './sandbox-universe.ts';

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
