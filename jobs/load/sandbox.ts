/** Fills the sandbox with the seeded synthetic market, and later adds the sessions since. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../src/base/config/config.ts';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { syncFolder, writeDurable } from '../../src/base/durable-file.ts';
import { UsageError } from '../../src/base/errors.ts';
import { sandboxRowsAhead } from '../../src/sandbox/rows-ahead.ts';
import {
  sandboxDays,
  sandboxMinuteSegments,
  sandboxRowSegments,
  sandboxSegments,
  sandboxSymbols,
} from '../../src/sandbox/source.ts';
import { sandboxUniverse } from '../../src/sandbox/universe.ts';
import { openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import { acquireWriterLock } from '../../src/store/duckdb/connection/writer-lock.ts';
import { loadSymbols } from '../../src/store/duckdb/securities/symbols.ts';
import type { BackfillReport, RunDeps } from '../contract/reports.ts';
import { publish } from '../publish/publish.ts';
import { loadSegments } from './backfill.ts';
import { readStored } from './stored-days.ts';

const PLAN_NAME = 'sandbox.json';

/** What the first fill settles for good: a later one with other numbers would be another market. */
export interface SandboxPlan {
  /** First day of bars. */
  fromDay: number;
  /** Companies to choose from; see `UniverseOptions`. Undefined: the generator's default. */
  stocks?: number;
}

export interface SandboxDeps extends RunDeps {
  settings: Settings;
}

/**
 * Brings the sandbox up to the latest completed session. The first call fills it; a call that
 * was interrupted is made good by the next, because the same options give the same segments.
 *
 * @throws {UsageError} `wanted` differs from what the sandbox was first filled with.
 */
export async function fillSandbox(
  paths: ModePaths,
  wanted: Partial<SandboxPlan>,
  deps: SandboxDeps,
): Promise<BackfillReport> {
  const plan = await settlePlan(paths, wanted, deps);
  const storedThroughDay = await readStoredThroughDay(paths, plan, deps);
  const context = { paths, ...deps };
  const { lastDays, rowVintagesMs } = await readStored(
    paths,
    { source: 'sandbox', interval: '1m' },
    deps,
  );
  const minutesThroughDay = lastDays.size === 0 ? undefined : Math.max(...lastDays.values());
  // A thread takes longer to start than the rows of a day to make.
  const rowsOf = rowVintagesMs.size === 0 ? sandboxRowsAhead : sandboxRowSegments;
  async function* allSegments() {
    const rows = oneAhead(rowsOf({ ...plan, storedThroughMs: rowVintagesMs }, context));
    yield* sandboxSegments({ ...plan, storedThroughDay }, context);
    yield* sandboxMinuteSegments({ ...plan, storedThroughDay: minutesThroughDay }, context);
    yield* rows;
  }
  const report = await loadSegments(paths, oneAhead(allSegments()), { ...deps, guarded: 'none' });
  // Always: a fill may have been killed between its bars and its names.
  await nameSecurities(paths, plan, deps);
  const { version } = await publish(paths, deps);
  return { ...report, publishedVersion: version };
}

/**
 * Asks for the first item at once and for each other one while that before it is in use: the
 * sandbox makes rows while others are loaded. Its segments stay when the next is asked for, as
 * those of a user's files do not.
 */
function oneAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  const ask = () => {
    const asked = items.next();
    // A failure is told when it is waited for.
    asked.catch(() => undefined);
    return asked;
  };
  let next = ask();
  return (async function* () {
    try {
      for (;;) {
        const { done, value } = await next;
        if (done) return;
        next = ask();
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
    // Of fills that begin together the first one settles it.
    const lock = await acquireWriterLock(paths, deps);
    try {
      if (!existsSync(planPath(paths))) await writePlan(paths, wanted, deps.nowMs);
    } finally {
      lock.release();
    }
  }
  const plan: SandboxPlan = JSON.parse(readFileSync(planPath(paths), 'utf8'));
  for (const key of ['fromDay', 'stocks'] as const) {
    if (wanted[key] !== undefined && wanted[key] !== plan[key]) {
      throw new UsageError(
        `the sandbox was filled with other options (${JSON.stringify(plan)}): ` +
          `remove "${paths.root}" to fill it anew`,
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
  const plan = { fromDay: sandboxDays(wanted, nowMs).fromDay, stocks: wanted.stocks };
  await writeDurable(paths.root, PLAN_NAME, Buffer.from(JSON.stringify(plan)));
  syncFolder(paths.root);
}

/**
 * The day up to which every security has its bars; undefined where one is missing, so that a
 * first fill that was interrupted is made whole.
 */
async function readStoredThroughDay(
  paths: ModePaths,
  plan: SandboxPlan,
  deps: RunDeps,
): Promise<number | undefined> {
  const { lastDays } = await readStored(paths, { source: 'sandbox', interval: '1d' }, deps);
  if (lastDays.size === 0) return undefined;
  const newestDay = Math.max(...lastDays.values());
  const universe = sandboxUniverse({ ...plan, toDay: newestDay });
  const traded = universe.filter(({ lastDay = newestDay }) => lastDay >= newestDay);
  const reached = Math.min(...traded.map(({ symbol }) => lastDays.get(symbol) ?? -Infinity));
  return Number.isFinite(reached) ? reached : undefined;
}

async function nameSecurities(paths: ModePaths, plan: SandboxPlan, deps: RunDeps): Promise<void> {
  const market = await openMarketForWriting(paths, deps);
  try {
    await loadSymbols(market, sandboxSymbols(plan, deps.nowMs), {
      source: 'sandbox',
      nowMs: deps.nowMs,
    });
  } finally {
    market.close();
  }
}
