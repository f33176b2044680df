/** `Idempotency-Key`: a request that is repeated makes nothing new and gets the same answer. */

import type { z } from 'zod';
import { HttpError, ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits/limits.ts';
import type { Accounts } from '../../store/sqlite/accounts.ts';
import { answerSeal } from '../../store/sqlite/idempotency.ts';
import { checkedBody } from '../http/body.ts';
import { CONTENT_TYPES } from '../http/format.ts';
import type { Exchange } from '../http/request-context.ts';
import { type Answer, createAnswer, NO_STORE } from '../http/response.ts';
import { rawKeyFromHeaders } from './authenticate.ts';

/**
 * Answers a request that makes something, once for each Idempotency-Key of a caller.
 *
 * @param make Gives the answer to the body; must not wait, so that what it makes and the kept
 *   answer are stored in one transaction. What it throws is not kept.
 * @param read Reads the body; default: `checkedBody`.
 */
export type Idempotent = <T>(
  exchange: Exchange,
  schema: z.ZodType<T>,
  make: (body: T) => Answer,
  read?: (exchange: Exchange, schema: z.ZodType<T>) => Promise<T>,
) => Promise<Answer>;

const KEY_SHAPE = new RegExp(`^[!-~]{1,${limits.idempotency.keyCharsMax}}$`);

type KeptAnswer = [status: number, body: string];

function checkedKey(header: string): string {
  if (KEY_SHAPE.test(header)) return header;
  const rule = `must be 1 to ${limits.idempotency.keyCharsMax} visible ASCII characters`;
  throw new ParameterError('Idempotency-Key', `Idempotency-Key ${rule}`);
}

function repeatedAnswer([status, body]: KeptAnswer): Answer {
  const headers = [...NO_STORE, 'Idempotent-Replayed', 'true'];
  return createAnswer(status, CONTENT_TYPES.json, body, headers);
}

export function createIdempotent(accounts: Accounts): Idempotent {
  return async (exchange, schema, make, read = checkedBody) => {
    const header = exchange.headers['idempotency-key'] as string | undefined;
    if (header === undefined) return make(await read(exchange, schema));
    const { method, endpoint, params } = exchange;
    const use = JSON.stringify([method, endpoint, params, checkedKey(header)]);
    const seal = answerSeal(rawKeyFromHeaders(exchange.headers), use);
    // Before the body is read, so that a twin is refused however slowly the first one arrives.
    const claim = accounts.claim(seal.id);
    if (claim.state === 'running') {
      throw new HttpError(409, 'The first request with this Idempotency-Key has not ended yet');
    }
    try {
      const body = await read(exchange, schema);
      const fingerprint = seal.fingerprintOf(JSON.stringify(body));
      if (claim.state === 'answered') {
        if (!fingerprint.equals(claim.fingerprint)) {
          throw new HttpError(409, 'This Idempotency-Key came with other parameters before');
        }
        return repeatedAnswer(JSON.parse(seal.open(claim.sealed)));
      }
      return accounts.keepAnswer(seal.id, () => {
        const made = make(body);
        const kept: KeptAnswer = [made.status, made.body as string];
        const sealed = seal.seal(JSON.stringify(kept));
        return { result: made, fingerprint, sealed };
      });
    } catch (error) {
      if (claim.state === 'claimed') accounts.releaseClaim(seal.id);
      throw error;
    }
  };
}
