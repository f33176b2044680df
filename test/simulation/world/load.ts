/**
 * Stands in for loads and maintenance of DuckDB's store: a set of segments and a version, which are
 * safe once they are written. `loads-night.ts` runs the real ones.
 */

import { hash } from 'node:crypto';
import type { BackfillReport, RunDeps } from '../../../jobs/contract/reports.ts';
import { noLoads } from '../../../jobs/contract/reports.ts';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';
import { HeldLoadError, StoreBusyError } from '../../../src/base/errors.ts';
import type { Fetched } from '../../../src/ingest/contract/fetch-context.ts';
import { current, type Process, simulation } from '../simulation.ts';
import { readFileSync } from './files.ts';
import { outsideOfNight, step } from './work.ts';

export async function backfill(
  _paths: ModePaths,
  segments: AsyncIterable<Fetched>,
  { run, epoch, signal }: RunDeps,
): Promise<BackfillReport> {
  const now = simulation();
  const outside = outsideOfNight();
  const id = run?.id ?? '';
  const other = outside.loading.get(id);
  if (outside.hasEpochs) checkEpoch(epoch, id);
  else if (isOther(other)) now.violate('a run has one owner', `${id} is loaded by two`);
  if (outside.hasOperator && now.happens('refused load')) throw new HeldLoadError('too few rows');
  outside.loading.set(id, current());
  const report = noLoads();
  for await (const segment of segments) {
    signal?.throwIfAborted();
    if (!('parquetPath' in segment)) continue;
    await step(`load ${segment.origin}`);
    if (hash('sha256', readFileSync(segment.parquetPath)) !== segment.id) {
      now.violate('what was acknowledged is there', `segment "${segment.origin}" is damaged`);
    }
    if (!outside.loaded.has(segment.id)) outside.readers?.accept();
    outside.loaded.add(segment.id);
    report.segments++;
  }
  await step(`publish ${id}`);
  if ((epoch ?? 0) < outside.epoch) {
    throw new StoreBusyError('another', `a writer of epoch ${outside.epoch} has published`);
  }
  outside.epoch = epoch ?? 0;
  await outside.readers?.publish(outside.epoch);
  outside.published.set(id, (outside.published.get(id) ?? 0) + 1);
  outside.loading.delete(id);
  return { ...report, publishedVersion: ++outside.version };
}

/** Each epoch belongs to one process. A Redis that lost its last second may give one again. */
function checkEpoch(epoch: number | undefined, id: string): void {
  const now = simulation();
  const { writers } = outsideOfNight();
  const known = writers.get(epoch ?? 0);
  const isTaken = known && known !== current() && !now.faults.counts.has('lost second of Redis');
  if (epoch === undefined || isTaken) {
    now.violate('an older holder is fenced', `${id} is loaded with epoch ${epoch}`);
  }
  writers.set(epoch ?? 0, current());
}

function isOther(process: Process | undefined): boolean {
  return process !== undefined && !process.isDead && process !== current();
}

async function maintain() {
  await step('maintain');
  return { did: { compacted: 0 } };
}

export const MAINTENANCE = {
  compact: maintain,
  retention: maintain,
  'roll-up': maintain,
  integrity: maintain,
};
