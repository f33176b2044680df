/** Rows of statements as responses have them: their figures, and the filing that they are from. */

import { MILLIS_PER_DAY, type Split } from '../../../base/bars.ts';
import { isPerShare, type StatementDataset } from '../../../base/datasets/statement.ts';
import { newShares } from '../../../compute/companies/company-facts.ts';
import { withFilingSplits } from '../../../compute/companies/filing-splits.ts';
import { paddedRow } from '../../../compute/companies/trailing-statements.ts';
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

/** Returns the splits of a symbol that a source knows, and of other days those that filings show. */
export function splitsOf(snapshot: Snapshot, symbol: string): readonly Split[] {
  const { splits = [], actionCoverage } = snapshot.symbol(symbol) ?? {};
  const filed = [...snapshot.list('statements', symbol).rows()]
    .filter(({ kind }) => kind !== 'ttm')
    .sort((a, b) => a.knownMs! - b.knownMs!);
  const { fromDay = Number.NaN, toDay = Number.NaN } = actionCoverage ?? {};
  const isKnown = ({ knownMs }: ListRow) =>
    knownMs! >= fromDay * MILLIS_PER_DAY && knownMs! < (toDay + 1) * MILLIS_PER_DAY;
  if (filed.every(isKnown)) return splits;
  const rows = filed.map(({ json, kind, timestampMs, knownMs }) =>
    paddedRow({
      ...JSON.parse(json),
      ...{ date: timestampMs / MILLIS_PER_DAY, period: kind, filedAt: knownMs },
    }),
  );
  return withFilingSplits(splits, rows, actionCoverage);
}

/** @param splits Of the symbol, in any order; the numerator of an unknown one is NaN. */
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
      row[adjusted] = typeof value === 'number' && factor > 0 ? value / factor : null;
    }
  }
  for (const name of FILING_FIELDS) row[name] = columns[name] ?? null;
  return row;
}
