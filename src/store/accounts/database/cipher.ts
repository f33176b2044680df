/** Encryption of short texts with AES-256-GCM. */

import { createCipheriv, createDecipheriv } from 'node:crypto';
import { randomBytes } from '../../../base/world/chance.ts';

export const CIPHER_KEY_BYTES = 32;

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a text: nonce, tag and encrypted bytes, in this order.
 *
 * @param place Name of the text's row; the bytes can't be opened for another.
 */
export function sealText(key: Uint8Array, text: string, place = ''): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Decrypts a text. @throws {Error} another key or place, or altered bytes. */
export function openText(key: Uint8Array, bytes: Uint8Array, place = ''): string {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce).setAAD(Buffer.from(place));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = bytes.subarray(NONCE_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
}
