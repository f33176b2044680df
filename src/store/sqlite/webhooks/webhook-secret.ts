/** Secrets that webhooks are signed with, and how they are stored. */

import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { SecretKeyError } from '../../../base/errors.ts';
import { readKeyFile, readOrMakeKeyFile } from '../keys/key-file.ts';
import { openText, sealText } from './cipher.ts';

/** As the Standard Webhooks specification spells them. */
export const SECRET_PREFIX = 'whsec_';

/** The specification asks for 24 to 64. */
const SECRET_BYTES = 32;

export function randomWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Encrypted with the key in a file that lies outside of the database. */
export interface SecretVault {
  /** Makes the file at first use. @throws {SecretKeyError} it holds no key. */
  seal(webhookId: string, secret: string): Buffer;
  /** @throws {SecretKeyError} the file is missing, or holds another key. */
  open(webhookId: string, sealed: Uint8Array): string;
}

/** The file is read each time, some 20 µs, so that one that is put back works at once. */
export function createSecretVault(keyPath: string): SecretVault {
  return {
    seal: (webhookId, secret) => sealText(readOrMakeKeyFile(keyPath), secret, webhookId),
    open(webhookId, sealed) {
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
