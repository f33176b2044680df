/** The data files under a path that the user gave: one file, a folder, or a zip. */

import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ParameterError } from '../errors.ts';
import type { SkippedInput } from './fetch-context.ts';
import { type FormOf, formFromName, type InputFile } from './input-file.ts';

export interface InputList {
  /** Sorted by name, so that the order of a folder or zip has no effect. */
  files: InputFile[];
  skipped: SkippedInput[];
}

/**
 * @param formOf Which names are wanted, and what they are.
 * @throws {ParameterError} `path`: nothing is there, or a single file is of no known form.
 * @throws {MalformedInputError} a zip cannot be read.
 */
export async function listInputs(path: string, formOf: FormOf = formFromName): Promise<InputList> {
  const stats = await stat(path).catch((error: unknown) => {
    throw new ParameterError('path', `path must be a file or folder, got "${path}"`, {
      cause: error,
    });
  });
  if (!stats.isFile() && !stats.isDirectory()) {
    throw new ParameterError('path', `path must be a file or folder, got "${path}"`);
  }
  const isZip = stats.isFile() && /\.zip$/i.test(path);
  const list = isZip
    ? await (await import('./list-zip.ts')).listZip(path, formOf)
    : stats.isDirectory()
      ? await listFolder(path, formOf)
      : { files: [oneFile(path, stats.size, formOf)], skipped: [] };
  list.files.sort((a, b) => (a.name < b.name ? -1 : 1));
  return list;
}

function oneFile(path: string, bytes: number, formOf: FormOf): InputFile {
  const known = formOf(path);
  if (known) return { name: basename(path), path, bytes, ...known };
  throw new ParameterError(
    'path',
    `path must end in .csv, .txt, .json, .jsonl, .parquet (or .gz after it) or .zip, got "${path}"`,
  );
}

async function listFolder(folder: string, formOf: FormOf): Promise<InputList> {
  const list: InputList = { files: [], skipped: [] };
  await addFolder(list, folder, '', { seen: new Set(), formOf });
  return list;
}

/** @param walk `seen` holds real paths: a link may lead back to one, and so round for ever. */
async function addFolder(
  list: InputList,
  folder: string,
  prefix: string,
  walk: { seen: Set<string>; formOf: FormOf },
): Promise<void> {
  const { seen, formOf } = walk;
  seen.add(await realpath(folder));
  for (const entry of (await readdir(folder)).sort()) {
    const name = prefix + entry;
    const path = join(folder, entry);
    const stats = await stat(path).catch((error: NodeJS.ErrnoException) => error.code);
    const skip = (reason: string) => list.skipped.push({ name, reason });
    const known = formOf(name);
    if (typeof stats !== 'object') skip(`not found (${stats})`);
    else if (stats.isDirectory()) {
      if (seen.has(await realpath(path))) skip('a folder that is read already, through a link');
      else await addFolder(list, path, `${name}/`, walk);
    } else if (!known) skip('not a .csv, .txt, .json, .jsonl or .parquet file');
    // Reading a pipe would wait for its other end.
    else if (!stats.isFile()) skip('not a regular file');
    else list.files.push({ name, path, bytes: stats.size, ...known });
  }
}
