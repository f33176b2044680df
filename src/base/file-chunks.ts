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
