/** Answers of operations: successes with their formats, errors with the envelope. */

import { errorTypeFromStatus } from '../../http/error-types.ts';
import { type Format, MEDIA_TYPES } from '../../http/format.ts';
import type { RouteAccess } from '../../http/route-access.ts';
import type { AnswerHeader } from './answer-headers.ts';
import type { DescribedRoute, ErrorStatus, RouteContract } from './contract.ts';
import { csvExample } from './csv-example.ts';
import type {
  Example,
  JsonSchema,
  MediaType,
  Reference,
  RequestBody,
  ResponseObject,
} from './document-types.ts';
import { ERROR_ANSWERS, errorStatuses } from './error-answers.ts';

const RATE_LIMIT: readonly AnswerHeader[] = [
  'X-SVC-RateLimit-Limit',
  'X-SVC-RateLimit-Remaining',
  'X-SVC-RateLimit-Reset',
];

const ERROR_HEADERS: Readonly<Partial<Record<ErrorStatus, readonly AnswerHeader[]>>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Statuses whose answer is never one to a valid key. */
const KEYLESS: readonly ErrorStatus[] = [401, 431];

function headersFrom(names: readonly AnswerHeader[]): Record<string, Reference> {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  );
}

function examplesOf(
  contract: RouteContract,
  pick: (example: RouteContract['examples'][number]) => unknown,
): Record<string, Example> {
  const entries = contract.examples
    .map((example) => [example.title, pick(example)] as const)
    .filter(([, value]) => value !== undefined)
    .map(([summary, value], i) => [`example${i + 1}`, { summary, value }] as const);
  return Object.fromEntries(entries);
}

function contentOf(contract: RouteContract, schema: JsonSchema | undefined) {
  const media: Record<Format, () => MediaType> = {
    json: () => ({
      schema: schema ?? {},
      examples: examplesOf(contract, ({ answer }) => answer),
    }),
    csv: () => ({
      schema: { type: 'string' },
      examples: {
        example1: { summary: 'Comma-separated', value: csvExample(contract.examples[0]) },
      },
    }),
    // One of bytes has no type in JSON Schema.
    arrow: () => ({ schema: { contentMediaType: MEDIA_TYPES.arrow } }),
  };
  const formats = contract.formats ?? (schema ? (['json'] as const) : []);
  return Object.fromEntries(formats.map((format) => [MEDIA_TYPES[format], media[format]()]));
}

/** Whether an answer in CSV or Arrow says in headers what JSON says in the envelope of a page. */
function isTabularPage({ query, formats }: RouteContract): boolean {
  return 'cursor' in query.shape && formats !== undefined;
}

function successOf(
  contract: RouteContract,
  schema: JsonSchema | undefined,
  keyHeaders: readonly AnswerHeader[],
): ResponseObject {
  const content = contentOf(contract, schema);
  const headers: AnswerHeader[] = [
    'X-Request-Id',
    ...keyHeaders,
    ...(contract.status === 204 ? [] : (['Cache-Control'] as const)),
    ...(contract.isTagged ? (['ETag'] as const) : []),
    ...(contract.isIdempotent ? (['Idempotent-Replayed'] as const) : []),
    ...(isTabularPage(contract) ? (['X-SVC-Total-Count', 'X-SVC-Next-Cursor'] as const) : []),
    ...(contract.headers ?? []),
  ];
  return {
    description: contract.summary,
    headers: headersFrom(headers),
    ...(Object.keys(content).length > 0 && { content }),
  };
}

