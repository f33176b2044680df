/** A publish that leaves all series as they are: names of symbols, lists and companies differ. */

import { Publication } from '../../src/store/arrow/write/publication.ts';
import type { MarketDb } from '../../src/store/duckdb/connection/open.ts';
import { publishedColumns } from './derive-series.ts';
import { publishLists } from './lists/publish.ts';
import { NextSymbols } from './next-symbols.ts';
import type { PublishDeps } from './publish.ts';
import type { PublishPlan } from './publish-plan.ts';
import { publishCompanies } from './quotes/companies.ts';

export async function publishDirectory(
  market: MarketDb,
  path: string,
  plan: PublishPlan,
  { nowMs, epoch }: PublishDeps,
): Promise<void> {
  const { seq, storeMark, published, directory, lists } = plan;
  const publication = new Publication(path, {
    indicatorColumns: publishedColumns,
    epoch,
    isWhole: published === undefined,
  });
  try {
    const next = published && new NextSymbols(published);
    const companies = await publishCompanies(publication, market, plan, next);
    await publication.commit({
      seq,
      storeMark,
      createdMs: nowMs,
      replacesLayers: false,
      currentYear: published?.manifest.currentYear ?? new Date(nowMs).getUTCFullYear(),
      directory,
      lists: await publishLists(publication, market, lists),
      ...companies,
    });
  } finally {
    await publication.abandon();
  }
}
