/** Entry of the thread of `read-ahead.ts`: fills batches while it has free memory. */

import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { setBars } from '../../../base/bars.ts';
import { openMarketForReading } from '../connection/open.ts';
import {
  barsAt,
  type ReadAheadReply,
  type ReadAheadRequest,
  ROW_BYTES,
  type SeriesBatch,
} from './read-ahead.ts';
import { streamWinningBars } from './read-bars.ts';

const BATCHES = 3;
/** About 32,000 rows; a series of more gets memory of its own size. */
const BATCH_BYTES = 1.5 * 1024 * 1024;

const port = parentPort!;
const free: SharedArrayBuffer[] = Array.from(
  { length: BATCHES },
  () => new SharedArrayBuffer(BATCH_BYTES),
);
let isStopped = false;
port.on('message', (reply: ReadAheadReply) => {
  if (reply === 'stop') isStopped = true;
  else free.push(reply);
});

const { paths, interval, symbols } = workerData as ReadAheadRequest;
const market = await openMarketForReading(paths);
try {
  let batch = await nextBatch(0);
  let usedBytes = 0;
  for await (const { bars, ...provenance } of streamWinningBars(market, interval, symbols)) {
    if (isStopped) break;
    const rowCount = bars.close.length;
    const bytes = rowCount * ROW_BYTES;
    if (usedBytes + bytes > batch.memory.byteLength) {
      if (batch.series.length > 0) port.postMessage(batch);
      else free.push(batch.memory);
      batch = await nextBatch(bytes);
      usedBytes = 0;
    }
    setBars(barsAt(batch.memory, usedBytes, rowCount), bars, 0);
    batch.series.push({ ...provenance, rowCount });
    usedBytes += bytes;
  }
  if (batch.series.length > 0) port.postMessage(batch);
} finally {
  market.close();
  port.close();
}

/** Waits until the reader has returned memory. */
async function nextBatch(bytes: number): Promise<SeriesBatch> {
  while (free.length === 0 && !isStopped) await once(port, 'message');
  const memory = free.pop();
  const isLargeEnough = memory && memory.byteLength >= bytes;
  return {
    memory: isLargeEnough ? memory : new SharedArrayBuffer(Math.max(bytes, BATCH_BYTES)),
    series: [],
  };
}
