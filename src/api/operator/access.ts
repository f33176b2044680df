/**
 * Access to the operator's paths by token. Without a token in the settings these paths are off. The
 * client's address is not checked: behind a proxy every client may seem to be on this machine.
 */

import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';
import { HttpError } from '../../base/errors.ts';
import type { RequestCounts } from '../../store/accounts/usage/request-counts.ts';
import { createFailureCounter, limitedFailure } from '../access/failed-auth.ts';

/**
 * Checks the token of a request.
 *
 * @throws {HttpError} 404 if no token is set, and to pages of other origins; 401 without the token;
 *   429 after too many attempts.
 */
export type OperatorCheck = (request: Request) => void;

const CHALLENGE = ['WWW-Authenticate', 'Basic realm="tapeworks operator", charset="UTF-8"'];

export function noSuchPath(): HttpError {
  return new HttpError(404, 'No such path');
}

/**
 * @param token Undefined: the paths are off.
 * @param now Milliseconds since the epoch.
 */
export function createOperatorCheck(
  token: string | undefined,
  accounts: Pick<RequestCounts, 'countFailure'>,
  now: () => number,
): OperatorCheck {
  if (token === undefined) {
    return () => {
      throw new HttpError(404, 'This path is off: it needs the setting TAPEWORKS_ADMIN_TOKEN');
    };
  }
  const countFailure = createFailureCounter(accounts);
  const digest = digestOf(token);
  return (request) => {
    const { headers } = request;
    // A foreign page in the operator's browser.
    if (isForeignPage(headers)) throw noSuchPath();
    const given = tokenFromHeaders(headers);
    if (given !== undefined && timingSafeEqual(digestOf(given), digest)) return;
    const reason = given === undefined ? 'missing' : 'wrong';
    const failure = new HttpError(401, `Operator token is ${reason}`, CHALLENGE);
    const nowMs = now();
    throw limitedFailure(failure, countFailure(request.ip, nowMs), nowMs);
  };
}

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** Returns true for requests from foreign pages; links, images and scripts have no Origin. */
function isForeignPage({ origin, host, ...headers }: IncomingHttpHeaders): boolean {
  if (origin !== undefined) return !(URL.canParse(origin) && new URL(origin).host === host);
  const site = headers['sec-fetch-site'] ?? 'none';
  // A followed link opens this server's page, which the foreign page can't read.
  const isFollowed =
    headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return !['none', 'same-origin'].includes(String(site)) && !isFollowed;
}

/** Reads the token of `Bearer`, or the password of `Basic` with any user, which browsers prompt for. */
function tokenFromHeaders({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  const [scheme, value = '', ...more] = authorization.trim().split(/ +/);
  // Node joins repeated headers with commas.
  if (more.length > 0) return undefined;
  if (/^bearer$/i.test(scheme)) return value;
  if (!/^basic$/i.test(scheme)) return undefined;
  const [, ...password] = Buffer.from(value, 'base64').toString().split(':');
  return password.join(':');
}
