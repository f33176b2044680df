/**
 * The process beside the API: brings the sandbox up to date now and again after every session.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { latestCompletedSession, nextSession, sessionCloseMs } from '../src/calendar.ts';
import type { ModePaths } from '../src/data-dir.ts';
import { limits } from '../src/limits.ts';
import type { BackfillReport } from './backfill.ts';
import { fillSandbox, type SandboxDeps } from './sandbox.ts';

export interface PipelineDeps extends Omit<SandboxDeps, 'nowMs'> {
  clock: () => number;
  /** Called after each round. */
  onRound: (report: BackfillReport) => void;
  signal: AbortSignal;
}

/** Runs until the signal aborts; any failure ends it, and its supervisor starts it again. */
export async function runPipeline(paths: ModePaths, deps: PipelineDeps): Promise<void> {
  while (!deps.signal.aborted) {
    deps.onRound(await fillSandbox(paths, {}, { ...deps, nowMs: deps.clock() }));
    await untilNextClose(deps);
  }
}

async function untilNextClose({ clock, signal }: PipelineDeps): Promise<void> {
  const closeMs = sessionCloseMs(nextSession(latestCompletedSession(clock())));
  while (!signal.aborted && clock() < closeMs) {
    // In short steps: a machine that slept must not wait its sleep again.
    await delay(limits.pipeline.clockCheckMs, undefined, { signal }).catch(() => undefined);
  }
}
