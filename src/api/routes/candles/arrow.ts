/**
 * Candles of many symbols as Arrow IPC, piece by piece: columns go from the serving files into
 * one buffer, which is handed out and filled again.
 *
 * Loads apache-arrow, as `arrow-stream.ts` does: import this file only when it is needed.
 */

import { FileBlock, Footer } from 'apache-arrow/ipc/metadata/file';
import { limits } from '../../../base/limits/limits.ts';
import { alignedBytes } from '../../../store/arrow/format/batch-layout.ts';
import { END_OF_STREAM } from '../../responses/arrow-stream.ts';
import { type BlockSize, candlesColumns, candlesHead } from './schema.ts';
import type { CandleSeries } from './series.ts';
import { CandlesStage } from './stage.ts';

/**
 * An IPC stream.
 *
 * @param symbols All symbols that `series` may give.
 * @param hasDates Whether the bars are of whole days, whose date is then a column.
 * @returns Pieces that take some `limits.bulk.turnMs` each to make and last until the next is
 *   asked for; any may be empty.
 */
export function* arrowStreamPieces(
  series: Iterable<CandleSeries>,
  symbols: readonly string[],
  hasDates: boolean,
): Generator<Uint8Array> {
  const columns = candlesColumns(hasDates);
  yield candlesHead(columns, symbols).bytes;
  yield* batchPieces(series, new CandlesStage(columns, symbols));
  yield END_OF_STREAM;
}

const MAGIC = Buffer.from('ARROW1');
const FILE_HEAD_BYTES = alignedBytes(MAGIC.length);

/** An IPC file, which readers can map and read in any order; otherwise as `arrowStreamPieces`. */
export function* arrowFilePieces(
  series: Iterable<CandleSeries>,
  symbols: readonly string[],
  hasDates: boolean,
): Generator<Uint8Array> {
  const columns = candlesColumns(hasDates);
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

/** The batches, each of as many series as give it `limits.bulk.batchRowsMin` rows. */
function* batchPieces(
  series: Iterable<CandleSeries>,
  stage: CandlesStage,
  onBatch?: (block: BlockSize) => void,
): Generator<Uint8Array> {
  const { batchRowsMin, batchRowsMax, turnMs } = limits.bulk;
  let turnEndMs = performance.now() + turnMs;
  for (const one of series) {
    let start = 0;
    do {
      const end = Math.min(start + batchRowsMax, one.rowCount);
      if (end > start) stage.add({ series: one, start, end });
      start = end;
      if (stage.pendingRows >= batchRowsMin) {
        const block = stage.writeBatch();
        onBatch?.(block);
      }
      if (!stage.isFull && performance.now() < turnEndMs) continue;
      yield stage.take();
      turnEndMs = performance.now() + turnMs;
    } while (start < one.rowCount);
  }
  if (stage.pendingRows > 0) {
    const block = stage.writeBatch();
    onBatch?.(block);
  }
  yield stage.take();
}
