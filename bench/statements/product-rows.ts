/** Reads a set of statements as the product does. */

import { join } from 'node:path';
import { modePaths } from '../../src/base/config/data-dir.ts';
import type { CompanyRows } from '../../src/ingest/vendors/sec/company-rows.ts';
import { extractSet } from '../../src/ingest/vendors/sec/extract-set.ts';
import { listSets } from '../../src/ingest/vendors/sec/list-sets.ts';
import { setCompanies } from '../../src/ingest/vendors/sec/set-companies.ts';

/**
 * Returns the rows of each company.
 *
 * @param root   Folder for what is written.
 * @param folder Tables of the set.
 */
export async function productRows(
  root: string,
  folder: string,
  ciks: readonly number[],
): Promise<Map<number, CompanyRows>> {
  const { segments, quarantine, scratch } = modePaths(root, 'live');
  const settings = { dataDir: root, contact: undefined, vendorUrls: {}, vendorKeys: {} };
  const paths = { segments, quarantine, scratch, feeds: '' };
  const context = { paths, nowMs: Date.now(), settings: { ...settings, vendorLimits: {} } };
  const { sets } = await listSets([folder]);
  const extract = join(root, 'set.jsonl.gz');
  await extractSet(sets[0], extract, context);
  const listings = new Map(ciks.map((cik) => [cik, [{ symbol: `C${cik}` }]] as const));
  const told = new Map<number, CompanyRows>();
  for await (const { cik, rows } of setCompanies([extract], [], listings)) told.set(cik, rows);
  return told;
}

/** Counts of rows whose parts add up, and of those that leave a gap. */
export type Closures = Record<'closed' | 'open', number>;

/** A thousandth of the greatest amount is rounding. */
const ROUNDING = 1e-3;

/** Counts the balance sheets and cash flows that add up. */
export function closures(
  all: Iterable<CompanyRows>,
): Record<'balance sheets' | 'cash flows', Closures> {
  const counts = {
    'balance sheets': { closed: 0, open: 0 },
    'cash flows': { closed: 0, open: 0 },
  };
  const add = (name: keyof typeof counts, gap: number | null, of: number | null) => {
    if (gap === null || of === null) return;
    counts[name][Math.abs(gap) <= ROUNDING * Math.abs(of) ? 'closed' : 'open']++;
  };
  for (const { balanceSheets, cashFlows } of all) {
    for (const row of balanceSheets) add('balance sheets', row.unexplainedAssets, row.totalAssets);
    for (const row of cashFlows) add('cash flows', row.unexplainedChange, row.operatingCashFlow);
  }
  return counts;
}
