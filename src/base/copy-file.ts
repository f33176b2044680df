/** Copies files, hashes them meanwhile, and makes them durable before they get their names. */

import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { makeFolders } from './data-folder.ts';
import { syncFolder } from './durable-file.ts';
import { open, rename, stat } from './world/file-promises.ts';
import { createReadStream, statSync } from './world/files.ts';

const CHUNK_BYTES = 1024 * 1024;
const SMALLEST_CHUNK_BYTES = 4096;

type Options = Exclude<Parameters<typeof createReadStream>[1], string | undefined>;

/**
 * Streams a file in chunks of at most 1 MiB. A small file gets a small buffer: the garbage collector
 * counts what is reserved, and collected the whole heap after every twenty files.
 */
export function fileChunks(
  path: string,
  options: Options = {},
): ReturnType<typeof createReadStream> {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const highWaterMark = Math.min(Math.max(bytes, SMALLEST_CHUNK_BYTES), CHUNK_BYTES);
  return createReadStream(path, { highWaterMark, ...options });
}

/** Ending of an unfinished file. */
const UNFINISHED_ENDING = '.unfinished';

export interface FileContent {
  bytes: number;
  /** Hash in hexadecimal. */
  sha256: string;
}

/** Reads what a file holds; undefined if there is none. */
export function ifExists<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Hashes a file; undefined if there is none.
 *
 * @param expected SHA-256 that it should have. With another one it is read a second time, as
 *   `readAgain` does.
 * @throws the error of looking at it or reading it.
 */
export async function hashFile(
  path: string,
  signal?: AbortSignal,
  expected?: string,
): Promise<FileContent | undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
  });
  if (!found) return undefined;
  const read = () => hashChunks(fileChunks(path, { signal }));
  const content = await read();
  return expected === undefined || content.sha256 === expected ? content : read();
}

/** Copies a file with its permissions; an interrupted copy leaves no file named `to`. */
export async function copyFile(
  from: string,
  to: string,
  signal?: AbortSignal,
): Promise<FileContent> {
  makeFolders(dirname(to));
  const unfinished = to + UNFINISHED_ENDING;
  const { mode } = await stat(from);
  const target = await open(unfinished, 'w', mode & 0o777);
  let content: FileContent;
  try {
    const chunks = fileChunks(from, { signal });
    content = await hashChunks(chunks, (chunk) => target.writeFile(chunk));
    await target.sync();
  } finally {
    await target.close();
  }
  await rename(unfinished, to);
  return content;
}

async function hashChunks(
  chunks: AsyncIterable<Buffer>,
  use?: (chunk: Buffer) => Promise<void>,
): Promise<FileContent> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    await use?.(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Writes a short text under its name completely or not at all. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const unfinished = path + UNFINISHED_ENDING;
  const file = await open(unfinished, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}

/** Makes the names in these folders durable. */
export function syncFolders(folders: Iterable<string>): void {
  for (const folder of new Set(folders)) syncFolder(folder);
}
