/** Rows of statements as responses have them: their figures, and the filing that they are from. */

import { MILLIS_PER_DAY, type Split } from '../../../base/bars.ts';
import { isPerShare, type StatementDataset } from '../../../base/datasets/statement.ts';
import { newShares } from '../../../compute/companies/company-facts.ts';
import type { ListRow } from '../../../store/arrow/lists/specs.ts';
import type { Snapshot } from '../../../store/arrow/snapshot/snapshot.ts';

/** Returns the last days of half years that a company files instead of quarters, as times. */
export function halfEnds(snapshot: Snapshot, symbol: string): ReadonlySet<number> {
  const ends = new Set<number>();
  for (const { kind, timestampMs } of snapshot.list('statements', symbol).rows()) {
    if (kind === 'semiannual') ends.add(timestampMs);
  }
  return ends;
}

/** Fields of a row's filing, behind its figures. */
export const FILING_FIELDS = ['filedAt', 'fiscalYear', 'currency', 'form'] as const;

/** Figures per share on the split basis of today, by those that are as filed. */
export const ADJUSTED = { eps: 'epsAdjusted', epsDiluted: 'epsDilutedAdjusted' } as const;

type Row = Record<string, unknown>;

/** @param splits Of the symbol, in any order. */
export function servedRow(
  { json, stored = '{}', knownMs }: ListRow,
  dataset: StatementDataset,
  splits: readonly Split[],
): Row {
  const row: Row = JSON.parse(json);
  const columns: Row = JSON.parse(stored);
  if (isPerShare(dataset)) {
    // A later version of a row may repeat figures per share of before a split.
    const { perShareAt } = columns;
    const filedMs = perShareAt === undefined ? Number(knownMs) : Date.parse(String(perShareAt));
    const filedDay = Math.floor(filedMs / MILLIS_PER_DAY);
    const factor = newShares(splits, filedDay, Number.POSITIVE_INFINITY);
    for (const [name, adjusted] of Object.entries(ADJUSTED)) {
      const value = row[name];
      row[adjusted] = typeof value === 'number' ? value / factor : null;
    }
  }
  for (const name of FILING_FIELDS) row[name] = columns[name] ?? null;
  return row;
}
