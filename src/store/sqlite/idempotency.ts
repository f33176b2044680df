/**
 * Requests that must happen once: who claims a record first does the work, a repeat finds its
 * answer. A record's id and the key of its answer follow from the caller's raw key, which is
 * stored nowhere, so nobody else finds or reads it.
 */

import type { DatabaseSync } from 'node:sqlite';
import { limits } from '../../base/limits/limits.ts';
import { inDurableTransaction, inTransaction, withoutWaiting } from './transaction.ts';

export type Claim =
  /** This caller is the first, and has to keep an answer or release the claim. */
  | { state: 'claimed' }
  /** Another request with the same record has not ended yet. */
  | { state: 'running' }
  | { state: 'answered'; fingerprint: Uint8Array; sealed: Uint8Array };

export interface IdempotencyStore {
  claim(id: Uint8Array): Claim;
  /** Does the work and keeps what it gives in one transaction: both are there, or neither. */
  keepAnswer<T>(id: Uint8Array, work: () => { result: T } & SealedAnswer): T;
  /** The work has failed: the next request is the first one again. */
  releaseClaim(id: Uint8Array): void;
  /** Erases what is older than `limits.idempotency.keptMs`, or leaves that to the next time. */
  eraseOldAnswers(): void;
}

export interface SealedAnswer {
  /** Of the parameters. */
  fingerprint: Uint8Array;
  sealed: Uint8Array;
}

export function createIdempotencyStore(db: DatabaseSync, now: () => number): IdempotencyStore {
  const { keptMs, claimMs } = limits.idempotency;
  // A claim that nobody has answered for so long belongs to a process that is gone.
  const insert = db.prepare(
    `INSERT INTO idempotency (id, claimed_at) VALUES (:id, :now)
     ON CONFLICT DO UPDATE SET claimed_at = :now WHERE sealed IS NULL AND claimed_at <= :stale
     RETURNING id`,
  );
  const select = db.prepare('SELECT fingerprint, sealed FROM idempotency WHERE id = ?');
  const keep = db.prepare('UPDATE idempotency SET fingerprint = ?, sealed = ? WHERE id = ?');
  const release = db.prepare('DELETE FROM idempotency WHERE id = ? AND sealed IS NULL');
  const erase = db.prepare('DELETE FROM idempotency WHERE claimed_at <= ?');

  function eraseOldAnswers(): void {
    erase.run(now() - keptMs);
  }

  function claim(id: Uint8Array): Claim {
    eraseOldAnswers();
    if (insert.get({ id, now: now(), stale: now() - claimMs })) return { state: 'claimed' };
    const found = select.get(id) as unknown as Partial<SealedAnswer> | undefined;
    if (!found?.fingerprint || !found.sealed) return { state: 'running' };
    return { state: 'answered', fingerprint: found.fingerprint, sealed: found.sealed };
  }

  return {
    claim: (id) => inTransaction(db, () => claim(id)),
    keepAnswer: (id, work) =>
      inDurableTransaction(db, () => {
        const { result, fingerprint, sealed } = work();
        keep.run(fingerprint, sealed, id);
        return result;
      }),
    releaseClaim: (id) => void release.run(id),
    eraseOldAnswers: () => void withoutWaiting(db, eraseOldAnswers),
  };
}
