/** Content of objects: of memory, and of immutable files. */

import { createHash } from 'node:crypto';
import { limits } from '../../base/limits.ts';
import { createReadStream } from '../../base/world/files.ts';
import type { ObjectContent } from './object-store.ts';

export function contentOfBytes(bytes: Uint8Array): ObjectContent {
  return {
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    async *read(start, end) {
      yield bytes.subarray(start, end);
    },
  };
}

/** @param sha256 Hash of the file, which must not change. */
export function contentOfFile(path: string, bytes: number, sha256: string): ObjectContent {
  return {
    bytes,
    sha256,
    read: (start = 0, end = bytes) =>
      createReadStream(path, {
        ...(bytes > 0 && { start, end: end - 1 }),
        highWaterMark: limits.objects.pieceBytes,
      }),
  };
}
