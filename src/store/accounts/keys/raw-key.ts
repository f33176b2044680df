import { createHash } from 'node:crypto';
import type { Mode } from '../../../base/config/data-dir.ts';
import { randomBytes, randomInt } from '../../../base/world/chance.ts';

export const KEY_PREFIXES: Record<Mode, string> = { live: 'svc_live_', sandbox: 'svc_test_' };

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 33 characters of 62 kinds are 196 bits, too many to search, so a plain hash is enough. */
const RANDOM_CHARS = 33;
const ID_CHARS = 20;
const RECORD_BYTES = 15;
const SHOWN_CHARS = 12;

function randomText(length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += ALPHABET[randomInt(ALPHABET.length)];
  return text;
}

export function randomRawKey(mode: Mode): string {
  return KEY_PREFIXES[mode] + randomText(RANDOM_CHARS);
}

export function randomKeyId(): string {
  return `key_${randomText(ID_CHARS)}`;
}

export function randomAccountId(): string {
  return `acct_${randomText(ID_CHARS)}`;
}

/** Returns an id of a record that an account makes: a webhook, a screen, a backfill. */
export function randomRecordId(prefix: 'wh' | 'scr' | 'bf'): string {
  return `${prefix}_${randomBytes(RECORD_BYTES).toString('hex')}`;
}

export function modeFromRawKey(rawKey: string): Mode | undefined {
  if (rawKey.startsWith(KEY_PREFIXES.live)) return 'live';
  if (rawKey.startsWith(KEY_PREFIXES.sandbox)) return 'sandbox';
  return undefined;
}

export function keyPrefixFromRawKey(rawKey: string): string {
  return rawKey.slice(0, SHOWN_CHARS);
}

/** Returns the SHA-256, the only form in which a key is stored. */
export function hashFromRawKey(rawKey: string): Buffer {
  return createHash('sha256').update(rawKey).digest();
}
