/**
 * Publishes what a round of the process next to the API has loaded into the sandbox, and live data
 * that is in an older format or that a killed publish left.
 */

import type { Mode, ModePaths } from '../../src/base/config/data-dir.ts';
import { existsSync } from '../../src/base/world/files.ts';
import { openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import {
  type OutdatedLoad,
  readOutdatedLoads,
} from '../../src/store/duckdb/rows/outdated-loads.ts';
import type { RunDeps } from '../contract/reports.ts';
import { publish } from '../publish/publish.ts';

export interface PublishRoundDeps extends RunDeps {
  /** Called once the sandbox is published. */
  onFilled: (version: number) => void;
  /** Called if live data could not be published; the next round tries again. */
  onFailure: (error: unknown) => void;
  /** Called with loads of live filings whose rows older rules made, if there are any. */
  onOutdated?: (loads: readonly OutdatedLoad[]) => void;
}

/** Publishes the sandbox, then live data. A failure of the sandbox ends it. */
export async function publishRound(
  { live, sandbox }: Record<Mode, ModePaths>,
  deps: PublishRoundDeps,
): Promise<void> {
  const { version } = await publish(sandbox, deps);
  deps.onFilled(version);
  if (existsSync(live.market)) await publishRest(live, deps).catch(deps.onFailure);
}

async function publishRest(paths: ModePaths, deps: PublishRoundDeps): Promise<void> {
  // Opening for writing upgrades an older schema.
  const market = await openMarketForWriting(paths, deps);
  const loads = await readOutdatedLoads(market.connection).finally(() => market.close());
  if (loads.length > 0) deps.onOutdated?.(loads);
  await publish(paths, deps);
}
