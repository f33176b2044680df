/** Responses of operations: successes with their formats, errors with the envelope. */

import type { z } from 'zod';
import { assert } from '../../../base/errors.ts';
import type { RouteAccess } from '../../access/admission.ts';
import { ERROR_RESPONSES, type ErrorStatus } from '../../contract/error-responses.ts';
import type { ResponseHeader } from '../../contract/response-headers.ts';
import type { RouteContract, RouteExample } from '../../contract/route.ts';
import { errorTypeFromStatus } from '../../http/error-types.ts';
import { type Format, MEDIA_TYPES } from '../../http/format.ts';
import type {
  Example,
  JsonSchema,
  MediaType,
  Reference,
  RequestBody,
  ResponseObject,
} from './document-types.ts';

const RATE_LIMIT: readonly ResponseHeader[] = [
  'X-SVC-RateLimit-Limit',
  'X-SVC-RateLimit-Remaining',
  'X-SVC-RateLimit-Reset',
];

const ERROR_HEADERS: Readonly<Partial<Record<ErrorStatus, readonly ResponseHeader[]>>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  416: ['Content-Range'],
  503: ['Retry-After'],
};

/** Statuses that requests with a valid key never get. */
const KEYLESS: readonly ErrorStatus[] = [401, 431];

/** Statuses of every operation, with and without a key. */
const ALWAYS: readonly ErrorStatus[] = [400, 408, 431, 500, 503];
const WITH_KEY: readonly ErrorStatus[] = [401, 403, 414, 429];
const WITH_BODY: readonly ErrorStatus[] = [413, 415];

/**
 * Returns every error status of an operation, ascending, except 405: it belongs to methods that
 * the path does not support.
 */
function errorStatuses(contract: RouteContract, needsKey: boolean): ErrorStatus[] {
  const statuses = new Set<ErrorStatus>(ALWAYS);
  const add = (more: readonly ErrorStatus[]) => {
    for (const status of more) statuses.add(status);
  };
  if (needsKey) add(WITH_KEY);
  if (contract.path) add([404]);
  if (contract.formats) add([406]);
  if (contract.body || contract.upload) add(WITH_BODY);
  if (contract.isIdempotent) add([409]);
  if (contract.isRanged) add([412, 416]);
  add(Object.keys(contract.errors ?? {}).map((status) => Number(status) as ErrorStatus));
  return [...statuses].sort((a, b) => a - b);
}

function headersFrom(names: readonly ResponseHeader[]): Record<string, Reference> {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  );
}

function examplesOf(
  contract: RouteContract,
  pick: (example: RouteExample) => unknown,
): Record<string, Example> {
  const entries = contract.examples
    .map((example) => [example.title, pick(example)] as const)
    .filter(([, value]) => value !== undefined)
    .map(([summary, value], i) => [`example${i + 1}`, { summary, value }] as const);
  return Object.fromEntries(entries);
}

