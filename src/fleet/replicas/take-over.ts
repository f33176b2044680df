/** Takeover: a restored data folder replaces the publisher of the objects. */

import type { ModePaths } from '../../base/config/data-dir.ts';
import { placeDurable, syncFolder } from '../../base/durable-file.ts';
import { CorruptDataError } from '../../base/errors.ts';
import { markHighWater } from '../../store/arrow/format/high-water.ts';
import {
  MANIFEST_NAME,
  readManifest,
  textFromManifest,
} from '../../store/arrow/format/manifest.ts';
import type { Manifest } from '../../store/arrow/format/manifest-types.ts';
import { acquireWriterLock } from '../../store/duckdb/connection/writer-lock.ts';
import type { SharedManifest } from './shared-manifest.ts';

/**
 * Gives the published version a higher epoch and number than the shared one. Its files stay; the
 * next publish names its own files by a number that the other publisher never used.
 */
export async function takeOver(
  paths: ModePaths,
  { epoch, version }: Pick<SharedManifest, 'epoch' | 'version'>,
): Promise<Manifest> {
  using _lock = await acquireWriterLock(paths, { verb: 'takeover of the published objects' });
  const published = readManifest(paths.serving);
  if (!published) throw new CorruptDataError(`the manifest in "${paths.serving}" is gone`);
  const raised = {
    ...published,
    epoch: Math.max(published.epoch, epoch) + 1,
    version: Math.max(published.version, version) + 1,
  };
  markHighWater(paths.serving, raised);
  syncFolder(paths.serving);
  await placeDurable(paths.serving, MANIFEST_NAME, Buffer.from(textFromManifest(raised)));
  return raised;
}
