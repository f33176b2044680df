/** Entry of the thread that makes rows of the sandbox. */

import { parentPort, workerData } from 'node:worker_threads';
import type { SandboxRowsReport, SandboxRowsRequest } from './rows-ahead.ts';
import { sandboxRowSegments } from './source.ts';

const { options, context } = workerData as SandboxRowsRequest;
const stop = new AbortController();
const report = (message: SandboxRowsReport) => parentPort?.postMessage(message);
parentPort?.once('message', () => {
  stop.abort();
  parentPort?.close();
});
const segments = sandboxRowSegments(options, {
  ...context,
  signal: stop.signal,
  onProgress: (...progress) => report({ progress }),
});
try {
  for await (const segment of segments) report({ segment });
  report('done');
} catch (error) {
  if (!stop.signal.aborted) throw error;
}
