/** Numbers and rows of bars as bytes of a database: columns by the place of the byte, compressed. */

import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type BarColumns, blankBars } from '../../../base/bars.ts';
import { CorruptDataError } from '../../../base/errors.ts';

/** With a checksum of the content, which unpacking compares. */
const OPTIONS = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

/** Bytes of a number. */
const WIDTH = 8;

const COLUMNS = 6;

/**
 * Compresses bytes. Neighbouring numbers mostly differ in their last bytes alone, so that first all
 * first bytes are written, then all second ones.
 */
export function packed(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(turned(bytes, Math.floor(bytes.length / WIDTH), WIDTH), OPTIONS);
}

/** @throws {CorruptDataError} The bytes are damaged. */
export function unpacked(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  let plain: Uint8Array;
  try {
    plain = zstdDecompressSync(bytes);
  } catch (cause) {
    throw new CorruptDataError('kept rows of a past version are damaged', { cause });
  }
  return turned(plain, WIDTH, Math.floor(plain.length / WIDTH));
}

/** Turns a matrix of bytes, in rows one after another; bytes behind it stay. */
function turned(bytes: Uint8Array, rows: number, columns: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(bytes);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      out[column * rows + row] = bytes[row * columns + column];
    }
  }
  return out;
}

export function packedNumbers(numbers: Float64Array): Uint8Array {
  return packed(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
}

export function unpackedNumbers(bytes: Uint8Array): Float64Array {
  return new Float64Array(unpacked(bytes).buffer);
}

export function packedBars(bars: BarColumns): Uint8Array {
  const { timestampUs, open, high, low, close, volume } = bars;
  const rowCount = timestampUs.length;
  const all = new Float64Array(COLUMNS * rowCount);
  all.set(new Float64Array(timestampUs.buffer, timestampUs.byteOffset, rowCount));
  for (const [i, column] of [open, high, low, close, volume].entries()) {
    all.set(column, (i + 1) * rowCount);
  }
  return packedNumbers(all);
}

export function unpackedBars(bytes: Uint8Array | null): BarColumns {
  if (!bytes) return blankBars(0);
  const all = unpackedNumbers(bytes);
  const rowCount = all.length / COLUMNS;
  const column = (i: number) => all.subarray(i * rowCount, (i + 1) * rowCount);
  return {
    timestampUs: new BigInt64Array(all.buffer, 0, rowCount),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    volume: column(5),
  };
}
