/** The interface of accounts: what admission needs in memory, and the records behind promises. */

import type { Mode } from '../../base/config/data-dir.ts';
import type { createBackfillStore } from './backfills/backfill-store.ts';
import type { Promised } from './database/promised.ts';
import type { createIdempotencyStore, SealedAnswer } from './idempotency.ts';
import type { createAccountStore } from './keys/account-store.ts';
import type { createKeyFinder } from './keys/key-finder.ts';
import type { createKeyStore } from './keys/key-store.ts';
import type { createScreenStore } from './screens/screen-store.ts';
import type { RequestCounts } from './usage/request-counts.ts';
import type { createUsageCounts } from './usage/usage-counts.ts';
import type { createUsageReport } from './usage/usage-report.ts';
import type { createDeliveryList } from './webhooks/delivery-list.ts';
import type { createDeliveryQueue } from './webhooks/delivery-queue.ts';
import type { createEventStore } from './webhooks/event-store.ts';
import type { createRelayStore, RelayPosition } from './webhooks/relay-store.ts';
import type { createStreamStore } from './webhooks/stream-store.ts';
import type { createWebhookStore } from './webhooks/webhook-store.ts';

/** Checks and counts of a request. They are synchronous and wait for no other process. */
export type Admission = ReturnType<typeof createKeyFinder> &
  RequestCounts &
  Pick<ReturnType<typeof createUsageCounts>, 'count' | 'addCounts' | 'tokensUsed' | 'flush'> & {
    /** Returns a number that changes whenever anything but usage may have changed. */
    version(): number;
    /** Returns the 32 random bytes that sign cursors in every process. */
    cursorSecret(): Buffer;
  };

/** Functions of the records, without promises. */
export type RecordStores = ReturnType<typeof createAccountStore> &
  ReturnType<typeof createKeyStore> &
  ReturnType<typeof createUsageReport> &
  ReturnType<typeof createWebhookStore> &
  ReturnType<typeof createScreenStore> &
  ReturnType<typeof createBackfillStore> &
  ReturnType<typeof createEventStore> &
  ReturnType<typeof createStreamStore> &
  ReturnType<typeof createDeliveryList> &
  ReturnType<typeof createDeliveryQueue> &
  Pick<ReturnType<typeof createIdempotencyStore>, 'claim' | 'releaseClaim' | 'eraseOldAnswers'> &
  Pick<ReturnType<typeof createRelayStore>, 'relayPosition'>;

/** Accounts, keys, webhooks and the rest. Work in a transaction gets these of its transaction. */
export type AccountRecords = Promised<RecordStores>;

export interface RecordTransactions {
  /** Runs the work of a claim and keeps its response in one transaction. */
  keepAnswer<T>(
    id: Uint8Array,
    work: (within: AccountRecords) => Promise<{ result: T } & SealedAnswer>,
  ): Promise<T>;
  /** Runs work and moves the position of the relay in one transaction. */
  advanceRelay(
    mode: Mode,
    position: RelayPosition,
    work: (within: Pick<AccountRecords, 'addEvents' | 'setScreenerStates'>) => Promise<void>,
  ): Promise<void>;
}

export type Accounts = Admission &
  AccountRecords &
  RecordTransactions & {
    /** Writes the counts of usage, or posts them, and closes the database. */
    close(): Promise<void>;
  };