/** @param schema Default: the envelope alone. */
function errorResponse(
  status: ErrorStatus,
  message: string,
  schema: JsonSchema = { $ref: '#/components/schemas/Error' },
  more: Record<string, unknown> = {},
): ResponseObject {
  const type = errorTypeFromStatus(status);
  const value = {
    error: { message, type, docs_url: `http://127.0.0.1:8787/docs/errors/${type}` },
    request_id: 'req_5f0c6a1b2c3d0000001a',
    ...more,
  };
  const headers: AnswerHeader[] = [
    'X-Request-Id',
    ...(KEYLESS.includes(status) ? [] : RATE_LIMIT),
    ...(ERROR_HEADERS[status] ?? []),
  ];
  return {
    description: ERROR_ANSWERS[status].description,
    headers: headersFrom(headers),
    content: {
      [MEDIA_TYPES.json]: { schema, examples: { example1: { summary: message, value } } },
    },
  };
}

function errorName(status: ErrorStatus): string {
  return `Error${status}`;
}

/** Of methods that a path does not take; no operation has it. */
function otherMethodResponse(): ResponseObject {
  const message = 'method must be one of GET, HEAD, OPTIONS, got "PUT"';
  const { headers, content } = errorResponse(400, message);
  return {
    description: 'The path does not support this method; `Allow` lists those it does.',
    headers: { ...headers, ...headersFrom(['Allow']) },
    content,
  };
}

/** What operations share, by the names that they refer to. */
export function sharedResponses(): Record<string, ResponseObject> {
  const statuses = Object.keys(ERROR_ANSWERS)
    .map((status) => Number(status) as ErrorStatus)
    // Each operation has its own, which names the scope.
    .filter((status) => status !== 403);
  const errors = statuses.map((status) => {
    const { message } = ERROR_ANSWERS[status];
    return [errorName(status), errorResponse(status, message)] as const;
  });
  return {
    NotModified: {
      description: 'Nothing has changed since the response with this `ETag`.',
      headers: headersFrom(['X-Request-Id', ...RATE_LIMIT, 'Cache-Control', 'ETag']),
    },
    ...Object.fromEntries(errors),
    Error405: otherMethodResponse(),
  };
}

export interface OperationSchemas {
  /** Of the JSON of a success. */
  answer: JsonSchema | undefined;
  /** Of errors that say more than the envelope. */
  errors: Readonly<Partial<Record<ErrorStatus, JsonSchema>>>;
}

function errorOf(
  contract: RouteContract,
  status: ErrorStatus,
  access: RouteAccess | undefined,
  schemas: OperationSchemas,
): ResponseObject | Reference {
  const given = contract.errors?.[status];
  const schema = schemas.errors[status];
  if (schema) {
    const more = contract.errorDetails?.[status]?.example ?? {};
    return errorResponse(status, given ?? ERROR_ANSWERS[status].message, schema, more);
  }
  if (status === 403 && access) {
    const message = given ?? `API key lacks the scope "${access.scope}" that this path needs`;
    return errorResponse(status, message);
  }
  if (given === undefined || given === ERROR_ANSWERS[status].message) {
    return { $ref: `#/components/responses/${errorName(status)}` };
  }
  return errorResponse(status, given);
}

/** All answers of an operation, by status. */
export function responsesOf(
  { contract, access }: DescribedRoute,
  schemas: OperationSchemas,
): Record<string, ResponseObject | Reference> {
  const keyHeaders = access ? RATE_LIMIT : [];
  const responses: Record<string, ResponseObject | Reference> = {
    [contract.status ?? 200]: successOf(contract, schemas.answer, keyHeaders),
  };
  if (contract.isTagged) responses[304] = { $ref: '#/components/responses/NotModified' };
  for (const status of errorStatuses(contract, access !== undefined)) {
    responses[status] = errorOf(contract, status, access, schemas);
  }
  return responses;
}

/** A body without fields may as well be left away. */
export function requestBodyOf(
  contract: RouteContract & Required<Pick<RouteContract, 'body'>>,
  schema: JsonSchema,
): RequestBody {
  const hasFields = Object.keys(contract.body.shape).length > 0;
  const examples = examplesOf(contract, ({ body }) => (hasFields ? body : {}));
  return { required: hasFields, content: { [MEDIA_TYPES.json]: { schema, examples } } };
}
