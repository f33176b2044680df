/** Answers that only who has the raw key can find and read. */

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** The secrets of one record of idempotency. */
export interface AnswerSeal {
  /** Of the record; says nothing of what it follows from. */
  id: Buffer;
  /** Equal for equal parameters; says nothing of them. */
  fingerprintOf(parameters: string): Buffer;
  seal(answer: string): Buffer;
  open(sealed: Uint8Array): string;
}

const CIPHER = 'aes-256-gcm';
const SECRET_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * @param rawKey The caller's API key: 196 random bits, so that no slow derivation is needed.
 * @param use    What the record is for: method, path and the caller's Idempotency-Key.
 */
export function answerSeal(rawKey: string, use: string): AnswerSeal {
  const derived = Buffer.from(
    hkdfSync('sha256', rawKey, use, 'tapeworks idempotency 1', 3 * SECRET_BYTES),
  );
  const id = derived.subarray(0, SECRET_BYTES);
  const cipherKey = derived.subarray(SECRET_BYTES, 2 * SECRET_BYTES);
  const fingerprintKey = derived.subarray(2 * SECRET_BYTES);
  return {
    id,
    fingerprintOf: (parameters) => createHmac('sha256', fingerprintKey).update(parameters).digest(),
    seal(answer) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, cipherKey, nonce);
      const text = Buffer.concat([cipher.update(answer, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]);
    },
    open(sealed) {
      const bytes = Buffer.from(sealed);
      const decipher = createDecipheriv(CIPHER, cipherKey, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const text = bytes.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
    },
  };
}
