/**
 * The process next to the API: updates the sandbox after every session, and publishes live data
 * that is in an older format or that a killed publish left.
 */

import type { Mode, ModePaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits.ts';
import {
  latestCompletedSession,
  nextSession,
  sessionCloseMs,
} from '../../src/base/time/calendar.ts';
import { pause } from '../../src/base/time/pause.ts';
import { existsSync } from '../../src/base/world/files.ts';
import { openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import type { BackfillReport } from '../contract/reports.ts';
import { fillSandbox, type SandboxDeps } from '../load/sandbox.ts';
import { publish } from '../publish/publish.ts';

export interface PipelineDeps extends Omit<SandboxDeps, 'nowMs'> {
  clock: () => number;
  onRound: (report: BackfillReport) => void;
  /** Called if live data could not be published; the next round tries again. */
  onFailure: (error: unknown) => void;
  signal: AbortSignal;
}

/** Runs until the signal aborts; a failure ends it. */
export async function runPipeline(
  { live, sandbox }: Record<Mode, ModePaths>,
  deps: PipelineDeps,
): Promise<void> {
  while (!deps.signal.aborted) {
    deps.onRound(await fillSandbox(sandbox, {}, { ...deps, nowMs: deps.clock() }));
    if (existsSync(live.market)) await publishRest(live, deps).catch(deps.onFailure);
    await untilNextClose(deps);
  }
}

async function publishRest(paths: ModePaths, deps: PipelineDeps): Promise<void> {
  const runDeps = { ...deps, nowMs: deps.clock() };
  // Opening for writing upgrades an older schema.
  const market = await openMarketForWriting(paths, runDeps);
  market.close();
  await publish(paths, runDeps);
}

async function untilNextClose({ clock, signal }: PipelineDeps): Promise<void> {
  const closeMs = sessionCloseMs(nextSession(latestCompletedSession(clock())));
  while (!signal.aborted && clock() < closeMs) {
    // A sleep of the machine must not lengthen the wait.
    await pause(limits.pipeline.clockCheckMs, signal);
  }
}
