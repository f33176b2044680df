/** The API description as TypeScript: a type for each schema, and a row for each operation. */

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type {
  MediaType,
  OpenApiDocument,
  Operation,
  Parameter,
  Reference,
} from '../../src/api/docs/openapi/document-types.ts';
import { schemaTexts } from './schema-texts.ts';
import { SharedParameters, withNamedChoices } from './shared-texts.ts';
import { commentText, nameOfRef, type SchemaObject, typeText } from './type-text.ts';

const HEAD = '/** Generated from `/v1/openapi.json` by `generate.ts`; do not edit. */';

const METHODS = ['get', 'post', 'patch', 'delete'] as const;

interface NamedOperation {
  method: string;
  /** From the server's root on. */
  path: string;
  parameters: Parameter[];
  operation: Operation;
}

/** The path of `http://host/v1` and of `/v1`; none for the root. */
function pathOfServer(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/]*/, '').replace(/\/$/, '');
}

/** What a reference leads to. */
function found<T extends object>(value: T | Reference, components: Readonly<Record<string, T>>): T {
  return '$ref' in value ? components[nameOfRef(value.$ref)] : value;
}

/** Pages for people are no part of a client. */
function isForPrograms({ responses }: Operation): boolean {
  return Object.values(responses).every(
    (answer) => !('content' in answer && answer.content && 'text/html' in answer.content),
  );
}

function operationsOf({ paths, servers, components }: OpenApiDocument): NamedOperation[] {
  const all = Object.entries(paths).flatMap(([path, item]) => {
    const [{ url }] = item.servers ?? servers;
    return METHODS.map((method) => ({
      method: method.toUpperCase(),
      path: pathOfServer(url) + path,
      operation: item[method],
    }));
  });
  return all.flatMap(({ operation, ...rest }) => {
    if (!operation || !isForPrograms(operation)) return [];
    const parameters = operation.parameters
      .map((one) => found(one, components.parameters))
      .filter(({ name }) => name !== 'If-None-Match');
    return [{ ...rest, operation, parameters }];
  });
}

/** What JSON comes as, else a text or bytes. */
function textOfContent(content: Record<string, MediaType> = {}): string {
  const [type] = Object.keys(content);
  if (type === undefined) return 'undefined';
  const json = content['application/json'];
  if (json) return typeText(json.schema);
  return type.startsWith('text/') ? 'string' : 'Uint8Array';
}

function responseText({ responses }: Operation, { components }: OpenApiDocument): string {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const texts = good.map(([, answer]) =>
    textOfContent(found(answer, components.responses).content),
  );
  return [...new Set(texts)].join(' | ');
}

/** A comma list may be given as a list or, of one, as its only item. */
function parameterText({ name, required, description, schema }: Parameter): string {
  const { type, items } = schema as SchemaObject;
  const text = typeText(schema);
  const item = typeText(items ?? {});
  const either =
    type === 'array' ? `${item} | readonly ${item.includes(' ') ? `(${item})` : item}[]` : text;
  return `${commentText(description)}${JSON.stringify(name)}${required ? '' : '?'}: ${either};`;
}

function requestText({ parameters, operation }: NamedOperation, shared: SharedParameters): string {
  const isShared = (one: Parameter) => shared.has(one.name, parameterText(one));
  const names = parameters.filter(isShared).map(({ name }) => JSON.stringify(name));
  const picked = names.length > 0 ? [`Pick<SharedParameters, ${names.join(' | ')}>`] : [];
  const fields = parameters.filter((one) => !isShared(one)).map(parameterText);
  const body = operation.requestBody;
  if (body) {
    const isFile = 'application/octet-stream' in body.content;
    const type = isFile ? 'Blob | Uint8Array<ArrayBuffer>' : textOfContent(body.content);
    fields.push(`body${body.required === false ? '?' : ''}: ${type};`);
  }
  const own = fields.length > 0 ? [`{\n${fields.join('\n')}\n}`] : [];
  return [...picked, ...own].join(' & ') || 'Record<never, never>';
}

function operationText(
  named: NamedOperation,
  description: OpenApiDocument,
  shared: SharedParameters,
): string {
  const { operationId, summary, description: story } = named.operation;
  const comment = commentText([summary, story].filter(Boolean).join('\n\n'));
  const request = requestText(named, shared);
  return `${comment}${operationId}: {\nrequest: ${request};\nresponse: ${responseText(named.operation, description)};\n};`;
}

function rowText({ method, path, parameters, operation }: NamedOperation): string {
  const headers = parameters.filter((one) => one.in === 'header').map(({ name }) => name);
  const row = { method, path, headers };
  return `${operation.operationId}: ${JSON.stringify(row)},`;
}

/** `error.type` of the envelope that every error answer has. */
function errorTypes({ components }: OpenApiDocument): string {
  const envelope = components.schemas.Error as SchemaObject | undefined;
  const error = envelope?.properties?.error as SchemaObject | undefined;
  return typeText(error?.properties?.type ?? { type: 'string' });
}

function typesText(description: OpenApiDocument): string {
  const operations = operationsOf(description);
  const parameters = operations.flatMap((one) => one.parameters);
  const shared = new SharedParameters(
    parameters.map((one) => ({ name: one.name, text: parameterText(one) })),
  );
  const types = [
    ...schemaTexts(description.components.schemas),
    shared.text,
    `/** Request and response of each operation. */\nexport interface Operations {\n${operations
      .map((named) => operationText(named, description, shared))
      .join('\n')}\n}`,
  ].join('\n\n');
  const errors = errorTypes(description);
  return [
    HEAD,
    `export const API_VERSION: ${JSON.stringify(description.info.version)};`,
    `/** Values of \`error.type\`. */\nexport type ErrorType = ${errors};`,
    withNamedChoices(types, new Map([[errors, 'ErrorType']])),
    `export const OPERATIONS: {
      readonly [Name in keyof Operations]: {
        readonly method: string;
        /** From the server's root on, with \`{names}\`. */
        readonly path: string;
        /** Parameters that are headers. Those in neither path nor headers are in the query. */
        readonly headers: readonly string[];
      };
    };`,
  ].join('\n\n');
}

function tableText(description: OpenApiDocument): string {
  return [
    HEAD,
    `export const API_VERSION = ${JSON.stringify(description.info.version)};`,
    `export const OPERATIONS = {\n${operationsOf(description).map(rowText).join('\n')}\n};`,
  ].join('\n\n');
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns each generated file by its name, as the formatter of the project leaves it. */
export function generatedTexts(description: OpenApiDocument): Record<string, string> {
  const texts = {
    'operations.d.ts': typesText(description),
    'operations.js': tableText(description),
  };
  const formatted = Object.entries(texts).map(([name, input]) => [
    name,
    execFileSync(
      'node_modules/.bin/biome',
      ['format', `--stdin-file-path=clients/typescript/${name}`],
      { cwd: root, input, encoding: 'utf8' },
    ),
  ]);
  return Object.fromEntries(formatted);
}
