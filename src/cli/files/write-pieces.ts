/** Writes the pieces of a file, and lets signals be handled meanwhile. */

import { createHash } from 'node:crypto';
import type { FileContent } from '../../base/copy-file.ts';
import { limits } from '../../base/limits.ts';
import { monotonicMs, nextTick } from '../../base/world/clock.ts';
import { open, rm } from '../../base/world/file-promises.ts';

/** Writes a file, or none: a part of one is removed. */
export async function writePieces(
  path: string,
  pieces: Iterable<Uint8Array>,
  signal: AbortSignal,
): Promise<FileContent> {
  const file = await open(path, 'w');
  const digest = createHash('sha256');
  let bytes = 0;
  try {
    for (const piece of pieces) {
      await file.writeFile(piece);
      digest.update(piece);
      bytes += piece.length;
      signal.throwIfAborted();
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return { bytes, sha256: digest.digest('hex') };
}

/** Returns a function that lets signals be handled now and then, and throws after one. */
export function ticker(signal: AbortSignal): () => Promise<void> {
  let endMs = 0;
  return async () => {
    if (monotonicMs() < endMs) return;
    await nextTick();
    signal.throwIfAborted();
    endMs = monotonicMs() + limits.files.tickMs;
  };
}
