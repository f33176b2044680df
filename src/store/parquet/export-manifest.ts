/**
 * `manifest.jsonl`: the one object that names the files of a partitioned export. It has a line for
 * each file, so engines read it as a table. It is swapped last.
 */

import { crc32 } from 'node:zlib';
import { CorruptDataError, StoreBusyError } from '../../base/errors.ts';
import { failpoint } from '../../base/failpoints.ts';
import { limits } from '../../base/limits.ts';
import { contentOfBytes } from '../objects/content.ts';
import { bytesOf, type ObjectStore, ObjectStoreError } from '../objects/object-store.ts';

export const EXPORT_MANIFEST = 'manifest.jsonl';

const FORMAT = 1;

/** Fields of a part. */
const FIELDS = 10;

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

/**
 * Reads the manifest; undefined without one. A damaged response is read again.
 *
 * @throws {CorruptDataError} It is damaged.
 */
export async function readExportManifest(
  objects: ObjectStore,
  signal?: AbortSignal,
): Promise<ExportManifest | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      return await readOnce(objects, signal);
    } catch (error) {
      const isLast = tries === limits.objects.downloadTriesMax;
      if (!(error instanceof CorruptDataError) || isLast) throw error;
    }
  }
}

async function readOnce(
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

/** Ends a line: the CRC-32 of the line without it. */
const CHECKSUM = /,"crc32":(\d+)\}$/;

function lineFromPart(part: ExportedPart): string {
  const text = JSON.stringify({ format: FORMAT, ...part });
  return `${text.slice(0, -1)},"crc32":${crc32(text)}}\n`;
}

function partFromLine(line: string, address: string): ExportedPart {
  const content = line.replace(CHECKSUM, '}');
  const sum = CHECKSUM.exec(line)?.[1];
  try {
    const { format, ...part } = JSON.parse(content);
    if (format !== FORMAT || typeof part.path !== 'string') {
      throw new CorruptDataError(
        `"${address}" is not a manifest of format ${FORMAT}: export to another address`,
      );
    }
    // Earlier programs wrote no checksum, and no other field.
    if (sum === undefined ? Object.keys(part).length === FIELDS : crc32(content) === Number(sum)) {
      return part;
    }
  } catch (cause) {
    if (cause instanceof CorruptDataError) throw cause;
    throw new CorruptDataError(`"${address}" is not JSON: export to another address`, { cause });
  }
  throw new CorruptDataError(`"${address}" does not match its checksum: export to another address`);
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
  const lines = parts.map(lineFromPart);
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
