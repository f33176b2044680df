/** Checks whole published files against their checksums: readers check only what they read. */

import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { CorruptDataError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { open } from '../../../base/world/file-promises.ts';
import { batchLayout, type ColumnSpec, dataOffset } from '../format/batch-layout.ts';
import { listLayersOf, tablesOf, tablesOfLists } from '../format/manifest.ts';
import type {
  FigureLayer,
  Layer,
  ListLayer,
  Manifest,
  StateRef,
  TableRef,
  VolumeFile,
} from '../format/manifest-types.ts';
import { readTable } from '../format/table-file.ts';
import {
  BATCH_TABLE,
  CANDLE_COLUMNS,
  columnsOfTable,
  combinedFileColumns,
  FIGURE_BATCH_TABLE,
  FIGURE_COLUMNS,
  indicatorFileColumns,
  LIST_BATCH_TABLE,
  LIST_TABLE,
} from '../format/tables.ts';

export interface FileCheck {
  name: string;
  bytes: number;
  /** @throws {CorruptDataError} The file is missing or damaged. */
  check(): Promise<void>;
}

interface CheckedRange {
  offset: number;
  bytes: number;
  crc32: number;
}

/** Returns the checks of all files of a version but the manifest, whose reader checks it whole. */
export function fileChecks(folder: string, manifest: Manifest): FileCheck[] {
  const { indicatorColumns, intraday } = manifest;
  const checks = [
    ...tablesOf(manifest).map((ref) => tableCheck(folder, ref)),
    ...manifest.layers.flatMap((layer) => layerChecks(folder, layer, indicatorColumns)),
    ...(intraday?.layers ?? []).flatMap((layer) => layerChecks(folder, layer, [])),
    ...listLayersOf(manifest).flatMap((layer) => listChecks(folder, layer)),
    ...(manifest.figures ?? []).flatMap((layer) => figureChecks(folder, layer)),
  ];
  return [...new Map(checks.map((one) => [one.name, one])).values()];
}

function fileCheck(
  folder: string,
  { name, bytes }: VolumeFile,
  ranges: () => CheckedRange[],
): FileCheck {
  return { name, bytes, check: () => checkRanges(join(folder, name), bytes, ranges()) };
}

function tableCheck(folder: string, ref: TableRef): FileCheck {
  const { bodyOffset: offset, bodyBytes: bytes, crc32 } = ref;
  return fileCheck(folder, ref, () => [{ offset, bytes, crc32 }]);
}

/** Returns the places of batches, by row of their table. */
function rangesOf(
  rows: Iterable<number>,
  offset: BigInt64Array,
  crc32: Uint32Array,
  bytesOf: (row: number) => number,
): CheckedRange[] {
  return Array.from(rows, (row) => ({
    ...{ offset: Number(offset[row]), bytes: bytesOf(row), crc32: crc32[row] },
  }));
}

function layerChecks(folder: string, layer: Layer, indicators: readonly string[]): FileCheck[] {
  const { index, batches: ref, states, volumes } = layer;
  const files = volumes.flatMap(({ candles, indicators: other }, volume) => {
    const check = (
      file: VolumeFile,
      columns: readonly ColumnSpec[],
      kind: 'candles' | 'indicators',
    ) =>
      fileCheck(folder, file, () => {
        const table = readTable(folder, ref, BATCH_TABLE);
        const rows = [...table.volume.keys()].filter((row) => table.volume[row] === volume);
        const bytesOf = (row: number) =>
          table.packed_bytes[row] || dataOffset(columns, table.rows[row], columns.length);
        return rangesOf(rows, table[`${kind}_offset`], table[`${kind}_crc32`], bytesOf);
      });
    if (candles.name === other.name) {
      return [check(candles, combinedFileColumns(indicators), 'candles')];
    }
    return [
      check(candles, CANDLE_COLUMNS, 'candles'),
      check(other, indicatorFileColumns(indicators), 'indicators'),
    ];
  });
  const stateCheck = ({ bytes, crc32, ...file }: StateRef) =>
    fileCheck(folder, { ...file, bytes }, () => [{ offset: 0, bytes, crc32 }]);
  return [
    ...[index, ref].map((table) => tableCheck(folder, table)),
    ...(states ? [stateCheck(states)] : []),
    ...files,
  ];
}

function listChecks(folder: string, layer: ListLayer): FileCheck[] {
  const columns = columnsOfTable(LIST_TABLE);
  const ranges = () => {
    const { rows, offset, crc32, ...texts } = readTable(folder, layer.batches, LIST_BATCH_TABLE);
    return rangesOf(rows.keys(), offset, crc32, (row) => {
      const textBytes = [texts.id_bytes[row], texts.kind_bytes[row], texts.json_bytes[row]];
      return batchLayout(columns, rows[row], textBytes).bodyBytes;
    });
  };
  const tables = tablesOfLists(layer).map((table) => tableCheck(folder, table));
  return [...tables, fileCheck(folder, layer.rows, ranges)];
}

function figureChecks(folder: string, { rows: file, index, batches }: FigureLayer): FileCheck[] {
  const ranges = () => {
    const { rows, offset, crc32 } = readTable(folder, batches, FIGURE_BATCH_TABLE);
    const bytesOf = (row: number) => dataOffset(FIGURE_COLUMNS, rows[row], FIGURE_COLUMNS.length);
    return rangesOf(rows.keys(), offset, crc32, bytesOf);
  };
  const tables = [index, batches].map((table) => tableCheck(folder, table));
  return [...tables, fileCheck(folder, file, ranges)];
}

async function checkRanges(
  path: string,
  bytes: number,
  ranges: readonly CheckedRange[],
): Promise<void> {
  await using file = await open(path).catch((cause) => {
    throw new CorruptDataError(`"${path}" is missing`, { cause });
  });
  const { size } = await file.stat();
  if (size !== bytes) {
    throw new CorruptDataError(`"${path}" has ${size} bytes, the manifest says ${bytes}`);
  }
  const chunk = Buffer.alloc(limits.integrity.chunkBytes);
  const isWhole = async ({ offset, bytes, crc32: expected }: CheckedRange) => {
    let sum = 0;
    for (let at = 0; at < bytes; ) {
      const wanted = Math.min(chunk.length, bytes - at);
      const { bytesRead } = await file.read(chunk, 0, wanted, offset + at);
      if (bytesRead === 0) break;
      sum = crc32(chunk.subarray(0, bytesRead), sum);
      at += bytesRead;
    }
    return sum === expected;
  };
  for (const range of ranges) {
    // Twice, as each read of published bytes: see `readAgain`.
    if ((await isWhole(range)) || (await isWhole(range))) continue;
    throw new CorruptDataError(`"${path}" does not match its checksum`);
  }
}
