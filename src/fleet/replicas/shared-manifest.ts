/** `manifest.json` in object storage: the published manifest, with the objects of its files. */

import { z } from 'zod';
import { MODES } from '../../base/config/data-dir.ts';
import { CorruptDataError } from '../../base/errors.ts';
import {
  FORMAT as FILES_FORMAT,
  isReadable,
  manifestFromText,
  snapshotId,
  textFromManifest,
} from '../../store/arrow/format/manifest.ts';
import type { Manifest } from '../../store/arrow/format/manifest-types.ts';
import { fileSchema, objectsBelow, readerOf, retiredSchema, type Seen } from './shared-object.ts';

export const SHARED_NAME = 'manifest.json';
export const FILES_PREFIX = 'files/';

const FORMAT = 1;

const sharedSchema = z.object({
  format: z.literal(FORMAT),
  mode: z.enum(MODES),
  epoch: z.int().min(0),
  version: z.int().min(1),
  /** Id of the published version. */
  id: z.string(),
  /** Times of the publish and of the swap, milliseconds since the epoch. */
  createdMs: z.number(),
  uploadedMs: z.number(),
  files: z.array(fileSchema),
  retired: z.array(retiredSchema),
  /** Text of the published manifest. */
  manifest: z.string(),
});

export type SharedManifest = z.infer<typeof sharedSchema>;

export type SeenManifest = Seen<SharedManifest>;

/** Returns the object of a file. */
export const objectOf = objectsBelow(FILES_PREFIX);

export const readShared = readerOf(SHARED_NAME, sharedSchema);

/** Builds the shared manifest of a version. */
export function sharedFrom(
  manifest: Manifest,
  more: Pick<SharedManifest, 'mode' | 'uploadedMs' | 'files' | 'retired'>,
): SharedManifest {
  const { epoch, version, createdMs } = manifest;
  const ids = { epoch, version, id: snapshotId(manifest), createdMs };
  return { format: FORMAT, ...ids, ...more, manifest: textFromManifest(manifest) };
}

/**
 * Returns the published manifest of a shared one.
 *
 * @throws {CorruptDataError} A newer program published it.
 */
export function manifestOf({ manifest: text, version }: SharedManifest, title: string): Manifest {
  const manifest = manifestFromText(text);
  if (manifest && isReadable(manifest.format)) return manifest;
  throw new CorruptDataError(
    `"${title}" has version ${version} in format ${manifest?.format}, and this Tapeworks reads ` +
      `format ${FILES_FORMAT}: upgrade this machine first`,
  );
}

/** Compares two versions: negative if the first one is older. A higher epoch is always newer. */
export function compareVersions(
  a: Pick<SharedManifest, 'epoch' | 'version'>,
  b: Pick<SharedManifest, 'epoch' | 'version'>,
): number {
  return a.epoch - b.epoch || a.version - b.version;
}
