/** Answers that only who has the raw key can find and read. */

import { createHmac, hkdfSync } from 'node:crypto';
import { CIPHER_KEY_BYTES, openText, sealText } from './webhooks/cipher.ts';

/** The secrets of one record of idempotency. */
export interface AnswerSeal {
  /** Of the record; says nothing of what it follows from. */
  id: Buffer;
  /** Equal for equal parameters; says nothing of them. */
  fingerprintOf(parameters: string): Buffer;
  seal(answer: string): Buffer;
  open(sealed: Uint8Array): string;
}

/**
 * @param rawKey The caller's API key: 196 random bits, so that no slow derivation is needed.
 * @param use    What the record is for: method, path and the caller's Idempotency-Key.
 */
export function answerSeal(rawKey: string, use: string): AnswerSeal {
  const length = CIPHER_KEY_BYTES;
  const derived = Buffer.from(
    hkdfSync('sha256', rawKey, use, 'tapeworks idempotency 1', 3 * length),
  );
  const id = derived.subarray(0, length);
  const cipherKey = derived.subarray(length, 2 * length);
  const fingerprintKey = derived.subarray(2 * length);
  return {
    id,
    fingerprintOf: (parameters) => createHmac('sha256', fingerprintKey).update(parameters).digest(),
    seal: (answer) => sealText(cipherKey, answer),
    open: (sealed) => openText(cipherKey, sealed),
  };
}
