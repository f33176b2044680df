/**
 * The process next to the API: updates the sandbox now and after every session, and publishes what
 * is left of live data: data in an older format, and events of a killed publish.
 */

import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Mode, ModePaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits/limits.ts';
import {
  latestCompletedSession,
  nextSession,
  sessionCloseMs,
} from '../../src/base/time/calendar.ts';
import { openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import type { BackfillReport } from '../contract/reports.ts';
import { fillSandbox, type SandboxDeps } from '../load/sandbox.ts';
import { publish } from '../publish/publish.ts';

export interface PipelineDeps extends Omit<SandboxDeps, 'nowMs'> {
  clock: () => number;
  /** Called after each round. */
  onRound: (report: BackfillReport) => void;
  /** Called if live data could not be published; the next round tries again. */
  onFailure: (error: unknown) => void;
  signal: AbortSignal;
}

/** Runs until the signal aborts; a failure ends it, and its supervisor restarts it. */
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
    // In short steps: after a sleep of the machine it must not wait that long again.
    await delay(limits.pipeline.clockCheckMs, undefined, { signal }).catch(() => undefined);
  }
}
