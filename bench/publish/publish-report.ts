/** Tables of what publishes cost concurrent readers. */

import {
  checkResult,
  goalLines,
  machineLine,
  readable,
  tableFromRows,
  timingFromSamples,
} from '../harness.ts';
import { answersPerS, MOMENT_MS } from '../http/calm-latencies.ts';
import { addedCounts, type LatencyCounts, latencyAt } from '../http/latency-histogram.ts';

/** Greatest p99 that publishes may add. */
const GOAL_MS = 2;

export interface MeasuredLoad {
  /** Counts of each calm moment. */
  without: LatencyCounts[];
  with: LatencyCounts[];
  /** Milliseconds each. */
  publishes: number[];
}

export interface Measured {
  symbols: number;
  /** Least number of calm moments of each kind, and of publishes. */
  calm: number;
  publishes: number;
  load: MeasuredLoad;
  /** Longest turns of an event loop that opens the versions, milliseconds each. */
  turns: number[];
}

export function reportPublishes(measured: Measured): void {
  const { symbols, turns } = measured;
  console.log(`${symbols} symbols; ${machineLine()}\n`);
  const riseMs = reportLoad(measured);
  const { medianMs, p99Ms, runCount } = timingFromSamples(turns);
  console.log(
    `Longest turn of an event loop that opens a version: ${readable(medianMs)} ms in the ` +
      `median of ${runCount} versions, ${readable(p99Ms)} ms at most\n`,
  );
  const ratio = GOAL_MS / Math.max(0.01, riseMs);
  console.log(goalLines([{ name: `${GOAL_MS} ms / rise of the p99`, ratio, atLeast: 1 }]));
}

/** @returns milliseconds that publishes add to the p99. */
function reportLoad({ load, calm, publishes }: Measured): number {
  const counted = Math.min(load.without.length, load.with.length);
  checkResult(
    counted >= calm,
    `the host took time in all but ${counted} moments of ${MOMENT_MS} ms`,
  );
  const ended = load.publishes.length;
  checkResult(ended >= publishes, `only ${ended} publishes ended`);
  const { medianMs } = timingFromSamples(load.publishes);
  const shares = [0.5, 0.9, 0.99, 0.999];
  const [quiet, busy] = [load.without, load.with].map((moments) => {
    const counts = addedCounts(moments);
    return shares.map((share) => latencyAt(counts, share));
  });
  console.log(
    `Answered were ${readable(answersPerS(load.without))} a second without publishes, ` +
      `${readable(answersPerS(load.with))} with; ${ended} publishes of ` +
      `${readable(medianMs)} ms; counted are ${load.without.length} and ${load.with.length} ` +
      `moments of ${MOMENT_MS} ms in which the host of this machine took nothing\n`,
  );
  const rows = [
    ['without publishes', ...quiet.map(readable)],
    ['with', ...busy.map(readable)],
    ['difference', ...busy.map((ms, i) => readable(ms - quiet[i]))],
    ['ratio', ...busy.map((ms, i) => readable(ms / quiet[i]))],
  ];
  console.log(`${tableFromRows(['latency ms', 'p50', 'p90', 'p99', 'p99.9'], rows)}\n`);
  return busy[2] - quiet[2];
}
