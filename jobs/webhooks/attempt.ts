/** One attempt: the request, and what came of it. */

import { createHmac } from 'node:crypto';
import { type Dispatcher, errors, request } from 'undici';
import { checkedWebhookUrl } from '../../src/base/config/webhook-url.ts';
import { ParameterError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits/limits.ts';
import { retryAfterMs } from '../../src/ingest/http/retry-wait.ts';
import type { ClaimedDelivery } from '../../src/store/sqlite/webhooks/delivery-queue.ts';
import { PrivateAddressError } from './guarded-agent.ts';

export interface AttemptResult {
  /** Of the answer; null where there was none. */
  status: number | null;
  /** Why there was none; null otherwise. */
  error: string | null;
  /** What the receiver asked for in `Retry-After`. */
  retryAfterMs: number | undefined;
}

export interface AttemptOptions {
  agent: Dispatcher;
  /** As the agent has it: the webhook may be from a time when it was so. */
  allowPrivate: boolean;
  /** What it is signed with. */
  secrets: readonly string[];
  /** Milliseconds since the epoch, which the signature tells. */
  nowMs: number;
  /** For the status to arrive; default `limits.webhook.answerMs`. */
  answerMs?: number;
  /** Aborting ends the attempt with the signal's reason. */
  signal: AbortSignal;
}

/** Sends an event. Redirects are not followed; the answer's body is thrown away. */
export async function attemptDelivery(
  { url, eventId, body }: ClaimedDelivery,
  options: AttemptOptions,
): Promise<AttemptResult> {
  const { agent, allowPrivate, secrets, nowMs, signal } = options;
  const { answerMs = limits.webhook.answerMs } = options;
  const timeout = AbortSignal.timeout(answerMs);
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
    // The status is all that counts, so nobody waits for the rest.
    answer.body.dump({ limit: limits.webhook.answerBytesMax }).catch(() => undefined);
    const retryAfter = [answer.headers['retry-after']].flat()[0];
    const wishMs = retryAfterMs(retryAfter, nowMs);
    return { status: answer.statusCode, error: null, retryAfterMs: wishMs };
  } catch (error) {
    signal.throwIfAborted();
    const silence = `no answer within ${answerMs / 1000} s`;
    const why = timeout.aborted ? silence : wordsOf(error, allowPrivate);
    return { status: null, error: why, retryAfterMs: undefined };
  }
}

const NO_CONNECTION =
  'no connection: the name is unknown, leads to no public address, or nothing answers there';

/** Of connections that were made. */
const AFTER_CONNECTION =
  /^(UND_|HPE_|ERR_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPIPE|ECONNRESET)/;

/**
 * What an owner may read: nothing of the network of this machine. Where private networks are not
 * meant, a name that exists there reads like one that does not.
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

/**
 * Signs one attempt as the Standard Webhooks specification has it, symmetric.
 *
 * @param id      Id of the event; the same in every attempt.
 * @param body    Text of the request, sent as UTF-8.
 * @param secrets Secrets in the form `whsec_…`. Each one signs, so a receiver may know any of them.
 * @param nowMs   Time of the attempt.
 */
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
