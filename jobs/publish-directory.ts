/** A publish that leaves all series as they are: names of symbols, lists and companies differ. */

import type { MarketDb } from '../src/store/market/open.ts';
import { Publication } from '../src/store/serving/publication.ts';
import { publishCompanies } from './companies.ts';
import { publishedColumns } from './derive-series.ts';
import { NextSymbols } from './next-symbols.ts';
import type { PublishDeps } from './publish.ts';
import { publishLists } from './publish-lists.ts';
import type { PublishPlan } from './publish-plan.ts';

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
