/** Splits many files into parts, so that one part is loaded while the next is being scanned. */

import { limits } from '../../base/limits/limits.ts';
import type { InputFile } from './input-file.ts';

/**
 * Splits files, in their order, into parts of growing size. The first part is small, so that
 * loading begins early. Each later part is as large as can be scanned while the one before it is
 * loaded. The same files give the same parts, and so the same segments when a run is repeated.
 *
 * @returns at least one part.
 */
export function inputParts(files: readonly InputFile[]): InputFile[][] {
  const parts: InputFile[][] = [[]];
  let bytesMax: number = limits.ingest.firstPartBytes;
  let bytes = 0;
  for (const file of files) {
    if (bytes + file.bytes > bytesMax && bytes > 0) {
      parts.push([]);
      bytesMax *= limits.ingest.partGrowth;
      bytes = 0;
    }
    parts[parts.length - 1].push(file);
    bytes += file.bytes;
  }
  return parts;
}
