/** Every `error.type`: the statuses that carry it, and what its documentation page says. */

export interface ErrorTypeSpec {
  statuses: readonly number[];
  title: string;
  meaning: string;
  remedy: string;
}

export const ERROR_TYPES = {
  invalid_request_error: {
    statuses: [400, 405, 406, 408, 413, 414, 415, 431],
    title: 'The request breaks a rule',
    meaning:
      'A parameter is unknown, repeated, out of range or contradicts another one, or the method, ' +
      'the format asked for or the size of the request is not one that this path takes.',
    remedy:
      'The message names the parameter, the value received and what was expected. Change the ' +
      'request; repeating it unchanged gives the same answer.',
  },
  authentication_error: {
    statuses: [401],
    title: 'The key is missing or not valid',
    meaning:
      'Every path under /v1/svc needs a key. It is missing, unknown, revoked or has expired, or ' +
      'X-API-Key and Authorization carry different keys.',
    remedy:
      'Send the key as "X-API-Key: svc_live_…" (real data) or "X-API-Key: svc_test_…" (sandbox). ' +
      '"Authorization: Bearer …" is accepted too.',
  },
  permission_error: {
    statuses: [403],
    title: 'The key may not do this',
    meaning:
      'The key is valid, but it was not granted the scope that this path, or the key it is to ' +
      'create, needs; or its account is suspended.',
    remedy: 'The message names the scope. Use a key that has it, or have one created.',
  },
  not_found_error: {
    statuses: [404],
    title: 'There is no such thing',
    meaning: 'The path, the symbol or the identifier is not known in the mode of the key.',
    remedy:
      'Check the spelling and the mode: a svc_test_ key sees the sandbox only, a svc_live_ key ' +
      'real data only.',
  },
  idempotency_error: {
    statuses: [409],
    title: 'The idempotency key is in use',
    meaning:
      'The same Idempotency-Key came with other parameters, or its first request still runs.',
    remedy: 'Use a new key for a new request; repeat a request with exactly the same parameters.',
  },
  rate_limit_error: {
    statuses: [429],
    title: 'Too many requests or tokens',
    meaning:
      'The key has used up its requests for the current window, or its account the tokens of the ' +
      'day; or too many requests without a valid key came from this address.',
    remedy:
      'Wait for the whole seconds in Retry-After. X-SVC-RateLimit-Limit, -Remaining and -Reset ' +
      'come with every answer, so that a client can slow down before.',
  },
  api_error: {
    statuses: [500],
    title: 'The server failed',
    meaning: 'Something went wrong that is not the request’s fault.',
    remedy: 'The server’s log holds the cause under the request_id of the answer.',
  },
  overloaded_error: {
    statuses: [503],
    title: 'The server cannot answer now',
    meaning: 'No data is readable yet, or a part the answer needs is busy.',
    remedy: 'Try again later, waiting longer each time.',
  },
} as const satisfies Record<string, ErrorTypeSpec>;

export type ErrorType = keyof typeof ERROR_TYPES;

const typeByStatus = new Map<number, ErrorType>();
for (const [type, { statuses }] of Object.entries(ERROR_TYPES)) {
  for (const status of statuses) typeByStatus.set(status, type as ErrorType);
}

/** The type of an answer with this status; a status of no type is an `api_error`. */
export function errorTypeFromStatus(status: number): ErrorType {
  return typeByStatus.get(status) ?? 'api_error';
}
