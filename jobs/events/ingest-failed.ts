/** `ingest.failed`: a run, or some of its tasks, failed. */

import { accountsPlaceOf, type ModePaths } from '../../src/base/config/data-dir.ts';
import { withAccounts } from '../../src/store/accounts/open.ts';
import type { Failure } from '../contract/failure.ts';
import type { RunHead } from '../contract/run.ts';
import { eventId } from './symbol-events.ts';

/**
 * Emits one event for each run, kind and reason. Never throws: the caller must report the failure.
 *
 * @param failures The failure of the run, or those of its tasks.
 */
export async function emitIngestFailed(
  paths: ModePaths,
  { id: plan, createdMs, source, local }: RunHead,
  failures: readonly Failure[],
  nowMs: number,
): Promise<void> {
  if (failures.length === 0) return;
  const [{ kind }] = failures;
  const reason = publicReason(failures[0]);
  const data = { source, dataset: local?.dataset ?? null, failures: failures.length, kind, reason };
  try {
    const id = eventId('ingest.failed', plan, String(createdMs), kind, reason);
    await withAccounts(accountsPlaceOf(paths), (accounts) =>
      accounts.addEvents(paths.mode, [
        { id, type: 'ingest.failed', occurredAtMs: nowMs, symbols: undefined, data },
      ]),
    );
  } catch {
    // Accounts cannot be written; there is no other place for events.
  }
}

/** Folders of this machine are private. */
const FOLDERS = /(["'])(?:[A-Za-z]:)?[\\/](?:[^"'\\/]*[\\/])*([^"'\\/]+)[\\/]?\1/g;

/** Our own messages hold no secret; those of others may. */
function publicReason({ kind, reason }: Failure): string {
  return kind === 'other' ? 'an internal error' : reason.replace(FOLDERS, '$1$2$1');
}
