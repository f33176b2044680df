/** The option `--out`: the file that a verb writes, or the place of a partitioned export. */

import { resolve } from 'node:path';
import { type ObjectPlace, objectPlace } from '../../base/config/object-place.ts';
import { UsageError } from '../../base/errors.ts';
import { statSync } from '../../base/world/files.ts';

/** Reads the path. @throws {UsageError} it is a folder, or a file that must not be replaced. */
export function pathFromOption(out: string, isForced: boolean): string {
  if (out === '-') {
    throw new UsageError(
      '--out must be a file, got "-": standard output has the report; "./-" is a file of that name',
    );
  }
  const path = resolve(out);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) {
    throw new UsageError(
      `--out must be a file, "${path}" is a folder: a slash at its end exports partitions into it`,
    );
  }
  if (stats && !isForced) throw new UsageError(`"${path}" exists: --force replaces it`);
  return path;
}

/** Returns the place that an address or a folder names: `folder/`; undefined for a file. */
export function placeFromOption(out: string): ObjectPlace | undefined {
  if (/^\w+:\/\//.test(out)) return objectPlace('--out', out);
  return /[/\\]$/.test(out) ? { kind: 'file', folder: resolve(out) } : undefined;
}
