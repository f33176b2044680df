/** Every `error.type`: the statuses that carry it, and the texts of its documentation page. */

import { z } from 'zod';

export interface ErrorTypeSpec {
  statuses: readonly number[];
  title: string;
  meaning: string;
  remedy: string;
}

export const ERROR_TYPES = {
  invalid_request_error: {
    statuses: [400, 405, 406, 408, 412, 413, 414, 415, 416, 426, 431],
    title: 'Invalid request',
    meaning:
      'A parameter is unknown, repeated, out of range or contradicts another one. Or the path does ' +
      'not support the method, the format or the size of the request.',
    remedy:
      'The message names the parameter, the value received and what was expected. Change the ' +
      'request; repeating it unchanged gives the same response.',
  },
  authentication_error: {
    statuses: [401],
    title: 'Missing or invalid key',
    meaning:
      'Every path under /v1/svc needs a key. The key is missing, unknown, revoked or expired, or ' +
      'X-API-Key and Authorization carry different keys.',
    remedy:
      'Send the key as "X-API-Key: svc_live_…" (real data) or "X-API-Key: svc_test_…" (sandbox). ' +
      '"Authorization: Bearer …" is accepted too.',
  },
  permission_error: {
    statuses: [403],
    title: 'Missing permission',
    meaning:
      'The key is valid but lacks the scope that the operation needs, or its account is suspended. ' +
      'A key can only create keys with scopes that it has itself.',
    remedy: 'The message names the scope. Use a key that has it, or ask for one.',
  },
  not_found_error: {
    statuses: [404],
    title: 'Not found',
    meaning: 'The path, the symbol or the id does not exist in the mode of the key.',
    remedy:
      'Check the spelling and the mode: a svc_test_ key reads only the sandbox, a svc_live_ key ' +
      'only real data.',
  },
  idempotency_error: {
    statuses: [409],
    title: 'Idempotency key already used',
    meaning:
      'The Idempotency-Key was used with other parameters, or its first request is still running.',
    remedy: 'Use a new key for a new request; repeat a request with exactly the same parameters.',
  },
  rate_limit_error: {
    statuses: [429],
    title: 'Rate limit or token quota exceeded',
    meaning:
      'The key has used its requests of the current window, or its account the tokens of the day; ' +
      'or too many requests without a valid key came from this address.',
    remedy:
      'Wait for the seconds in Retry-After. X-SVC-RateLimit-Limit, -Remaining and -Reset come with ' +
      'every response, so a client can slow down in time.',
  },
  api_error: {
    statuses: [500],
    title: 'Server error',
    meaning: 'The server failed; the request is not the cause.',
    remedy: 'The log of the server has the cause under the request_id of the response.',
  },
  overloaded_error: {
    statuses: [503],
    title: 'Service unavailable',
    meaning: 'There is no data yet, or a part of the server is busy or damaged.',
    remedy: 'Try again later, waiting longer each time.',
  },
} as const satisfies Record<string, ErrorTypeSpec>;

export type ErrorType = keyof typeof ERROR_TYPES;

const typeByStatus = new Map<number, ErrorType>();
for (const [type, { statuses }] of Object.entries(ERROR_TYPES)) {
  for (const status of statuses) typeByStatus.set(status, type as ErrorType);
}

/** Returns the type of a status; `api_error` for a status without one. */
export function errorTypeFromStatus(status: number): ErrorType {
  return typeByStatus.get(status) ?? 'api_error';
}

/** Envelope of every error. */
export const errorSchema = z
  .strictObject({
    error: z.strictObject({
      message: z.string().min(1).describe('For people: what is wrong, and what was expected.'),
      type: z
        .enum(Object.keys(ERROR_TYPES) as [ErrorType, ...ErrorType[]])
        .describe('For programs; see `docs_url`.'),
      docs_url: z.string().describe('A page on this server about errors of the type.'),
    }),
    request_id: z
      .string()
      .regex(/^req_[0-9a-z]+$/)
      .describe('As in the header `X-Request-Id` and in the log of the server.'),
  })
  .meta({ id: 'Error' });
