/** Backfills that clients request over HTTP, in the process that runs jobs. */

import type { Runner } from '../../../jobs/contract/runner.ts';
import type { Settings } from '../../base/config/config.ts';
import { accountsPlace, backfillsLockPath } from '../../base/config/data-dir.ts';
import { lockFile } from '../../base/file-lock.ts';
import { limits } from '../../base/limits.ts';
import { pause } from '../../base/time/pause.ts';
import { wallMs } from '../../base/world/clock.ts';

/**
 * Takes the lock by which the API knows that backfills run.
 *
 * @returns a function that releases it; undefined if the signal aborts before.
 */
export async function lockBackfills(
  dataDir: string,
  signal: AbortSignal,
): Promise<(() => void) | undefined> {
  while (!signal.aborted) {
    const lock = lockFile(backfillsLockPath(dataDir));
    if (lock) return () => lock.close();
    await pause(limits.backfills.pollMs, signal);
  }
  return undefined;
}

/** Runs the backfills that clients request until the signal aborts; a caller holds their lock. */
export async function keepTaking(
  settings: Settings,
  runner: Runner,
  note: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const [{ openRecords }, { takeBackfills }] = await Promise.all([
    import('../../store/accounts/open.ts'),
    import('../../../jobs/backfills/take.ts'),
  ]);
  const accounts = openRecords(accountsPlace(settings.dataDir));
  await takeBackfills({ settings, runner, accounts, clock: wallMs, note, signal }).finally(() =>
    accounts.close(),
  );
}
