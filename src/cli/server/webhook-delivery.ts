/** Webhooks, delivered beside the API in its process. */

import type { Settings } from '../../base/config/config.ts';
import { limits } from '../../base/limits/limits.ts';
import type { Accounts } from '../../store/sqlite/accounts.ts';

/** @returns what stops it: attempts that run may end first. */
export function deliverWebhooks(settings: Settings, accounts: Accounts): () => Promise<void> {
  const stop = new AbortController();
  const ended = run(settings, accounts, stop.signal);
  return () => {
    stop.abort();
    return ended;
  };
}

async function run(settings: Settings, accounts: Accounts, signal: AbortSignal): Promise<void> {
  const [{ startDelivery }, { createLog }] = await Promise.all([
    import('../../../jobs/webhooks/deliver.ts'),
    import('../../api/http/log.ts'),
  ]);
  // With Redis a worker has jobs for it; servers help where these are late.
  const lateMs = settings.redisUrl === undefined ? 0 : limits.webhook.lateMs;
  await startDelivery({ accounts, settings, signal, lateMs, log: createLog(settings.logLevel) });
}
