/** The API description as tests need it: resolved operations, and a check for each body. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ParsedJson } from '../support/parsed-json.ts';
import type { Json } from './json.ts';

export type Schema = { [keyword: string]: Json };

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
  check: Check;
}

/**
 * Holds a value against a schema, which is compiled for the first one: all schemas take seconds.
 *
 * @returns the errors as JSON; empty if the value fits.
 */
export type Check = (value: unknown) => string;

export interface DocumentedAnswer {
  /** By content type; empty where there is no body. */
  contents: Record<string, Check | undefined>;
  /** By name; holds a value against its schema. */
  headers: Record<string, Check>;
}

export interface DocumentedOperation {
  id: string;
  /** `GET /svc/quotes/{symbol}`, as `routeName` names it. */
  name: string;
  method: string;
  /** From the server's root on. */
  path: string;
  parameters: Parameter[];
  /** Schema of the JSON body; undefined if the operation reads no body. */
  body: Schema | undefined;
  /** By status; 405 is that of every method that the path does not have. */
  answers: Record<string, DocumentedAnswer>;
}

/** Walked by the names of its own format. */
export type Document = ParsedJson;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** `#/components/schemas/Quote` → what stands there. */
export function resolved(document: Document, value: Document): Document {
  if (value?.$ref === undefined) return value;
  const steps = value.$ref.slice(2).split('/');
  const found = steps.reduce(
    (part: Document, step: string) => part[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
  return resolved(document, found);
}

/** Makes checks of the schemas of a document, whose references to its components hold. */
function createChecks(document: Document): (schema: Schema) => Check {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'api', components: document.components });
  const compiled = new Map<string, ValidateFunction>();
  return (schema) => (value) => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
    return validate(value) ? '' : JSON.stringify(validate.errors);
  };
}

/** Operations that need a key, in the document's order. */
export function operationsOfDocument(document: Document): DocumentedOperation[] {
  const checkOf = createChecks(document);

  function answerOf(reference: Document): DocumentedAnswer {
    const { content = {}, headers = {} } = resolved(document, reference);
    const contents = Object.entries<Document>(content).map(([type, { schema }]) => [
      type,
      schema && checkOf(schema),
    ]);
    const checks = Object.entries<Document>(headers).map(([name, header]) => {
      return [name, checkOf(resolved(document, header).schema)];
    });
    return { contents: Object.fromEntries(contents), headers: Object.fromEntries(checks) };
  }

  function operationOf(path: string, method: string, item: Document): DocumentedOperation {
    const operation = item[method];
    const [server] = operation.servers ?? item.servers ?? document.servers;
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
    const body = operation.requestBody?.content['application/json']?.schema;
    return {
      id: operation.operationId,
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path: server.url.replace(/^\w+:\/\/[^/]*/, '').replace(/\/$/, '') + path,
      parameters: parameters.map((reference: Document) => {
        const parameter = resolved(document, reference);
        return { ...parameter, check: checkOf(parameter.schema) };
      }),
      body: body && resolved(document, body),
      answers: Object.fromEntries(
        Object.entries({ 405: item['x-other-methods'], ...operation.responses }).map(
          ([status, answer]) => [status, answerOf(answer)],
        ),
      ),
    };
  }

  return Object.entries<Document>(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] && path.startsWith('/svc/')).map((method) =>
      operationOf(path, method, item),
    ),
  );
}
