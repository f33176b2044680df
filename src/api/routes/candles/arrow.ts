/**
 * Writes candles of many symbols as Arrow IPC, piece by piece: columns go from the serving files
 * into one buffer, which is handed out and reused.
 *
 * It loads apache-arrow, as `arrow-stream.ts` does: import this file only on use.
 */

import { FileBlock, Footer } from 'apache-arrow/ipc/metadata/file';
import { limits } from '../../../base/limits.ts';
import { monotonicMs } from '../../../base/world/clock.ts';
import { alignedBytes } from '../../../store/arrow/format/batch-layout.ts';
import { END_OF_STREAM } from '../../responses/arrow-stream.ts';
import type { BarLabels } from '../../responses/sessions.ts';
import { type BlockSize, candlesColumns, candlesHead } from './arrow-schema.ts';
import type { CandleSeries } from './series.ts';
import { CandlesStage } from './stage.ts';

/**
 * Writes an IPC stream.
 *
 * @param symbols All symbols that may occur in `series`.
 * @param labels Columns after `timestamp`.
 * @param indicators Names of the columns of indicators in `series`.
 * @returns Pieces that take about `limits.bulk.tickBudgetMs` each to make; a piece may be empty and is
 *   valid until the next one is requested.
 */
export function* arrowStreamPieces(
  series: Iterable<CandleSeries>,
  symbols: readonly string[],
  labels: BarLabels,
  indicators: readonly string[] = [],
): Generator<Uint8Array> {
  const columns = candlesColumns(labels, indicators);
  yield candlesHead(columns, symbols).bytes;
  yield* batchPieces(series, new CandlesStage(columns, symbols));
  yield END_OF_STREAM;
}

const MAGIC = Buffer.from('ARROW1');
const FILE_HEAD_BYTES = alignedBytes(MAGIC.length);

/** Writes an IPC file, for random access; parameters and pieces as of `arrowStreamPieces`. */
export function* arrowFilePieces(
  series: Iterable<CandleSeries>,
  symbols: readonly string[],
  labels: BarLabels,
  indicators: readonly string[] = [],
): Generator<Uint8Array> {
  const columns = candlesColumns(labels, indicators);
  const head = candlesHead(columns, symbols);
  yield Buffer.concat([MAGIC], FILE_HEAD_BYTES);
  yield head.bytes;
  let offset = FILE_HEAD_BYTES + head.schemaBytes;
  const nextBlock = ({ metadataBytes, bodyBytes }: BlockSize): FileBlock => {
    const block = new FileBlock(metadataBytes, bodyBytes, offset);
    offset += metadataBytes + bodyBytes;
    return block;
  };
  const dictionaries = head.dictionaries.map(nextBlock);
  const batches: FileBlock[] = [];
  const stage = new CandlesStage(columns, symbols);
  yield* batchPieces(series, stage, (block) => batches.push(nextBlock(block)));
  yield END_OF_STREAM;
  const footer = Footer.encode(new Footer(head.schema, undefined, batches, dictionaries));
  yield Buffer.concat([footer, new Uint8Array(Int32Array.of(footer.length).buffer), MAGIC]);
}

/** Writes batches of whole series, each with at least `limits.bulk.batchRowsMin` rows. */
function* batchPieces(
  series: Iterable<CandleSeries>,
  stage: CandlesStage,
  onBatch?: (block: BlockSize) => void,
): Generator<Uint8Array> {
  const { batchRowsMin, tickBudgetMs } = limits.bulk;
  let tickEndMs = monotonicMs() + tickBudgetMs;
  for (const one of series) {
    let start = 0;
    do {
      const end = Math.min(start + stage.rowsMax, one.rowCount);
      if (end > start) stage.add({ series: one, start, end });
      start = end;
      if (stage.pendingRows >= batchRowsMin) {
        const block = stage.writeBatch();
        onBatch?.(block);
      }
      if (!stage.isFull && monotonicMs() < tickEndMs) continue;
      yield stage.take();
      tickEndMs = monotonicMs() + tickBudgetMs;
    } while (start < one.rowCount);
  }
  if (stage.pendingRows > 0) {
    const block = stage.writeBatch();
    onBatch?.(block);
  }
  yield stage.take();
}