function fieldText(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = Array.isArray(value) ? value.join(' ') : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns an example as CSV: its rows, or its one object, with a column for each field. */
function csvExample({ response, csv }: RouteExample): string {
  if (csv !== undefined) return csv;
  const rows = ((response as { data?: unknown }).data ?? [response]) as Record<string, unknown>[];
  assert(rows.length > 0, 'the example of a list has rows');
  const names = Object.keys(rows[0]);
  const lines = rows.map((row) => names.map((name) => fieldText(row[name])).join(','));
  return [names.join(','), ...lines, ''].join('\r\n');
}

function contentOf(contract: RouteContract, schema: JsonSchema | undefined) {
  const media: Record<Format, () => MediaType> = {
    json: () => ({
      schema: schema ?? {},
      examples: examplesOf(contract, ({ response }) => response),
    }),
    csv: () => ({
      schema: { type: 'string' },
      examples: {
        example1: { summary: 'Comma-separated', value: csvExample(contract.examples[0]) },
      },
    }),
    // JSON Schema has no type for bytes.
    arrow: () => ({ schema: { contentMediaType: MEDIA_TYPES.arrow } }),
    parquet: () => ({ schema: { contentMediaType: MEDIA_TYPES.parquet } }),
  };
  if (contract.eventStream !== undefined) {
    const example = { summary: 'Server-sent events', value: contract.eventStream };
    // A schema would concern each event, and an example shows the text of several.
    return { 'text/event-stream': { schema: {}, examples: { example } } };
  }
  const formats = contract.formats ?? (schema ? (['json'] as const) : []);
  return Object.fromEntries(formats.map((format) => [MEDIA_TYPES[format], media[format]()]));
}

/** Returns true if tables carry the envelope of a page in headers. */
function isTabularPage({ query, formats }: RouteContract): boolean {
  return query !== undefined && 'cursor' in query.shape && formats !== undefined;
}

function successOf(
  contract: RouteContract,
  schema: JsonSchema | undefined,
  keyHeaders: readonly ResponseHeader[],
): ResponseObject {
  const content = contentOf(contract, schema);
  const headers: ResponseHeader[] = [
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

/** @param schema Default: the error envelope. */
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
  const headers: ResponseHeader[] = [
    'X-Request-Id',
    ...(KEYLESS.includes(status) ? [] : RATE_LIMIT),
    ...(ERROR_HEADERS[status] ?? []),
  ];
  return {
    description: ERROR_RESPONSES[status].description,
    headers: headersFrom(headers),
    content: {
      [MEDIA_TYPES.json]: { schema, examples: { example1: { summary: message, value } } },
    },
  };
}

/** Responses that operations share, by the names of their references. */
export function sharedResponses(): Record<string, ResponseObject> {
  const statuses = Object.keys(ERROR_RESPONSES)
    .map((status) => Number(status) as ErrorStatus)
    // Each operation has its own 403, which names the scope.
    .filter((status) => status !== 403);
  const errors = statuses.map((status) => {
    const { message } = ERROR_RESPONSES[status];
    return [`Error${status}`, errorResponse(status, message)] as const;
  });
  // Response to methods that a path does not support; it belongs to no operation.
  const other = errorResponse(400, 'method must be one of GET, HEAD, OPTIONS, got "PUT"');
  return {
    NotModified: {
      description: 'Nothing has changed since the response with this `ETag`.',
      headers: headersFrom(['X-Request-Id', ...RATE_LIMIT, 'Cache-Control', 'ETag']),
    },
    ...Object.fromEntries(errors),
    Error405: {
      ...other,
      description: 'The path does not support this method; `Allow` lists those it does.',
      headers: { ...other.headers, ...headersFrom(['Allow']) },
    },
  };
}

/** Returns the JSON Schema of a schema of responses, or of bodies. */
export type SchemaConverters = Record<'response' | 'body', (schema: z.ZodType) => JsonSchema>;

function errorOf(
  contract: RouteContract,
  status: ErrorStatus,
  access: RouteAccess | undefined,
  schemaOf: SchemaConverters['response'],
): ResponseObject | Reference {
  const given = contract.errors?.[status];
  const details = contract.errorDetails?.[status];
  if (details) {
    const message = given ?? ERROR_RESPONSES[status].message;
    return errorResponse(status, message, schemaOf(details.schema), details.example);
  }
  if (status === 403 && access) {
    const message = given ?? `API key lacks the scope "${access.scope}" that this path needs`;
    return errorResponse(status, message);
  }
  if (given === undefined || given === ERROR_RESPONSES[status].message) {
    return { $ref: `#/components/responses/Error${status}` };
  }
  return errorResponse(status, given);
}

/** Returns all responses of an operation, by status. */
export function responsesOf(
  contract: RouteContract,
  access: RouteAccess | undefined,
  schemaOf: SchemaConverters['response'],
): Record<string, ResponseObject | Reference> {
  const schema = contract.response && schemaOf(contract.response);
  const keyHeaders = access ? RATE_LIMIT : [];
  const responses: Record<string, ResponseObject | Reference> = {
    [contract.status ?? 200]: successOf(contract, schema, keyHeaders),
  };
  if (contract.isRanged) {
    const whole = successOf(contract, schema, keyHeaders);
    const headers = { ...whole.headers, ...headersFrom(['Content-Range']) };
    responses[206] = { ...whole, description: 'The requested range.', headers };
  }
  if (contract.isTagged) responses[304] = { $ref: '#/components/responses/NotModified' };
  for (const status of errorStatuses(contract, access !== undefined)) {
    responses[status] = errorOf(contract, status, access, schemaOf);
  }
  return responses;
}

/** Describes a body; one without fields is optional. */
export function requestBodyOf(
  contract: RouteContract,
  { shape }: z.ZodObject,
  schema: JsonSchema,
): RequestBody {
  const hasFields = Object.keys(shape).length > 0;
  const examples = examplesOf(contract, ({ body }) => (hasFields ? body : {}));
  return { required: hasFields, content: { [MEDIA_TYPES.json]: { schema, examples } } };
}
