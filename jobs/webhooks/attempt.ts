/** One attempt: the signed request and its result. */

import { createHmac } from 'node:crypto';
import { checkedWebhookUrl } from '../../src/base/config/webhook-url.ts';
import { ParameterError } from '../../src/base/errors.ts';
import { type Agents, discard, send } from '../../src/base/http/send.ts';
import { limits } from '../../src/base/limits.ts';
import { timeoutSignal } from '../../src/base/world/clock.ts';
import { retryAfterMs } from '../../src/ingest/http/failure.ts';
import type { ClaimedDelivery } from '../../src/store/accounts/webhooks/delivery-queue.ts';
import { PrivateAddressError } from './guarded-agent.ts';

export interface AttemptResult {
  status: number | null;
  error: string | null;
  retryAfterMs: number | undefined;
}

export interface AttemptOptions {
  agents: Agents;
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
  const { agents, allowPrivate, secrets, nowMs, signal } = options;
  const { responseMs = limits.webhook.responseMs } = options;
  const timeout = timeoutSignal(responseMs);
  try {
    const response = await send(checkedWebhookUrl(url, allowPrivate), {
      agents,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'tapeworks-webhooks',
        ...signatureHeaders(eventId, body, secrets, nowMs),
      },
      body,
      signal: AbortSignal.any([signal, timeout]),
      connectMs: limits.webhook.connectMs,
    });
    // Only the status counts; the body is not awaited.
    discard(response, limits.webhook.responseBytesMax).catch(() => undefined);
    const wishMs = retryAfterMs(response.headers['retry-after'], nowMs);
    return { status: response.statusCode ?? null, error: null, retryAfterMs: wishMs };
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
const AFTER_CONNECTION = /^(HPE_|ERR_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPIPE|ECONNRESET)/;

/**
 * Describes an error without details of this machine's network: a private name reads like one that
 * does not exist.
 */
function wordsOf(error: unknown, allowPrivate: boolean): string {
  if (error instanceof ParameterError) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  if (!allowPrivate && !AFTER_CONNECTION.test(code ?? '')) return NO_CONNECTION;
  if (error instanceof PrivateAddressError) return message;
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
