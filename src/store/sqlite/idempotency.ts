/**
 * Requests that must run once. The first request claims a record and does the work; a repeat finds
 * its response there. The record's id and its cipher derive from the caller's raw key, which is
 * stored nowhere, so only that caller finds and reads it.
 */

import { createHmac, hkdfSync } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { limits } from '../../base/limits.ts';
import { CIPHER_KEY_BYTES, openText, sealText } from './database/cipher.ts';
import { inTransaction, withoutWaiting } from './database/transaction.ts';

export type Claim =
  /** The caller is the first, and must keep a response or release the claim. */
  | { state: 'claimed' }
  /** Another request with the same record is still running. */
  | { state: 'running' }
  | { state: 'answered'; fingerprint: Uint8Array; sealed: Uint8Array };

export interface SealedAnswer {
  /** Keyed hash of the parameters. */
  fingerprint: Uint8Array;
  sealed: Uint8Array;
}

export function createIdempotencyStore(db: DatabaseSync, now: () => number) {
  const { keptMs, claimMs } = limits.idempotency;
  // A claim this old belongs to a process that was killed.
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
    claim: (id: Uint8Array): Claim => inTransaction(db, () => claim(id)),
    /** Keeps the response of a claim in the transaction of its work. */
    keepAnswer: (id: Uint8Array, { fingerprint, sealed }: SealedAnswer) =>
      void keep.run(fingerprint, sealed, id),
    /** Releases a claim whose work has failed, so that the next request runs it. */
    releaseClaim: (id: Uint8Array) => void release.run(id),
    /** Erases responses older than `limits.idempotency.keptMs`, unless another process writes. */
    eraseOldAnswers: () => void withoutWaiting(db, eraseOldAnswers),
  };
}

/**
 * Derives the id of a record, which does not reveal the key, and its cipher.
 *
 * @param rawKey The caller's API key: 196 random bits, so no slow derivation is needed.
 * @param use Method, path and the caller's Idempotency-Key.
 */
export function answerSeal(rawKey: string, use: string) {
  const length = CIPHER_KEY_BYTES;
  const derived = Buffer.from(
    hkdfSync('sha256', rawKey, use, 'tapeworks idempotency 1', 3 * length),
  );
  const id = derived.subarray(0, length);
  const cipherKey = derived.subarray(length, 2 * length);
  const fingerprintKey = derived.subarray(2 * length);
  return {
    id,
    /** Returns a hash that is equal for equal parameters and does not reveal them. */
    fingerprintOf: (parameters: string) =>
      createHmac('sha256', fingerprintKey).update(parameters).digest(),
    seal: (answer: string) => sealText(cipherKey, answer),
    open: (sealed: Uint8Array) => openText(cipherKey, sealed),
  };
}
