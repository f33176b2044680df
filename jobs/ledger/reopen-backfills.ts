import type { Settings } from '../../src/base/config/config.ts';
import { accountsPlace } from '../../src/base/config/data-dir.ts';
import { isRequestTick, type RunHead } from '../contract/run.ts';

/** Lets failed backfills of clients follow the runs that retry them. */
export async function reopenBackfills(
  { dataDir }: Pick<Settings, 'dataDir'>,
  retried: readonly Pick<RunHead, 'id' | 'tick'>[],
): Promise<void> {
  const requested = retried.filter(({ tick }) => tick !== undefined && isRequestTick(tick));
  if (requested.length === 0) return;
  const { withAccounts } = await import('../../src/store/accounts/open.ts');
  await withAccounts(accountsPlace(dataDir), async (accounts) => {
    for (const { id, tick = '' } of requested) await accounts.reopenBackfill(tick, id);
  });
}
