/** A publish after which only the names of symbols differ: all series stay as they are. */

import { Publication } from '../src/store/serving/publication.ts';
import { publishedColumns } from './derive-series.ts';
import type { PublishDeps } from './publish.ts';
import type { PublishPlan } from './publish-plan.ts';

export async function publishDirectory(
  path: string,
  { seq, storeMark, published, directory }: PublishPlan,
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
    });
  } finally {
    await publication.abandon();
  }
}
