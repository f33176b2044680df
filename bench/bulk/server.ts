/** Child process: the API, and bare Express handlers that send as many bytes as its bulk answers. */

import { createReadStream } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pipeline } from 'node:stream/promises';
import express, { type Response } from 'express';
import { startBenchApi } from '../command/serving/api.ts';
import { reportReady } from '../command/serving/child.ts';

export interface BulkReady {
  address: string;
  bareAddress: string;
  rawKey: string;
}

/** Response of `/state`: figures of the process since the previous request. */
export interface ServerState {
  /** Largest resident size, looked at every `SAMPLE_MS`. */
  maxRssBytes: number;
  /** Longest time that the event loop was late. */
  maxDelayMs: number;
}

const SAMPLE_MS = 10;

const PIECE_BYTES = 1024 * 1024;

/** @param copyPath A file with the whole bulk answer, written after this process has started. */
const [dataDir, copyPath] = process.argv.slice(2);
const api = await startBenchApi(dataDir);
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
// The system's own record would begin with the size of the parent process.
let maxRssBytes = 0;
setInterval(() => {
  maxRssBytes = Math.max(maxRssBytes, process.memoryUsage.rss());
}, SAMPLE_MS).unref();

const bareApp = express();
bareApp.disable('x-powered-by');

/** Sends the file as `cat` would. */
bareApp.get('/cat', async (_request, response) => {
  response.writeHead(200, ['Content-Type', 'application/octet-stream']);
  await pipeline(createReadStream(copyPath), response);
});

/** Sends one piece of memory repeatedly: the cost of sending alone. */
bareApp.get('/memory/:bytes', async (request, response) => {
  response.writeHead(200, ['Content-Type', 'application/octet-stream']);
  const piece = Buffer.alloc(PIECE_BYTES);
  for (let left = Number(request.params.bytes); left > 0; left -= PIECE_BYTES) {
    await written(response, piece.subarray(0, left));
  }
  response.end();
});

bareApp.get('/state', (_request, response) => {
  const state: ServerState = { maxRssBytes, maxDelayMs: delay.max / 1e6 };
  maxRssBytes = process.memoryUsage.rss();
  delay.reset();
  response.json(state);
});

function written(response: Response, piece: Buffer): Promise<void> {
  return new Promise((resolve) => response.write(piece, () => resolve()));
}

const bareAddress = await api.listenBeside(bareApp);
const ready: BulkReady = { address: api.address, bareAddress, rawKey: api.rawKey };
reportReady(ready, api.stop);
