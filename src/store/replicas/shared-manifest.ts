/**
 * `manifest.json` in object storage: the published manifest, with the objects that hold its files.
 * A swap replaces it; all other objects are immutable.
 */

import { hash } from 'node:crypto';
import { z } from 'zod';
import { MODES } from '../../base/config/data-dir.ts';
import { CorruptDataError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { FORMAT as FILES_FORMAT, snapshotId } from '../arrow/format/manifest.ts';
import { manifestFromText, textFromManifest } from '../arrow/format/manifest-text.ts';
import type { Manifest } from '../arrow/format/manifest-types.ts';
import { bytesOf, type ObjectStore } from '../objects/object-store.ts';

export const SHARED_NAME = 'manifest.json';
export const FILES_PREFIX = 'files/';

const FORMAT = 1;

export const fileSchema = z.object({
  name: z.string().regex(/^[\w-][\w.-]*$/),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Time at which it was published, which shows how old its dataset is. */
  modifiedMs: z.number(),
});

/** Object that nothing needs any more, with the time since when. */
export const retiredSchema = z.object({ object: z.string(), sinceMs: z.number() });

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

export type SharedFile = z.infer<typeof fileSchema>;

export type SharedManifest = z.infer<typeof sharedSchema>;

/** Shared manifest as it was read, with the ETag of its object. */
export interface SeenManifest {
  etag: string;
  text: string;
  shared: SharedManifest;
}

/** Returns the object of a file. Its name has the hash, so two contents never share an object. */
export function objectOf({ name, sha256 }: Pick<SharedFile, 'name' | 'sha256'>): string {
  return `${FILES_PREFIX}${name}.${sha256.slice(0, 16)}`;
}

/** Builds the shared manifest of a version. */
export function sharedFrom(
  manifest: Manifest,
  more: Pick<SharedManifest, 'mode' | 'uploadedMs' | 'files' | 'retired'>,
): SharedManifest {
  const { epoch, version, createdMs } = manifest;
  const ids = { epoch, version, id: snapshotId(manifest), createdMs };
  return { format: FORMAT, ...ids, ...more, manifest: textFromManifest(manifest) };
}

/** Its first line is the hash of the second. */
export function textFromShared(shared: SharedManifest): string {
  const text = JSON.stringify(shared);
  return `${hash('sha256', text)}\n${text}\n`;
}

/**
 * @param title Address of the object.
 * @throws {CorruptDataError} The text is damaged, or a newer program wrote it.
 */
export function sharedFromText(text: string, title: string): SharedManifest {
  const [sum, content = ''] = text.split('\n', 2);
  if (hash('sha256', content) !== sum) {
    throw new CorruptDataError(`"${title}" does not match its checksum`);
  }
  const parsed = sharedSchema.safeParse(JSON.parse(content));
  if (parsed.success) return parsed.data;
  const [{ path, message }] = parsed.error.issues;
  throw new CorruptDataError(
    `"${title}" can't be used by this version of Tapeworks: ${path.join('.')}: ${message}`,
  );
}

/**
 * Returns the published manifest of a shared one.
 *
 * @throws {CorruptDataError} A newer program published it.
 */
export function manifestOf({ manifest: text, version }: SharedManifest, title: string): Manifest {
  const manifest = manifestFromText(Buffer.from(text));
  if (manifest?.format === FILES_FORMAT) return manifest;
  throw new CorruptDataError(
    `"${title}" has version ${version} in format ${manifest?.format}, and this Tapeworks reads ` +
      `format ${FILES_FORMAT}: upgrade this machine first`,
  );
}

/**
 * Reads the shared manifest.
 *
 * @param unless ETag of a known one.
 * @throws {CorruptDataError} It is damaged.
 */
export async function readShared(
  objects: ObjectStore,
  { unless, signal }: { unless?: string; signal?: AbortSignal } = {},
): Promise<SeenManifest | 'unchanged' | undefined> {
  const bytesMax = limits.replicas.manifestBytesMax;
  const found = await objects.get(SHARED_NAME, { unless, bytesMax, signal });
  if (found === undefined || found === 'unchanged') return found;
  const title = objects.addressOf(SHARED_NAME);
  const text = (await bytesOf(found, bytesMax, title)).toString('utf8');
  return { etag: found.etag, text, shared: sharedFromText(text, title) };
}

/** Compares two versions: negative if the first one is older. A higher epoch is always newer. */
export function compareVersions(
  a: Pick<SharedManifest, 'epoch' | 'version'>,
  b: Pick<SharedManifest, 'epoch' | 'version'>,
): number {
  return a.epoch - b.epoch || a.version - b.version;
}
