/** Secrets that sign webhooks, encrypted at rest. */

import { basename } from 'node:path';
import { webhookKey } from '../../../base/config/values.ts';
import { SecretKeyError } from '../../../base/errors.ts';
import { randomBytes } from '../../../base/world/chance.ts';
import { process } from '../../../base/world/process.ts';
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

/** Machines with other folders share the key by this setting. */
const KEY_SETTING = 'TAPEWORKS_WEBHOOK_KEY';

/**
 * Returns encryption with the key of the setting, else with that of a file outside the database.
 * Reads the file each time (20 µs), so that a restored file works at once. Jobs know their folder,
 * not the settings, so the key comes from the environment.
 *
 * @param isShared True if machines with other folders read the secrets too.
 * @throws {ConfigError} the setting holds no key.
 */
export function createSecretVault(keyPath: string, isShared = false) {
  const text = process.env[KEY_SETTING]?.trim();
  const given = text ? webhookKey(KEY_SETTING, text) : undefined;
  return {
    isShared,
    /** Encrypts a secret; creates the file at first use. @throws {SecretKeyError} it holds no key. */
    seal: (webhookId: string, secret: string) =>
      sealText(given ?? readOrMakeKeyFile(keyPath), secret, webhookId),
    /** Decrypts a secret. @throws {SecretKeyError} the file is missing, or this is another key. */
    open(webhookId: string, sealed: Uint8Array): string {
      const key = given ?? readKeyFile(keyPath);
      try {
        return openText(key, sealed, webhookId);
      } catch (cause) {
        const name = basename(keyPath);
        const other = given
          ? `another key than that of ${KEY_SETTING}: set that one (it may stand in ${name}), or `
          : `another ${name} than the one in the data directory: put that one back, or `;
        throw new SecretKeyError(
          `The secret of webhook "${webhookId}" was encrypted with ${other}rotate the secret`,
          { cause },
        );
      }
    },
  };
}
