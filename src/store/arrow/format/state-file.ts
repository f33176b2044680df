/**
 * State of all series that one publish keeps, so that the next one continues from it: rows of
 * numbers, whose meaning `jobs/publish/checkpoints.ts` defines. A file holds the symbols' numbers
 * as uint32, zeros up to a multiple of 8 bytes, then a row of float64 per symbol. All numbers are
 * little-endian.
 */

import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { writeDurable } from '../../../base/durable-file.ts';
import { CorruptDataError } from '../../../base/errors.ts';
import { readAgain } from '../../../base/read-again.ts';
import { readFileSync } from '../../../base/world/files.ts';
import type { StateRef } from './manifest-types.ts';

export const STATE_ENDING = '.f64';

export interface SavedStates {
  symbols: Uint32Array;
  /** Rows of equal length, one after the other. */
  rows: Float64Array;
}

export async function writeStates(
  folder: string,
  name: string,
  { symbols, rows }: SavedStates,
): Promise<StateRef> {
  const content = new Uint8Array(rowsOffset(symbols.length) + rows.byteLength);
  content.set(new Uint8Array(symbols.buffer, symbols.byteOffset, symbols.byteLength));
  const rowBytes = new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength);
  content.set(rowBytes, rowsOffset(symbols.length));
  await writeDurable(folder, name, content);
  return { name, bytes: content.length, symbolCount: symbols.length, crc32: crc32(content) };
}

export function readStates(folder: string, ref: StateRef): SavedStates {
  const path = join(folder, ref.name);
  const { buffer, byteOffset } = readAgain(() => {
    const content = readFileSync(path);
    if (content.length === ref.bytes && crc32(content) === ref.crc32) return content;
    throw new CorruptDataError(`"${path}" does not match its checksum`);
  });
  const offset = rowsOffset(ref.symbolCount);
  return {
    symbols: new Uint32Array(buffer, byteOffset, ref.symbolCount),
    rows: new Float64Array(buffer, byteOffset + offset, (ref.bytes - offset) / 8),
  };
}

/** Returns the numbers per row: undefined without rows, a fraction if their lengths differ. */
export function fieldsOfStates({ bytes, symbolCount }: StateRef): number | undefined {
  return symbolCount === 0 ? undefined : (bytes - rowsOffset(symbolCount)) / 8 / symbolCount;
}

function rowsOffset(symbolCount: number): number {
  return 8 * Math.ceil(symbolCount / 2);
}
