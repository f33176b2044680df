/** `Idempotency-Key`: a repeated request creates nothing and gets the first response again. */

import type { z } from 'zod';
import { HttpError, ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { Accounts, StoredRecords } from '../../store/accounts/records/contract.ts';
import { answerSeal } from '../../store/accounts/records/idempotency.ts';
import { checkedBody } from '../http/body.ts';
import { CONTENT_TYPES } from '../http/format.ts';
import type { RequestContext } from '../http/request-context.ts';
import { type ApiResponse, createResponse, NO_STORE } from '../http/response.ts';
import { rawKeyFromHeaders } from './authenticate.ts';

/**
 * Handles a request that creates something, once for each Idempotency-Key of a caller.
 *
 * @param make Responds to the body. With an Idempotency-Key, its writes and the stored response
 *   share the transaction of the records that it gets, so it awaits nothing else. Its errors are
 *   not stored.
 * @param read Reads the body; default: `checkedBody`.
 */
export type Idempotent = <T>(
  context: RequestContext,
  schema: z.ZodType<T>,
  make: (body: T, accounts: StoredRecords) => Promise<ApiResponse>,
  read?: (context: RequestContext, schema: z.ZodType<T>) => Promise<T>,
) => Promise<ApiResponse>;

const KEY_SHAPE = new RegExp(`^[!-~]{1,${limits.idempotency.keyCharsMax}}$`);

type StoredResponse = [status: number, body: string];

function checkedKey(header: string): string {
  if (KEY_SHAPE.test(header)) return header;
  const rule = `must be 1 to ${limits.idempotency.keyCharsMax} visible ASCII characters`;
  throw new ParameterError('Idempotency-Key', `Idempotency-Key ${rule}`);
}

function repeatedResponse([status, body]: StoredResponse): ApiResponse {
  const headers = [...NO_STORE, 'Idempotent-Replayed', 'true'];
  return createResponse(status, CONTENT_TYPES.json, body, headers);
}

export function createIdempotent(accounts: Accounts): Idempotent {
  return async (context, schema, make, read = checkedBody) => {
    const header = context.headers['idempotency-key'] as string | undefined;
    if (header === undefined) return make(await read(context, schema), accounts);
    const { method, endpoint, params } = context;
    const use = JSON.stringify([method, endpoint, params, checkedKey(header)]);
    const seal = answerSeal(rawKeyFromHeaders(context.headers), use);
    // Claim before reading the body, so that a concurrent repeat fails however slow the first is.
    const claim = await accounts.claim(seal.id);
    if (claim.state === 'running') {
      throw new HttpError(409, 'The first request with this Idempotency-Key is still running');
    }
    try {
      const body = await read(context, schema);
      const fingerprint = seal.fingerprintOf(JSON.stringify(body));
      if (claim.state === 'answered') {
        if (!fingerprint.equals(claim.fingerprint)) {
          throw new HttpError(409, 'This Idempotency-Key was used with other parameters');
        }
        return repeatedResponse(JSON.parse(seal.open(claim.sealed)));
      }
      return await accounts.keepAnswer(seal.id, claim.claimedMs, async (within) => {
        const made = await make(body, within);
        const kept: StoredResponse = [made.status, made.body as string];
        const sealed = seal.seal(JSON.stringify(kept));
        return { result: made, fingerprint, sealed };
      });
    } catch (error) {
      if (claim.state === 'claimed') await accounts.releaseClaim(seal.id, claim.claimedMs);
      throw error;
    }
  };
}
