/**
 * `manifest.jsonl`: the one object that names the files of a partitioned export. It has a line for
 * each file, so engines read it as a table. It is swapped last.
 */

import { CorruptDataError, StoreBusyError } from '../../base/errors.ts';
import { failpoint } from '../../base/failpoints.ts';
import { limits } from '../../base/limits.ts';
import { contentOfBytes } from '../objects/content.ts';
import { bytesOf, type ObjectStore, ObjectStoreError } from '../objects/object-store.ts';

export const EXPORT_MANIFEST = 'manifest.jsonl';

const FORMAT = 1;

/** A file of an export, which holds one partition of a table. */
export interface ExportedPart {
  /** Name of the table, which is that of its folder: `candles-1m`. */
  table: string;
  /** Folder in that of the table: `date=2026-11-23`; empty for a table of one file. */
  partition: string;
  /** Key of the file, relative to the address of the export. */
  path: string;
  rows: number;
  bytes: number;
  sha256: string;
  mode: string;
  /** Newest published version that is known to have these rows, and the time of its publish. */
  version: string;
  publishedAt: string;
  /** Id of what the part was made of: while it is the same, nothing is read again. */
  inputs: string;
}

export interface ExportManifest {
  parts: ExportedPart[];
  /** ETag of the object, which the next swap replaces. */
  etag: string;
}

/** Reads the manifest; undefined without one. @throws {CorruptDataError} It is damaged. */
export async function readExportManifest(
  objects: ObjectStore,
  signal?: AbortSignal,
): Promise<ExportManifest | undefined> {
  const bytesMax = limits.objects.wholeBytesMax;
  const found = await objects.get(EXPORT_MANIFEST, { bytesMax, signal });
  if (found === undefined || found === 'unchanged') return undefined;
  const address = objects.addressOf(EXPORT_MANIFEST);
  const text = (await bytesOf(found, bytesMax, address)).toString('utf8');
  const parts = text
    .trimEnd()
    .split('\n')
    .map((line) => partFromLine(line, address));
  return { parts, etag: found.etag };
}

function partFromLine(line: string, address: string): ExportedPart {
  try {
    const { format, ...part } = JSON.parse(line);
    if (format === FORMAT && typeof part.path === 'string') return part;
  } catch (cause) {
    throw new CorruptDataError(`"${address}" is not JSON: export to another address`, { cause });
  }
  throw new CorruptDataError(
    `"${address}" is not a manifest of format ${FORMAT}: export to another address`,
  );
}

/**
 * Replaces the manifest by one with these parts, whose files are there.
 *
 * @throws {StoreBusyError} Another export has replaced it meanwhile.
 */
export async function swapExportManifest(
  objects: ObjectStore,
  before: ExportManifest | undefined,
  parts: readonly ExportedPart[],
  signal?: AbortSignal,
): Promise<void> {
  const lines = parts.map((part) => `${JSON.stringify({ format: FORMAT, ...part })}\n`);
  const content = contentOfBytes(Buffer.from(lines.join('')));
  const condition = before ? { etag: before.etag } : 'absent';
  failpoint('swap manifest', EXPORT_MANIFEST);
  try {
    const etag = await objects.put(EXPORT_MANIFEST, content, { condition, signal });
    if (etag !== undefined) return;
  } catch (error) {
    if (!(error instanceof ObjectStoreError && error.isUnknown)) throw error;
    // The response was lost: only a read shows whether the write was done.
    const there = await readExportManifest(objects, signal);
    if (there?.etag === before?.etag) throw error;
    if (JSON.stringify(there?.parts) === JSON.stringify(parts)) return;
  }
  throw new StoreBusyError(
    'export',
    `"${objects.addressOf(EXPORT_MANIFEST)}" was replaced by another export: run one at a time`,
  );
}
