/** A file that holds one random key, created at first use. */

import { basename, dirname } from 'node:path';
import { webhookKeyFrom } from '../../../base/config/values.ts';
import { syncFolder } from '../../../base/durable-file.ts';
import { SecretKeyError } from '../../../base/errors.ts';
import { randomBytes } from '../../../base/world/chance.ts';
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from '../../../base/world/files.ts';
import { CIPHER_KEY_BYTES } from '../database/cipher.ts';

/** Read and write for the owner only. */
const FILE_MODE = 0o600;

/**
 * Reads the key in the file.
 *
 * @throws {SecretKeyError} there is no such file, it can't be read, or holds no key.
 */
export function readKeyFile(path: string): Buffer {
  const name = basename(path);
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const what = code === 'ENOENT' ? 'is missing' : `cannot be read (${code})`;
    const remedy = 'put it back, or rotate the secrets of the webhooks';
    throw new SecretKeyError(`${name} in the data directory ${what}: ${remedy}`, { cause });
  }
  const key = webhookKeyFrom(text);
  if (key) return key;
  throw new SecretKeyError(
    `${name} in the data directory must hold ${CIPHER_KEY_BYTES} bytes in base64: put the right ` +
      'one back, or remove it and rotate the secrets of the webhooks',
  );
}

/**
 * Reads the key in the file, and creates the file if it is missing. The file is written under
 * another name and then linked, so that of several processes one wins and all read the same key.
 *
 * @throws {SecretKeyError} as `readKeyFile`.
 */
export function readOrMakeKeyFile(path: string): Buffer {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    return readKeyFile(path);
  } catch (error) {
    const { cause } = error as { cause?: NodeJS.ErrnoException };
    if (cause?.code !== 'ENOENT') throw error;
  }
  try {
    const file = openSync(draft, 'wx', FILE_MODE);
    writeFileSync(file, `${randomBytes(CIPHER_KEY_BYTES).toString('base64')}\n`);
    fsyncSync(file);
    closeSync(file);
    linkSync(draft, path);
    syncFolder(dirname(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readKeyFile(path);
}
