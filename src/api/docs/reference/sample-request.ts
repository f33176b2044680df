/** The sample request in the snippets of an operation. */

import {
  type OpenApiDocument,
  type Operation,
  type Parameter,
  resolved,
} from '../openapi/document-types.ts';

export interface SampleRequest {
  method: string;
  /** From the root, without the query. */
  path: string;
  /** Names and values, decoded. */
  query: readonly (readonly [name: string, value: string])[];
  needsKey: boolean;
  /** Undefined: none. */
  body: unknown;
  /** Form in which the response is read. */
  reads: 'json' | 'text' | 'nothing';
}

function textOf(example: unknown): string {
  return Array.isArray(example) ? example.join(',') : String(example);
}

/** Encodes a query; commas and colons stay, which keeps lists readable. */
export function queryText(query: SampleRequest['query']): string {
  const encoded = (text: string) =>
    encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':');
  return query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
}

function readsOf(document: OpenApiDocument, { responses }: Operation): SampleRequest['reads'] {
  const status = Object.keys(responses).find((text) => text.startsWith('2')) ?? '';
  const { content } = resolved(document, responses[status]);
  if (!content) return 'nothing';
  return 'application/json' in content ? 'json' : 'text';
}

export function sampleRequest(
  document: OpenApiDocument,
  method: string,
  path: string,
  operation: Operation,
): SampleRequest {
  const parameters = operation.parameters.map((one) => resolved<Parameter>(document, one));
  const given = parameters.filter(({ example }) => example !== undefined);
  const pathText = (name: string) =>
    textOf(given.find((one) => one.in === 'path' && one.name === name)?.example ?? name);
  const root = document.paths[path].servers ? '' : '/v1';
  const { requestBody } = operation;
  const [body] = Object.values(requestBody?.content['application/json'].examples ?? {});
  return {
    method: method.toUpperCase(),
    path: root + path.replace(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(pathText(name))),
    query: given
      .filter((one) => one.in === 'query')
      .map(({ name, example }) => [name, textOf(example)] as const),
    needsKey: operation.security.length > 0,
    body: requestBody?.required ? body.value : undefined,
    reads: readsOf(document, operation),
  };
}
