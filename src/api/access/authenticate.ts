/** Finds the API key of a request in its headers. */

import type { IncomingHttpHeaders } from 'node:http';
import { HttpError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { ValidKey } from '../../store/accounts/keys/key-record.ts';
import { modeFromRawKey } from '../../store/accounts/keys/raw-key.ts';
import type { Accounts } from '../../store/accounts/records/contract.ts';

/** Matches joined headers with a Bearer token; other schemes may contain commas themselves. */
const SEVERAL = /^Bearer .*,|, *Bearer /i;

const BEARER = /^Bearer +(\S+) *$/i;

export const CHALLENGE = ['WWW-Authenticate', 'Bearer realm="tapeworks"'];

export function unauthenticated(message: string): HttpError {
  return new HttpError(401, message, CHALLENGE);
}

/** A key of the right form that this machine does not know. */
export class UnknownKeyError extends HttpError {
  constructor() {
    super(401, 'API key is unknown or revoked', CHALLENGE);
  }
}

/**
 * Creates a function that finds the key of a request.
 *
 * It caches valid keys by their text, in memory only, until the accounts change. It checks for
 * changes at most every `limits.key.cacheMs`, so a revocation by another thread takes effect within
 * that time. One by another process also waits for the thread that writes usage to see it.
 *
 * @returns A function of the headers; with the id of a key that a signed link names, of it alone.
 * @throws {HttpError} 401, from the function: no valid key, or two different ones.
 */
export function createAuthenticator(accounts: Accounts) {
  // Apart, since a client that sends the id of a key in a header is not its owner.
  const known = new Map<string, ValidKey>();
  const linked = new Map<string, ValidKey>();
  let version: number | undefined;
  let checkedMs = Number.NEGATIVE_INFINITY;

  function dropStale(nowMs: number): void {
    const ageMs = nowMs - checkedMs;
    if (ageMs >= 0 && ageMs < limits.key.cacheMs) return;
    // Without contact to the accounts it throws, for each request.
    const newest = accounts.version();
    checkedMs = nowMs;
    if (newest !== version) for (const keys of [known, linked]) keys.clear();
    version = newest;
  }

  function find(rawKey: string): ValidKey | undefined {
    if (modeFromRawKey(rawKey)) return accounts.findKey(rawKey);
    throw unauthenticated('API key must start with svc_live_ or svc_test_');
  }

  return (headers: IncomingHttpHeaders, nowMs: number, linkedId?: string): ValidKey => {
    const text = linkedId ?? rawKeyFromHeaders(headers);
    const keys = linkedId === undefined ? known : linked;
    dropStale(nowMs);
    let key = keys.get(text);
    if (!key) {
      key = linkedId === undefined ? find(text) : accounts.findKeyById(linkedId);
      if (!key) throw new UnknownKeyError();
      keys.set(text, key);
    }
    if (nowMs >= key.expiresMs) throw unauthenticated('API key has expired');
    return key;
  };
}

/** Reads the raw key from the headers. @throws {HttpError} 401: none, or two different ones. */
export function rawKeyFromHeaders(headers: IncomingHttpHeaders): string {
  const plain = headers['x-api-key'] as string | undefined;
  const authorization = headers.authorization;
  // Node joins repeated headers with commas.
  if (plain?.includes(',')) throw unauthenticated('X-API-Key must be sent once, with one key');
  if (authorization !== undefined && SEVERAL.test(authorization)) {
    throw unauthenticated('Authorization must be sent once, with one API key');
  }
  const bearer = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
  if (plain !== undefined && bearer !== undefined && plain !== bearer) {
    throw unauthenticated('X-API-Key and Authorization carry different API keys; send one');
  }
  const rawKey = plain ?? bearer;
  if (!rawKey) throw unauthenticated('API key is missing: send it in the header X-API-Key');
  return rawKey;
}
