/** `ingest.failed`: a run of a source that has failed, or of which parts have. */

import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { openRelayAccounts } from '../../src/store/sqlite/webhooks/relay-accounts.ts';
import type { Failure } from '../contract/failure.ts';
import type { RunHead } from '../contract/run.ts';
import { eventId } from './event-id.ts';

/**
 * Tells of a plan once for each kind and reason, however often its load is tried. It never fails:
 * the plan's own failure is what its caller must hear of.
 *
 * @param failures One, or those of the parts that are given up; nothing is told of none.
 */
export function emitIngestFailed(
  { accounts: path, mode }: ModePaths,
  { id: plan, createdMs, source, local }: RunHead,
  failures: readonly Failure[],
  nowMs: number,
): void {
  if (failures.length === 0) return;
  const [{ kind }] = failures;
  const reason = publicReason(failures[0]);
  const data = { source, dataset: local?.dataset ?? null, failures: failures.length, kind, reason };
  try {
    const accounts = openRelayAccounts(path);
    try {
      const id = eventId('ingest.failed', plan, String(createdMs), kind, reason);
      accounts.addEvents(mode, [
        { id, type: 'ingest.failed', occurredAtMs: nowMs, symbols: undefined, data },
      ]);
    } finally {
      accounts.close();
    }
  } catch {
    // Nobody can be told.
  }
}

/** Folders of this machine are nobody else's business. */
const FOLDERS = /(["'])(?:[A-Za-z]:)?[\\/](?:[^"'\\/]*[\\/])*([^"'\\/]+)[\\/]?\1/g;

/** Our own errors hold no secret; what others say may. */
function publicReason({ kind, reason }: Failure): string {
  return kind === 'other' ? 'an internal error' : reason.replace(FOLDERS, '$1$2$1');
}
