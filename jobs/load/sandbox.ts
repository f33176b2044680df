/** Fills the sandbox with the seeded synthetic market, and later adds the sessions since then. */

import { join } from 'node:path';
import type { Settings } from '../../src/base/config/config.ts';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { placeDurable } from '../../src/base/durable-file.ts';
import { UsageError } from '../../src/base/errors.ts';
import { existsSync, readFileSync } from '../../src/base/world/files.ts';
import {
  openSandbox,
  type Sandbox,
  type SandboxPlan,
  sandboxMinuteSegments,
  sandboxPlan,
  sandboxRowSegments,
  sandboxSegments,
  sandboxSymbols,
} from '../../src/sandbox/source.ts';
import { openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import { acquireWriterLock } from '../../src/store/duckdb/connection/writer-lock.ts';
import { loadSymbols } from '../../src/store/duckdb/securities/symbols.ts';
import type { BackfillReport, LoadReport, RunDeps } from '../contract/reports.ts';
import { publish } from '../publish/publish.ts';
import { loadSegments } from './backfill.ts';
import { readStored } from './stored.ts';

const PLAN_NAME = 'sandbox.json';

export interface SandboxDeps extends RunDeps {
  settings: Settings;
}

/**
 * Brings the sandbox up to the latest completed session. Repeated, it completes an interrupted
 * fill, as the same plan gives the same segments.
 *
 * @throws {UsageError} `wanted` differs from the first fill.
 */
export async function fillSandbox(
  paths: ModePaths,
  wanted: Partial<SandboxPlan>,
  deps: SandboxDeps,
): Promise<BackfillReport> {
  const report = await loadSandbox(paths, wanted, deps);
  const { version } = await publish(paths, deps);
  return { ...report, publishedVersion: version };
}

/** Loads what `fillSandbox` publishes, and publishes nothing. */
export async function loadSandbox(
  paths: ModePaths,
  wanted: Partial<SandboxPlan>,
  deps: SandboxDeps,
): Promise<LoadReport> {
  const sandbox = openSandbox(await settlePlan(paths, wanted, deps), deps.nowMs);
  const daysThroughDay = await readStoredThroughDay(paths, sandbox, deps);
  const minutes = { source: 'sandbox', interval: '1m' } as const;
  const { lastDays, rowVintagesMs } = await readStored(paths, minutes, deps);
  const minutesThroughDay = lastDays.size === 0 ? undefined : Math.max(...lastDays.values());
  const context = { paths, ...deps };
  async function* allSegments() {
    yield* sandboxSegments(sandbox, daysThroughDay, context);
    yield* sandboxMinuteSegments(sandbox, minutesThroughDay, context);
    yield* sandboxRowSegments(sandbox, rowVintagesMs, context);
  }
  const report = await loadSegments(paths, oneAhead(allSegments()), { ...deps, guarded: 'none' });
  // A fill may have been killed between its bars and its names.
  await nameSecurities(paths, sandbox, deps);
  return report;
}

/**
 * Starts each item while the one before it is in use: segments are made while others are loaded.
 */
function oneAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  const start = () => {
    const item = items.next();
    // A failure is thrown when the item is awaited.
    item.catch(() => undefined);
    return item;
  };
  let next = start();
  return (async function* () {
    try {
      for (;;) {
        const { done, value } = await next;
        if (done) return;
        next = start();
        yield value;
      }
    } finally {
      await items.return(undefined);
    }
  })();
}

function planPath(paths: ModePaths): string {
  return join(paths.root, PLAN_NAME);
}

async function settlePlan(
  paths: ModePaths,
  wanted: Partial<SandboxPlan>,
  deps: RunDeps,
): Promise<SandboxPlan> {
  if (!existsSync(planPath(paths))) {
    // The first of several concurrent fills settles it.
    using _lock = await acquireWriterLock(paths, deps);
    if (!existsSync(planPath(paths))) await writePlan(paths, wanted, deps.nowMs);
  }
  const plan: SandboxPlan = JSON.parse(readFileSync(planPath(paths), 'utf8'));
  for (const key of ['fromDay', 'stocks'] as const) {
    if (wanted[key] !== undefined && wanted[key] !== plan[key]) {
      throw new UsageError(
        `the sandbox was filled with other options (${JSON.stringify(plan)}): ` +
          `remove "${paths.root}" to fill it again`,
      );
    }
  }
  return plan;
}

async function writePlan(
  paths: ModePaths,
  wanted: Partial<SandboxPlan>,
  nowMs: number,
): Promise<void> {
  const plan = sandboxPlan(wanted, nowMs);
  await placeDurable(paths.root, PLAN_NAME, Buffer.from(JSON.stringify(plan)));
}

/** Returns the last day of which every security has its bar; undefined if none is stored. */
async function readStoredThroughDay(
  paths: ModePaths,
  { securities }: Sandbox,
  deps: RunDeps,
): Promise<number | undefined> {
  const { lastDays } = await readStored(paths, { source: 'sandbox', interval: '1d' }, deps);
  if (lastDays.size === 0) return undefined;
  const newestDay = Math.max(...lastDays.values());
  const traded = securities.filter((one) => one.firstDay <= newestDay && one.lastDay >= newestDay);
  const reached = Math.min(...traded.map(({ symbol }) => lastDays.get(symbol) ?? -Infinity));
  return Number.isFinite(reached) ? reached : undefined;
}

async function nameSecurities(paths: ModePaths, sandbox: Sandbox, deps: RunDeps): Promise<void> {
  using market = await openMarketForWriting(paths, deps);
  const names = { source: 'sandbox', nowMs: deps.nowMs };
  await loadSymbols(market, sandboxSymbols(sandbox), names);
}
