import type { DuckDBDataChunk } from '@duckdb/node-api';
import { type BarColumns, barRows, blankBars, setBars } from '../../../base/bars.ts';
import { columnOfChunk } from '../connection/chunk-columns.ts';

export interface GatheredBars {
  id: number;
  bars: BarColumns;
}

interface Filling extends GatheredBars {
  rowCount: number;
}

/**
 * Gathers chunks of (id INTEGER, ts TIMESTAMP, open, high, low, close, volume DOUBLE).
 * One series is in memory at a time; each gets its own memory.
 *
 * @param rowsExpected A right guess saves copying. Undefined skips the id.
 */
export async function* gatherBars(
  chunks: AsyncIterable<DuckDBDataChunk>,
  rowsExpected: (id: number) => number | undefined,
): AsyncGenerator<GatheredBars> {
  let filling: Filling | undefined;
  for await (const chunk of chunks) {
    const columns = barsOfChunk(chunk);
    const ids = columnOfChunk<Int32Array>(chunk, 0);
    for (let start = 0, end = 0; start < ids.length; start = end) {
      end = runEnd(ids, start);
      if (filling?.id !== ids[start]) {
        if (filling) yield filled(filling);
        const capacity = rowsExpected(ids[start]);
        filling =
          capacity === undefined
            ? undefined
            : { id: ids[start], bars: blankBars(capacity), rowCount: 0 };
      }
      if (filling) append(filling, columns, start, end);
    }
  }
  if (filling) yield filled(filling);
}

/** Returns views over the columns of a chunk that follow its first one. */
export function barsOfChunk(chunk: DuckDBDataChunk): BarColumns {
  return {
    timestampUs: columnOfChunk<BigInt64Array>(chunk, 1),
    open: columnOfChunk<Float64Array>(chunk, 2),
    high: columnOfChunk<Float64Array>(chunk, 3),
    low: columnOfChunk<Float64Array>(chunk, 4),
    close: columnOfChunk<Float64Array>(chunk, 5),
    volume: columnOfChunk<Float64Array>(chunk, 6),
  };
}

function append(filling: Filling, columns: BarColumns, start: number, end: number): void {
  const { rowCount } = filling;
  const needed = rowCount + end - start;
  if (needed > filling.bars.close.length) {
    const larger = blankBars(Math.max(needed, 2 * filling.bars.close.length));
    setBars(larger, barRows(filling.bars, 0, rowCount), 0);
    filling.bars = larger;
  }
  setBars(filling.bars, barRows(columns, start, end), rowCount);
  filling.rowCount = needed;
}

function filled({ id, bars, rowCount }: Filling): GatheredBars {
  return { id, bars: barRows(bars, 0, rowCount) };
}

/** Returns the index after the run of equal values that begins at `start`. */
function runEnd(ids: Int32Array, start: number): number {
  let end = start + 1;
  while (end < ids.length && ids[end] === ids[start]) end++;
  return end;
}
