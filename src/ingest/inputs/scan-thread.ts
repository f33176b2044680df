/** Entry of a scanning thread: runs the jobs it was started with and reports their outcomes. */

import { parentPort, workerData } from 'node:worker_threads';
import { runScanJob, type ScanJob, type ScanOutcome } from './scan-inputs.ts';

/** A message wakes the main thread; one for each small file would cost as much as reading it. */
const OUTCOMES_PER_MESSAGE = 50;

let outcomes: ScanOutcome[] = [];
for (const job of workerData as ScanJob[]) {
  outcomes.push(await runScanJob(job));
  if (outcomes.length === OUTCOMES_PER_MESSAGE) report();
}
report();

function report(): void {
  parentPort?.postMessage(outcomes);
  outcomes = [];
}
