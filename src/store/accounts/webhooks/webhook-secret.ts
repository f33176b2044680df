/** Secrets that sign webhooks, encrypted at rest. */

import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { SecretKeyError } from '../../../base/errors.ts';
import { openText, sealText } from '../database/cipher.ts';
import { readKeyFile, readOrMakeKeyFile } from './key-file.ts';

/** Prefix of the Standard Webhooks specification. */
export const SECRET_PREFIX = 'whsec_';

/** The specification asks for 24 to 64. */
const SECRET_BYTES = 32;

export function randomWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export type SecretVault = ReturnType<typeof createSecretVault>;

/**
 * Returns encryption with the key of a file outside the database. Reads the file each time (20 µs),
 * so that a restored file works at once.
 *
 * @param isShared True if machines with other folders read the secrets too.
 */
export function createSecretVault(keyPath: string, isShared = false) {
  return {
    isShared,
    /** Encrypts a secret; creates the file at first use. @throws {SecretKeyError} it holds no key. */
    seal: (webhookId: string, secret: string) =>
      sealText(readOrMakeKeyFile(keyPath), secret, webhookId),
    /** Decrypts a secret. @throws {SecretKeyError} the file is missing, or holds another key. */
    open(webhookId: string, sealed: Uint8Array): string {
      const key = readKeyFile(keyPath);
      try {
        return openText(key, sealed, webhookId);
      } catch (cause) {
        const name = basename(keyPath);
        throw new SecretKeyError(
          `The secret of webhook "${webhookId}" was encrypted with another ${name} than the one ` +
            'in the data directory: put that one back, or rotate the secret',
          { cause },
        );
      }
    },
  };
}
