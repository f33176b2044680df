/**
 * Who may see what is for the operator alone: who sends the token. Where none is set these paths
 * are off. An address proves nothing: a proxy's default settings make every stranger look like a
 * program on this machine.
 */

import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';
import { HttpError } from '../../base/errors.ts';
import type { RequestCounts } from '../../store/sqlite/usage/request-counts.ts';
import { createFailureCounter, limitedFailure } from '../access/failed-auth.ts';

/**
 * Checks who asks.
 *
 * @throws {HttpError} 404 where no token is set, and to pages of other origins; 401 without the
 *   token, and 429.
 */
export type OperatorCheck = (request: Request) => void;

const CHALLENGE = ['WWW-Authenticate', 'Basic realm="tapeworks operator", charset="UTF-8"'];

export function noSuchPath(): HttpError {
  return new HttpError(404, 'No such path');
}

/**
 * @param token Undefined: nobody may.
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
    // A page of somebody else in the operator's browser.
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

/** Browsers send no Origin for links, images and scripts, but say how far off the page is. */
function isForeignPage({ origin, host, ...headers }: IncomingHttpHeaders): boolean {
  if (origin !== undefined) return !(URL.canParse(origin) && new URL(origin).host === host);
  const site = headers['sec-fetch-site'] ?? 'none';
  // A link that is followed opens a page of ours, which the other one can't see.
  const isFollowed =
    headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return !['none', 'same-origin'].includes(String(site)) && !isFollowed;
}

/** Of `Bearer`, or the password of `Basic`, which browsers ask for; its user may be any. */
function tokenFromHeaders({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  const [scheme, value = '', ...more] = authorization.trim().split(/ +/);
  // Node joins repeated headers so.
  if (more.length > 0) return undefined;
  if (/^bearer$/i.test(scheme)) return value;
  if (!/^basic$/i.test(scheme)) return undefined;
  const [, ...password] = Buffer.from(value, 'base64').toString().split(':');
  return password.join(':');
}
