/** A publish after which only names of symbols and lists differ: all series stay as they are. */

import type { MarketDb } from '../src/store/market/open.ts';
import { Publication } from '../src/store/serving/publication.ts';
import { publishedColumns } from './derive-series.ts';
import type { PublishDeps } from './publish.ts';
import { publishLists } from './publish-lists.ts';
import type { PublishPlan } from './publish-plan.ts';

export async function publishDirectory(
  market: MarketDb,
  path: string,
  { seq, storeMark, published, directory, lists }: PublishPlan,
  { nowMs, onStep }: PublishDeps,
): Promise<void> {
  const publication = new Publication(path, { indicatorColumns: publishedColumns, onStep });
  try {
    await publication.commit({
      seq,
      storeMark,
      createdMs: nowMs,
      replacesLayers: false,
      currentYear: published?.manifest.currentYear ?? new Date(nowMs).getUTCFullYear(),
      directory,
      lists: await publishLists(publication, market, lists),
    });
  } finally {
    await publication.abandon();
  }
}
