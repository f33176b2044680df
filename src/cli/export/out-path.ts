/** The option `--out`: the file that a verb writes. */

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';

/** Reads the path. @throws {UsageError} it is a folder, or a file that must not be replaced. */
export function pathFromOption(out: string, isForced: boolean): string {
  const path = resolve(out);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) throw new UsageError(`--out must be a file, "${path}" is a folder`);
  if (stats && !isForced) throw new UsageError(`"${path}" exists: --force replaces it`);
  return path;
}
