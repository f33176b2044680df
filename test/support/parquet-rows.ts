/** Reads whole Parquet files, with a reader that is not the library that wrote them. */

import { zstdDecompressSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';

const compressors = { ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes) };

function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}

export function parquetRows(bytes: Uint8Array): Promise<Record<string, unknown>[]> {
  return parquetReadObjects({ file: bufferOf(bytes), compressors });
}

export function parquetFooter(bytes: Uint8Array) {
  return parquetMetadata(bufferOf(bytes));
}
