/** The data files under a path that the user gave: one file, a folder, or a zip. */

import { readdir, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { ParameterError } from '../errors.ts';
import type { SkippedInput } from './fetch-context.ts';
import { formFromName, type InputFile } from './input-file.ts';
import { listZip } from './list-zip.ts';

export interface InputList {
  /** Sorted by name, so that the order of a folder or zip has no effect. */
  files: InputFile[];
  skipped: SkippedInput[];
}

/**
 * @throws {ParameterError} `path`: nothing is there, or a single file is of no known form.
 * @throws {MalformedInputError} a zip cannot be read.
 */
export async function listInputs(path: string): Promise<InputList> {
  const stats = await stat(path).catch((error: unknown) => {
    throw new ParameterError('path', `path must be a file or folder, got "${path}"`, {
      cause: error,
    });
  });
  const isZip = stats.isFile() && /\.zip$/i.test(path);
  const list = stats.isDirectory()
    ? await listFolder(path)
    : isZip
      ? await listZip(path)
      : { files: [oneFile(path, stats.size)], skipped: [] };
  list.files.sort((a, b) => (a.name < b.name ? -1 : 1));
  return list;
}

function oneFile(path: string, bytes: number): InputFile {
  const known = formFromName(path);
  if (known) return { name: basename(path), path, bytes, ...known };
  throw new ParameterError(
    'path',
    `path must end in .csv, .txt, .jsonl, .parquet (or .gz after it) or .zip, got "${path}"`,
  );
}

async function listFolder(folder: string): Promise<InputList> {
  const list: InputList = { files: [], skipped: [] };
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(join(folder, sep).length).split(sep).join('/');
    const known = formFromName(name);
    if (known) list.files.push({ name, path, bytes: (await stat(path)).size, ...known });
    else list.skipped.push({ name, reason: 'not a .csv, .txt, .jsonl or .parquet file' });
  }
  return list;
}
