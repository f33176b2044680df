/** What proves to a receiver who sent a webhook: the Standard Webhooks specification, symmetric. */

import { createHmac } from 'node:crypto';

const SECRET_PREFIX = /^whsec_/;

/**
 * The headers of one attempt.
 *
 * @param id      Of the event; the same in every attempt.
 * @param body    The bytes that are sent are its UTF-8.
 * @param secrets `whsec_…` each; every one of them signs, so that a receiver may know any.
 * @param nowMs   Of the attempt.
 */
export function signatureHeaders(
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
