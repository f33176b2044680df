/** Checks whole published files against their checksums: readers check only what they read. */

import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { CorruptDataError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
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

function stateCheck(folder: string, ref: StateRef): FileCheck {
  return fileCheck(folder, ref, () => [{ offset: 0, bytes: ref.bytes, crc32: ref.crc32 }]);
}

function layerChecks(folder: string, layer: Layer, indicators: readonly string[]): FileCheck[] {
  const { index, batches: ref, states, volumes } = layer;
  const files = volumes.flatMap(({ candles, indicators: other }, volume) => {
    const ranges = (columns: readonly ColumnSpec[], kind: 'candles' | 'indicators') => () => {
      const batches = readTable(folder, ref, BATCH_TABLE);
      return Array.from(batches.volume.keys())
        .filter((row) => batches.volume[row] === volume)
        .map((row) => ({
          offset: Number(batches[`${kind}_offset`][row]),
          bytes: dataOffset(columns, batches.rows[row], columns.length),
          crc32: batches[`${kind}_crc32`][row],
        }));
    };
    if (candles.name === other.name) {
      return [fileCheck(folder, candles, ranges(combinedFileColumns(indicators), 'candles'))];
    }
    return [
      fileCheck(folder, candles, ranges(CANDLE_COLUMNS, 'candles')),
      fileCheck(folder, other, ranges(indicatorFileColumns(indicators), 'indicators')),
    ];
  });
  return [
    ...[index, ref].map((table) => tableCheck(folder, table)),
    ...(states ? [stateCheck(folder, states)] : []),
    ...files,
  ];
}

function listChecks(folder: string, layer: ListLayer): FileCheck[] {
  const columns = columnsOfTable(LIST_TABLE);
  const ranges = () => {
    const batches = readTable(folder, layer.batches, LIST_BATCH_TABLE);
    const { rows: counts, offset, id_bytes, kind_bytes, json_bytes, crc32: sums } = batches;
    return Array.from(counts.keys()).map((batch) => {
      const texts = [id_bytes[batch], kind_bytes[batch], json_bytes[batch]];
      const { bodyBytes } = batchLayout(columns, counts[batch], texts);
      return { offset: Number(offset[batch]), bytes: bodyBytes, crc32: sums[batch] };
    });
  };
  const tables = tablesOfLists(layer).map((table) => tableCheck(folder, table));
  return [...tables, fileCheck(folder, layer.rows, ranges)];
}

function figureChecks(folder: string, { rows, index, batches }: FigureLayer): FileCheck[] {
  const ranges = () => {
    const table = readTable(folder, batches, FIGURE_BATCH_TABLE);
    return Array.from(table.rows, (rowCount, batch) => ({
      offset: Number(table.offset[batch]),
      bytes: dataOffset(FIGURE_COLUMNS, rowCount, FIGURE_COLUMNS.length),
      crc32: table.crc32[batch],
    }));
  };
  const tables = [index, batches].map((table) => tableCheck(folder, table));
  return [...tables, fileCheck(folder, rows, ranges)];
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
  for (const range of ranges) {
    let sum = 0;
    for (let at = 0; at < range.bytes; ) {
      const wanted = Math.min(chunk.length, range.bytes - at);
      const { bytesRead } = await file.read(chunk, 0, wanted, range.offset + at);
      if (bytesRead === 0) break;
      sum = crc32(chunk.subarray(0, bytesRead), sum);
      at += bytesRead;
    }
    if (sum !== range.crc32) {
      throw new CorruptDataError(`"${path}" does not match its checksum`);
    }
  }
}
