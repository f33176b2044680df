/** One attempt: the signed request and its result. */

import { createHmac } from 'node:crypto';
import { type Dispatcher, errors, request } from 'undici';
import { checkedWebhookUrl } from '../../src/base/config/webhook-url.ts';
import { ParameterError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { retryAfterMs } from '../../src/ingest/http/failure.ts';
import type { ClaimedDelivery } from '../../src/store/accounts/webhooks/delivery-queue.ts';
import { PrivateAddressError } from './guarded-agent.ts';

export interface AttemptResult {
  status: number | null;
  error: string | null;
  retryAfterMs: number | undefined;
}

export interface AttemptOptions {
  agent: Dispatcher;
  /** True to allow private addresses; the webhook may be older than the setting. */
  allowPrivate: boolean;
  secrets: readonly string[];
  /** Time of the signature. */
  nowMs: number;
  /** Timeout of the status; default `limits.webhook.responseMs`. */
  responseMs?: number;
  signal: AbortSignal;
}

/** Sends an event. Follows no redirects and discards the body of the response. */
export async function attemptDelivery(
  { url, eventId, body }: ClaimedDelivery,
  options: AttemptOptions,
): Promise<AttemptResult> {
  const { agent, allowPrivate, secrets, nowMs, signal } = options;
  const { responseMs = limits.webhook.responseMs } = options;
  const timeout = AbortSignal.timeout(responseMs);
  try {
    const answer = await request(checkedWebhookUrl(url, allowPrivate), {
      dispatcher: agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'tapeworks-webhooks',
        ...signatureHeaders(eventId, body, secrets, nowMs),
      },
      body,
      signal: AbortSignal.any([signal, timeout]),
    });
    // Only the status counts; the body is not awaited.
    answer.body.dump({ limit: limits.webhook.responseBytesMax }).catch(() => undefined);
    const retryAfter = [answer.headers['retry-after']].flat()[0];
    const wishMs = retryAfterMs(retryAfter, nowMs);
    return { status: answer.statusCode, error: null, retryAfterMs: wishMs };
  } catch (error) {
    signal.throwIfAborted();
    const silence = `no answer within ${responseMs / 1000} s`;
    const why = timeout.aborted ? silence : wordsOf(error, allowPrivate);
    return { status: null, error: why, retryAfterMs: undefined };
  }
}

const NO_CONNECTION =
  'no connection: the name is unknown, leads to no public address, or nothing answers there';

/** Errors of established connections. */
const AFTER_CONNECTION =
  /^(UND_|HPE_|ERR_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPIPE|ECONNRESET)/;

/**
 * Describes an error without details of this machine's network: a private name reads like one that
 * does not exist.
 */
function wordsOf(error: unknown, allowPrivate: boolean): string {
  if (error instanceof ParameterError) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  const isConnected =
    AFTER_CONNECTION.test(code ?? '') && !(error instanceof errors.ConnectTimeoutError);
  if (!allowPrivate && !isConnected) return NO_CONNECTION;
  if (error instanceof PrivateAddressError) return message;
  if (error instanceof errors.ConnectTimeoutError) return 'no connection in time';
  const words = code === undefined ? message : `connection failed: ${code}`;
  return words.slice(0, limits.webhook.errorCharsMax);
}

const SECRET_PREFIX = /^whsec_/;

/** Signs an attempt by the Standard Webhooks specification, once with each secret (`whsec_…`). */
function signatureHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(SECRET_PREFIX, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
