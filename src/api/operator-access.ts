/**
 * Who may see what is for the operator alone: whoever sits at the machine, and who has the token.
 * To everyone else these paths do not exist.
 */

import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';
import { HttpError } from '../errors.ts';
import type { RequestCounts } from '../store/accounts/request-counts.ts';
import { createFailureCounter, limitedFailure } from './failed-auth.ts';

/**
 * Checks who asks.
 *
 * @throws {HttpError} 404 to strangers; where there is a token, 401 without it, and 429.
 */
export type OperatorCheck = (request: Request) => void;

const LOOPBACK_ADDRESS = /^(?:::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/i;
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;

/** Any of them tells of a proxy, behind which somebody else may be. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

const CHALLENGE = ['WWW-Authenticate', 'Basic realm="tapeworks operator", charset="UTF-8"'];

export function noSuchPath(): HttpError {
  return new HttpError(404, 'No such path');
}

/**
 * @param token Undefined: nobody but this machine may.
 * @param now Milliseconds since the epoch.
 */
export function createOperatorCheck(
  token: string | undefined,
  accounts: Pick<RequestCounts, 'countFailure'>,
  now: () => number,
): OperatorCheck {
  const countFailure = createFailureCounter(accounts);
  const digest = token === undefined ? undefined : digestOf(token);
  return (request) => {
    const { headers } = request;
    // A page of somebody else in the operator's browser.
    if (isForeignPage(headers)) throw noSuchPath();
    if (isOfThisMachine(request)) return;
    if (!digest) throw noSuchPath();
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

/** A name that leads here is told by Host: a page may have any name lead to 127.0.0.1. */
function isOfThisMachine({ socket, headers }: Request): boolean {
  return (
    LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '') &&
    LOOPBACK_HOST.test(headers.host ?? '') &&
    !PROXY_HEADERS.some((name) => headers[name] !== undefined)
  );
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
  const [scheme, value = ''] = authorization.trim().split(/ +/);
  if (/^bearer$/i.test(scheme)) return value;
  if (!/^basic$/i.test(scheme)) return undefined;
  const [, ...password] = Buffer.from(value, 'base64').toString().split(':');
  return password.join(':');
}
