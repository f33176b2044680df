/** One method of a path, as OpenAPI describes it. */

import type { z } from 'zod';
import { limits } from '../../../base/limits.ts';
import type { RouteAccess } from '../../access/admission.ts';
import type { RouteContract } from '../../contract/route.ts';
import type { RouteMethod } from '../../http/methods.ts';
import type { JsonSchema, Operation, Parameter, Reference } from './document-types.ts';
import { requestBodyOf, responsesOf, type SchemaConverters } from './responses.ts';
import { jsonSchemasFromZod } from './zod-schemas.ts';

/** A route as the API description shows it. */
export interface DescribedRoute {
  method: RouteMethod;
  /** Path under `/v1`, or from the root if `isOutside`. */
  template: string;
  isOutside: boolean;
  contract: RouteContract;
  /** Undefined if no key is needed. */
  access: RouteAccess | undefined;
}

/** Lists both schemes, each with the scope that the key needs. */
function securityOf(access: RouteAccess | undefined): Operation['security'] {
  return access ? [{ ApiKey: [access.scope] }, { Bearer: [access.scope] }] : [];
}

/** Describes a body that is a file. */
const FILE_BODY = {
  required: true,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
};

export function operationOf(
  { contract, access }: DescribedRoute,
  schemaOf: SchemaConverters,
): Operation {
  const { operationId, tag, summary, description, body } = contract;
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: securityOf(access),
    ...(access && {
      'x-tokens': access.tokens,
      'x-tokens-per': access.perSymbol ? 'symbol' : 'answer',
    }),
    parameters: parametersOf(contract),
    ...(body && { requestBody: requestBodyOf(contract, body, schemaOf.body(body)) }),
    ...(contract.upload && { requestBody: FILE_BODY }),
    responses: responsesOf(contract, access, schemaOf.response),
  };
}

/** Request headers that several operations share. */
export const HEADER_PARAMETERS: Record<string, Parameter> = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of an earlier response: 304 without a body if nothing has changed.',
    schema: { type: 'string' },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description:
      'The last `id` of an earlier connection with the same parameters. The stream continues ' +
      'after it, or starts with `stream.reset` if it is too old.',
    schema: { type: 'string' },
    example: 'evt_0b6e3a9d41c7f28e5d90a4b1c6372f18',
  },
  Range: {
    name: 'Range',
    in: 'header',
    required: false,
    description: 'One range of bytes, as `bytes=0-99`, `bytes=100-` or `bytes=-8`: 206 with them.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a repeat safe: within 24 hours the same request with the same API key creates ' +
      'nothing new and gets the same response. Errors are not stored.',
    schema: { type: 'string', pattern: `^[!-~]{1,${limits.idempotency.keyCharsMax}}$` },
    example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
  },
};

/** Converts a parameter's text to the value that a generated client has. */
function valueFromText(text: string, { type, items }: JsonSchema): unknown {
  if (type === 'array') {
    const isWhole = (items as JsonSchema | undefined)?.type === 'integer';
    return text.split(',').map((item) => (isWhole ? Number(item) : item));
  }
  if (type === 'integer' || type === 'number') return Number(text);
  return /^\d+$/.test(text) && type === undefined ? Number(text) : text;
}

/** @param examples Texts by parameter. */
function parametersFromSchema(
  place: 'path' | 'query',
  schema: z.ZodObject,
  examples: Readonly<Record<string, string>>,
): Parameter[] {
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>);
  const schemas = jsonSchemasFromZod(Object.values(schema.shape), 'input');
  return fields.map(([name, field]) => {
    const { description, ...rest } = schemas.of(field);
    // The schema itself decides what happens without a value.
    const absent = field.safeParse(undefined);
    const hasDefault = absent.success && absent.data !== undefined;
    const text = examples[name];
    return {
      name,
      in: place,
      required: !absent.success,
      ...(description !== undefined && { description: String(description) }),
      ...(rest.type === 'array' && { style: 'form', explode: false }),
      schema: hasDefault ? { ...rest, default: absent.data } : rest,
      ...(text !== undefined && { example: valueFromText(text, rest) }),
    } satisfies Parameter;
  });
}

function reference(name: string): Reference {
  return { $ref: `#/components/parameters/${name}` };
}

/** Returns all parameters of an operation, those of the path first. */
function parametersOf(contract: RouteContract): (Parameter | Reference)[] {
  const { path, query, examples, isTagged, isRanged, isIdempotent } = contract;
  const [example] = examples;
  return [
    ...(path ? parametersFromSchema('path', path, example.path ?? {}) : []),
    ...(query ? parametersFromSchema('query', query, example.query ?? {}) : []),
    ...(isTagged ? [reference('IfNoneMatch')] : []),
    ...(isRanged ? [reference('Range')] : []),
    ...(isIdempotent ? [reference('IdempotencyKey')] : []),
    ...(contract.eventStream === undefined ? [] : [reference('LastEventId')]),
  ];
}
