/** The data files under a path that the user gave: one file, a folder, or a zip. */

import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
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
  if (!stats.isFile() && !stats.isDirectory()) {
    throw new ParameterError('path', `path must be a file or folder, got "${path}"`);
  }
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
  await addFolder(list, folder, '', new Set());
  return list;
}

/** @param seen Real paths of folders: a link may lead back to one, and so round for ever. */
async function addFolder(
  list: InputList,
  folder: string,
  prefix: string,
  seen: Set<string>,
): Promise<void> {
  seen.add(await realpath(folder));
  for (const entry of (await readdir(folder)).sort()) {
    const name = prefix + entry;
    const path = join(folder, entry);
    const stats = await stat(path).catch((error: NodeJS.ErrnoException) => error.code);
    const skip = (reason: string) => list.skipped.push({ name, reason });
    const known = formFromName(name);
    if (typeof stats !== 'object') skip(`not found (${stats})`);
    else if (stats.isDirectory()) {
      if (seen.has(await realpath(path))) skip('a folder that is read already, through a link');
      else await addFolder(list, path, `${name}/`, seen);
    } else if (!known) skip('not a .csv, .txt, .jsonl or .parquet file');
    // Reading a pipe would wait for its other end.
    else if (!stats.isFile()) skip('not a regular file');
    else list.files.push({ name, path, bytes: stats.size, ...known });
  }
}
