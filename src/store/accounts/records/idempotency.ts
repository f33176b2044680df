/**
 * Requests that must run once. The first request claims a record and does the work; a repeat finds
 * its response there. The record's id and its cipher derive from the caller's raw key, which is
 * stored nowhere, so only that caller finds and reads it.
 */

import { createHmac, hkdfSync } from 'node:crypto';
import { limits } from '../../../base/limits.ts';
import { CIPHER_KEY_BYTES, openText, sealText } from '../database/cipher.ts';
import type { Sql } from '../database/sql.ts';

export type Claim =
  /** The caller is the first, and must keep a response or release the claim. */
  | { state: 'claimed'; claimedMs: number }
  /** Another request with the same record is still running. */
  | { state: 'running' }
  | { state: 'answered'; fingerprint: Uint8Array; sealed: Uint8Array };

export interface SealedAnswer {
  /** Keyed hash of the parameters. */
  fingerprint: Uint8Array;
  sealed: Uint8Array;
}

/** Takes the newest time of responses that are too old. */
export const ERASE_ANSWERS = 'DELETE FROM idempotency WHERE claimed_at <= ?';

export function createIdempotencyStore(sql: Sql, now: () => number) {
  const { keptMs, claimMs } = limits.idempotency;
  // A claim this old belongs to a process that was killed.
  const insert = `INSERT INTO idempotency (id, claimed_at) VALUES (:id, :now)
     ON CONFLICT (id) DO UPDATE SET claimed_at = excluded.claimed_at
       WHERE idempotency.sealed IS NULL AND idempotency.claimed_at <= :stale
     RETURNING claimed_at`;
  const select = 'SELECT fingerprint, sealed FROM idempotency WHERE id = ?';
  const keep = `UPDATE idempotency SET fingerprint = ?, sealed = ?
     WHERE id = ? AND claimed_at = ? AND sealed IS NULL`;
  const release = 'DELETE FROM idempotency WHERE id = ? AND claimed_at = ? AND sealed IS NULL';

  return {
    /** Claims a record, for one caller of all processes. Erases old responses. */
    claim: (id: Uint8Array): Promise<Claim> =>
      sql.transaction(async (tx): Promise<Claim> => {
        await tx.run(ERASE_ANSWERS, now() - keptMs);
        const values = { id, now: now(), stale: now() - claimMs };
        const row = await tx.get<{ claimed_at: number }>(insert, values);
        if (row) return { state: 'claimed', claimedMs: row.claimed_at };
        const found = await tx.get<Partial<SealedAnswer>>(select, id);
        if (!found?.fingerprint || !found.sealed) return { state: 'running' };
        return { state: 'answered', fingerprint: found.fingerprint, sealed: found.sealed };
      }),
    /**
     * Keeps the response of a claim, in the transaction of its work.
     *
     * @returns false if another caller has taken the claim, as this one was too slow.
     */
    keepResponse: async (
      id: Uint8Array,
      claimedMs: number,
      { fingerprint, sealed }: SealedAnswer,
    ): Promise<boolean> => (await sql.run(keep, fingerprint, sealed, id, claimedMs)) > 0,
    /** Releases a claim whose work has failed, so that the next request runs it. */
    async releaseClaim(id: Uint8Array, claimedMs: number): Promise<void> {
      await sql.run(release, id, claimedMs);
    },
    /** Erases responses older than `limits.idempotency.keptMs`, unless another process writes. */
    eraseOldAnswers: (): Promise<unknown> =>
      sql
        .transaction((tx) => tx.run(ERASE_ANSWERS, now() - keptMs), { isImpatient: true })
        .catch(() => undefined),
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
