/** Accounts in Postgres, with a copy of the keys on each machine that admits requests. */

import { dirname } from 'node:path';
import type { AccountsPlace } from '../../base/config/data-dir.ts';
import { makeFolder } from '../../base/durable-file.ts';
import { limits } from '../../base/limits.ts';
import { clearInterval, setInterval } from '../../base/world/clock.ts';
import { createSharedVersion } from '../../store/accounts/admission/sqlite-accounts.ts';
import { createKeyFinder } from '../../store/accounts/keys/key-finder.ts';
import type { Accounts } from '../../store/accounts/records/contract.ts';
import { createRecords } from '../../store/accounts/records/records.ts';
import { createRequestCounts } from '../../store/accounts/usage/request-counts.ts';
import { createUsageCounts, type SharedCounts } from '../../store/accounts/usage/usage-counts.ts';
import { createSecretVault } from '../../store/accounts/webhooks/webhook-secret.ts';
import { openKeyCopy, SUM_TOKENS } from './key-copy.ts';
import { postgresSql } from './sql.ts';
import { createUsageBatches } from './usage-batches.ts';

type Place = Pick<AccountsPlace, 'keyPath' | 'copyPath'> & { url: string };

/**
 * Opens accounts for admission. Of the threads that share counters, the one that writes usage also
 * keeps the copy current.
 */
export function openPostgresAccounts(
  { url, copyPath, keyPath }: Place,
  now: () => number,
  counts: SharedCounts,
): Accounts {
  makeFolder(dirname(copyPath));
  const sql = postgresSql(url);
  const copy = openKeyCopy(copyPath, sql, now, counts.memory, {
    changed: () => shared.changed(),
    respent: () => rereadTokens(),
  });
  const { db, refresh } = copy;
  const shared = createSharedVersion(db, counts);
  const { close, rereadTokens, ...usage } = createUsageCounts(db, counts, SUM_TOKENS);
  // A change is made even if this machine can't copy it yet: the next look does. `pollMs` bounds the
  // time after which this machine knows changes of others; notifications would not pass a pooler.
  const changed = () => refresh().catch(() => undefined);
  const vault = createSecretVault(keyPath, true);
  const records = createRecords(sql, { now: sql.timeOf(now), vault, changed });
  const owner = counts.post === undefined ? own() : undefined;
  const beat = setInterval(() => {
    usage.flush();
    // Another server over this folder may have copied a change: threads read the number that rises.
    shared.version();
  }, limits.usage.flushMs);
  beat.unref();

  /** Starts the work of the thread that writes usage. */
  function own() {
    const batches = createUsageBatches(db, sql);
    let pushing: Promise<void> | undefined;
    const push = () => {
      pushing ??= batches
        .push()
        .then(rereadTokens, () => undefined)
        .finally(() => {
          pushing = undefined;
        });
      return pushing;
    };
    const timers = [
      setInterval(changed, limits.postgres.pollMs),
      setInterval(push, limits.postgres.pushMs),
      setInterval(() => void records.eraseOldAnswers(), limits.idempotency.eraseMs),
    ];
    for (const timer of timers) timer.unref();
    const first = changed();
    return {
      push,
      async stop() {
        timers.forEach(clearInterval);
        await first;
        // Without contact the usage stays in the copy until the next start.
        await pushing;
        if (copy.isReached()) await push();
      },
    };
  }

  return {
    ...createKeyFinder(db),
    ...createRequestCounts(counts.memory),
    ...usage,
    version() {
      copy.requireFresh();
      return shared.version();
    },
    cursorSecret: copy.cursorSecret,
    contactMs: copy.contactMs,
    refresh,
    ...records,
    async close() {
      clearInterval(beat);
      try {
        close();
        await owner?.stop();
      } finally {
        // An open connection would keep the process alive, also on a full disk.
        await sql.close();
        db.close();
      }
    },
  };
}
