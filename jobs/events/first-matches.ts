/** Matches of new webhooks' expressions, stored before the first publish that they may report. */

import { accountsPlaceOf, type ModePaths } from '../../src/base/config/data-dir.ts';
import { TapeworksError } from '../../src/base/errors.ts';
import { withAccounts } from '../../src/store/accounts/open.ts';
import type { ScreenerState } from '../../src/store/accounts/webhooks/webhook-record.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import { foundRows, inTurns, symbolsAt, whereRun } from './screener-events.ts';

/**
 * Stores which symbols match in the version that is about to be replaced, which the accounts could
 * see. After a publish that was killed behind its swap, the bars of that version are gone.
 */
export async function storeFirstMatches(paths: ModePaths, before: PublishedVersion): Promise<void> {
  const { mode, serving } = paths;
  try {
    await withAccounts(accountsPlaceOf(paths), async (accounts) => {
      const webhooks = await accounts.screenerWebhooks(mode);
      const fresh = webhooks.filter(
        ({ screener, matched }) => screener.where !== undefined && !matched,
      );
      if (fresh.length === 0) return;
      const run = await whereRun(fresh, serving, before);
      const states: ScreenerState[] = [];
      for (const webhook of inTurns(fresh)) {
        const rows = await foundRows(before, webhook, run);
        if ('error' in rows) continue;
        const matched = symbolsAt(before.screener(), rows);
        states.push({ webhookId: webhook.id, matched, error: undefined, triedMs: undefined });
      }
      await accounts.setScreenerStates(states);
    });
  } catch (error) {
    // Accounts that can't be used keep no data back. The relay reports them after the swap.
    if (!(error instanceof TapeworksError)) throw error;
  }
}
