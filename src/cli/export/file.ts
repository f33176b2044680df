/** Writes a file of one published version, whole or not at all. */

import { dirname } from 'node:path';
import { type Mode, modePaths } from '../../base/config/data-dir.ts';
import { makeFolders } from '../../base/data-folder.ts';
import { StoreMissingError } from '../../base/errors.ts';
import { rm, stat } from '../../base/world/file-promises.ts';
import { process } from '../../base/world/process.ts';
import { placeFile } from '../../ingest/segments/place-file.ts';
import type { PublishedVersion } from '../../store/arrow/read/published-version.ts';
import { openPublished } from '../../store/arrow/read/reader.ts';

export interface WrittenRows {
  /** Symbols that have rows. */
  symbols: number;
  rows: number;
  /** Facts that the file cannot state. */
  note?: string;
}

export interface ExportedFile extends WrittenRows {
  bytes: number;
  /** ISO date-time of the version's publish. */
  publishedAt: string;
}

/** Opens what is published. @throws {StoreMissingError} nothing is published in the mode. */
export function openForReading(dataDir: string, mode: Mode): PublishedVersion {
  const version = openPublished(modePaths(dataDir, mode).serving);
  if (version) return version;
  throw new StoreMissingError(
    `Nothing is published in ${mode} mode yet: ` +
      (mode === 'live'
        ? 'run a backfill first, or read the synthetic data with --mode sandbox'
        : 'start fills it in its first minute, and so does backfill sandbox'),
  );
}

/**
 * Writes one version next to `path` and renames the file, also over an existing one. The DuckDB
 * store is not opened, so no process waits.
 *
 * @param write Writes the data to a path that no other process uses. It returns the time of the
 *   publish if it writes another version.
 * @throws {StoreMissingError} nothing is published in the mode.
 */
export async function exportFile(
  dataDir: string,
  mode: Mode,
  path: string,
  write: (path: string, version: PublishedVersion) => Promise<WrittenRows & { createdMs?: number }>,
): Promise<ExportedFile> {
  using version = openForReading(dataDir, mode);
  const partial = `${path}.partial-${process.pid}`;
  try {
    makeFolders(dirname(path));
    const { createdMs = version.createdMs, ...written } = await write(partial, version);
    await placeFile(partial, path);
    const { size: bytes } = await stat(path);
    return { ...written, bytes, publishedAt: new Date(createdMs).toISOString() };
  } finally {
    await rm(partial, { force: true });
  }
}
