/**
 * The process next to the API: updates the sandbox after every session, and publishes live data
 * that is in an older format or that a killed publish left.
 */

import type { Mode, ModePaths } from '../../src/base/config/data-dir.ts';
import { existsSync } from '../../src/base/world/files.ts';
import { openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import type { BackfillReport } from '../contract/reports.ts';
import { fillSandbox, type SandboxDeps } from '../load/sandbox.ts';
import { publish } from '../publish/publish.ts';

export interface RoundDeps extends SandboxDeps {
  /** Called once the sandbox is filled. */
  onFilled: (report: BackfillReport) => void;
  /** Called if live data could not be published; the next round tries again. */
  onFailure: (error: unknown) => void;
}

/** Runs one round. A failure of the sandbox ends it. */
export async function runRound(
  { live, sandbox }: Record<Mode, ModePaths>,
  deps: RoundDeps,
): Promise<void> {
  deps.onFilled(await fillSandbox(sandbox, {}, deps));
  if (existsSync(live.market)) await publishRest(live, deps).catch(deps.onFailure);
}

async function publishRest(paths: ModePaths, deps: RoundDeps): Promise<void> {
  // Opening for writing upgrades an older schema.
  const market = await openMarketForWriting(paths, deps);
  market.close();
  await publish(paths, deps);
}
