/**
 * The process beside the API: brings the sandbox up to date now and again after every session, and
 * publishes of live data what is left: what an older program has published, and events that a
 * publish was killed before it handed them over.
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
  /** Live data could not be published; it is tried again in the next round. */
  onFailure: (error: unknown) => void;
  signal: AbortSignal;
}

/** Runs until the signal aborts; any failure ends it, and its supervisor starts it again. */
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
  // Opened for writing, a store of an older schema is upgraded.
  const market = await openMarketForWriting(paths, runDeps);
  market.close();
  await publish(paths, runDeps);
}

async function untilNextClose({ clock, signal }: PipelineDeps): Promise<void> {
  const closeMs = sessionCloseMs(nextSession(latestCompletedSession(clock())));
  while (!signal.aborted && clock() < closeMs) {
    // In short steps: a machine that slept must not wait its sleep again.
    await delay(limits.pipeline.clockCheckMs, undefined, { signal }).catch(() => undefined);
  }
}
