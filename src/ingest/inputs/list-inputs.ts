/** Lists the data files under a path of the user: one file, a folder or a zip. */

import { isUtf8 } from 'node:buffer';
import type { BigIntStats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { MalformedInputError, ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { readdir, realpath, stat } from '../../base/world/file-promises.ts';
import type { SkippedInput } from '../contract/fetch-context.ts';
import { unnamedKindFault } from './file-kind.ts';
import { type FormOf, formFromName, type InputFile } from './input-file.ts';
import { headOfFile, isOfSystem, unreadable } from './read-input.ts';
import { enclosingTable, tablesAmong } from './table-folders.ts';
import { unnamedReason } from './unnamed-file.ts';

export interface InputList {
  /** Sorted by name, so that the order of a folder or zip has no effect. */
  files: InputFile[];
  skipped: SkippedInput[];
}

/**
 * @param formOf Decides by name if a file is wanted, and its form.
 * @param hasZips True to read the zips in a folder, too: engines keep a symbol or a day in each.
 * @throws {ParameterError} `path`: nothing is there, or it can't be read, or is of no known form, or
 *   is the folder of a table or lies in one.
 * @throws {MalformedInputError} a zip cannot be read.
 */
export async function listInputs(
  path: string,
  formOf: FormOf = formFromName,
  hasZips = false,
): Promise<InputList> {
  const stats = await stat(path, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw noInput(path, error);
    throw unreadablePath(path, error);
  });
  if (!stats.isFile() && !stats.isDirectory()) throw noInput(path);
  const isZip = stats.isFile() && /\.zip$/i.test(path);
  const list = isZip
    ? await (await import('./list-zip.ts')).listZip(path, formOf)
    : stats.isDirectory()
      ? await listFolder(path, { formOf, hasZips })
      : { files: [await oneFile(path, sizeAndTime(stats), formOf)], skipped: [] };
  const keyed = keyedFolders(stats.isFile() ? dirname(path) : path);
  for (const file of list.files) file.name = `${keyed}${file.name}`;
  list.files.sort((a, b) => (a.name < b.name ? -1 : 1));
  // Tables keep their rows in Parquet: a text below one is the user's own.
  const isPart = list.files.some(({ form }) => form === 'parquet');
  const enclosing = isPart && (await enclosingTable(path));
  if (enclosing) throw new ParameterError('path', `"${path}": ${enclosing}`);
  return withoutTables(list, path);
}

/** The folders `key=value` of a path that the user gives, such as `lake/symbol=AAPL`. */
function keyedFolders(path: string): string {
  if (!path.includes('=')) return '';
  const keyed = resolve(path)
    .split(/[/\\]/)
    .filter((folder) => folder.includes('='));
  return keyed.map((folder) => `${folder}/`).join('');
}

/** Replaces the files of each table by one fault. @throws {ParameterError} `path` is a table. */
function withoutTables({ files, skipped }: InputList, path: string): InputList {
  const kinds = tablesAmong([...files, ...skipped].map(({ name }) => name));
  const whole = kinds.get('');
  if (whole) throw new ParameterError('path', `"${path}" is ${whole}`);
  const isOutside = ({ name }: { name: string }) =>
    !kinds.keys().some((folder) => name.startsWith(folder));
  const tables = [...kinds].map(([folder, kind]) => {
    return { name: folder.slice(0, -1), reason: `it is ${kind}`, isRefused: true };
  });
  return {
    files: files.filter(isOutside),
    skipped: [...skipped.filter(isOutside), ...tables],
  };
}

function noInput(path: string, cause?: unknown): ParameterError {
  return new ParameterError('path', `path must be a file or folder, got "${path}"`, { cause });
}

function unreadablePath(path: string, cause: NodeJS.ErrnoException): ParameterError {
  return new ParameterError('path', `"${path}": ${unreadable(cause).message}`, { cause });
}

type SizeAndTime = Pick<InputFile, 'bytes' | 'modifiedUs'>;

function sizeAndTime({ size, mtimeNs }: BigIntStats): SizeAndTime {
  return { bytes: Number(size), modifiedUs: mtimeNs / 1000n };
}

async function oneFile(path: string, found: SizeAndTime, formOf: FormOf): Promise<InputFile> {
  const known = formOf(path);
  if (known) return { name: basename(path), path, ...found, ...known };
  const fault = unnamedKindFault(await headOfFile(path, limits.ingest.headBytesMax), path);
  if (fault) throw new ParameterError('path', `"${path}": ${fault}`);
  throw new ParameterError(
    'path',
    `path must end in .csv, .txt, .tsv, .json, .jsonl, .parquet (or .gz after it) or .zip, got "${path}"`,
  );
}

async function listFolder(
  folder: string,
  wanted: Pick<Walk, 'formOf' | 'hasZips'>,
): Promise<InputList> {
  const list: InputList = { files: [], skipped: [] };
  await addFolder(list, folder, '', { seen: new Set(), ...wanted }).catch((error: unknown) => {
    throw isOfSystem(error) ? unreadablePath(folder, error) : error;
  });
  return list;
}

interface Walk {
  /** Real paths, because a link may lead back to one. */
  seen: Set<string>;
  formOf: FormOf;
  hasZips: boolean;
}

async function addFolder(
  list: InputList,
  folder: string,
  prefix: string,
  walk: Walk,
): Promise<void> {
  const entries = await readdir(folder, { encoding: 'buffer' });
  walk.seen.add(await realpath(folder));
  for (const entry of entries.sort(Buffer.compare)) {
    const name = prefix + entry.toString();
    const fault = isUtf8(entry)
      ? await addEntry(list, join(folder, entry.toString()), name, walk)
      : { reason: NOT_UTF8_NAME, isRefused: true };
    if (fault) list.skipped.push({ name, ...fault });
  }
}

/** A file name that DuckDB can't open. */
const NOT_UTF8_NAME = 'its name is not UTF-8: rename it';

/** @returns why the entry is not read. */
async function addEntry(
  list: InputList,
  path: string,
  name: string,
  walk: Walk,
): Promise<Omit<SkippedInput, 'name'> | undefined> {
  const known = walk.formOf(name);
  try {
    const stats = await stat(path, { bigint: true });
    if (stats.isDirectory()) {
      if (walk.seen.has(await realpath(path))) {
        return { reason: 'a folder that is read already, through a link' };
      }
      await addFolder(list, path, `${name}/`, walk);
    } else if (walk.hasZips && stats.isFile() && /\.zip$/i.test(name)) {
      await addZip(list, path, name, walk.formOf);
    }
    // Reading a pipe would wait for its writer.
    else if (!stats.isFile()) return { reason: 'not a regular file' };
    else if (!known) return await unnamedReason({ name, path, ...sizeAndTime(stats) });
    else list.files.push({ name, path, ...sizeAndTime(stats), ...known });
  } catch (error) {
    if (error instanceof MalformedInputError) return { reason: error.message, isRefused: true };
    if (!isOfSystem(error)) throw error;
    const isLink = error.code === 'ENOENT' || error.code === 'ELOOP';
    if (isLink) return { reason: 'a link that leads nowhere', isRefused: known !== undefined };
    return { reason: unreadable(error).message, isRefused: true };
  }
  return undefined;
}

/** Adds the members of a zip in a folder. @throws {MalformedInputError} it cannot be read. */
async function addZip(list: InputList, path: string, name: string, formOf: FormOf): Promise<void> {
  const { listZip } = await import('./list-zip.ts');
  const { files, skipped } = await listZip(path, formOf);
  list.files.push(...files.map((file) => ({ ...file, name: `${name}/${file.name}` })));
  list.skipped.push(...skipped.map((skip) => ({ ...skip, name: `${name}/${skip.name}` })));
}
