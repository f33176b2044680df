import { existsSync } from 'node:fs';
import type { Settings } from '../../src/base/config/config.ts';
import { accountsPath } from '../../src/base/config/data-dir.ts';
import { isRequestTick, type RunHead } from '../contract/run.ts';

/** Lets failed backfills of clients follow the runs that retry them. */
export async function reopenBackfills(
  { dataDir }: Pick<Settings, 'dataDir'>,
  retried: readonly Pick<RunHead, 'id' | 'tick'>[],
): Promise<void> {
  const requested = retried.filter(({ tick }) => tick !== undefined && isRequestTick(tick));
  const path = accountsPath(dataDir);
  if (requested.length === 0 || !existsSync(path)) return;
  const { openAccounts } = await import('../../src/store/sqlite/accounts.ts');
  const accounts = openAccounts(path);
  try {
    for (const { id, tick = '' } of requested) await accounts.reopenBackfill(tick, id);
  } finally {
    await accounts.close();
  }
}
