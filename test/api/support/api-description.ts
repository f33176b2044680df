/** The API description as a server gives it, and its schemas compiled by ajv. */

import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type {
  MediaType,
  OpenApiDocument,
  Operation,
  Parameter,
  Reference,
  ResponseObject,
} from '../../../src/api/docs/openapi/document-types.ts';
import type { TestServer } from './test-server.ts';

export interface DescribedOperation {
  /** `GET /svc/quotes/{symbol}`. */
  name: string;
  method: string;
  path: string;
  operation: Operation;
}

export interface ApiDescription {
  document: OpenApiDocument;
  operations: DescribedOperation[];
  /** Returns the target of a reference inside of the document; other values unchanged. */
  resolve<T extends object>(value: T | Reference): T;
  parameters(operation: Operation): Parameter[];
  response(operation: Operation, status: number): ResponseObject | undefined;
  /** Errors of a value against a schema of the document, as text; empty where it fits. */
  faults(schema: unknown, value: unknown): string;
}

/** Resolves a reference inside the document; returns any other value unchanged. */
function resolved<T extends object>(document: OpenApiDocument, value: T | Reference): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  const steps = value.$ref.slice('#/'.length).split('/');
  const found = steps.reduce(
    (at: unknown, step) => (at as Record<string, unknown>)?.[step],
    document,
  );
  if (!found) throw new Error(`"${value.$ref}" is not in the document`);
  return found as T;
}

const METHODS = ['get', 'post', 'patch', 'delete'];
const DOCUMENT_ID = 'https://tapeworks.invalid/openapi.json';

function schemaChecker(document: OpenApiDocument): (schema: unknown, value: unknown) => string {
  const ajv = new Ajv2020.default({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: DOCUMENT_ID, components: document.components });
  const compiled = new Map<string, ValidateFunction>();
  return (schema, value) => {
    const text = JSON.stringify(schema).replaceAll('"#/', `"${DOCUMENT_ID}#/`);
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
    return validate(value) ? '' : ajv.errorsText(validate.errors);
  };
}

export async function readApiDescription(server: TestServer): Promise<ApiDescription> {
  // Compiling schemas takes seconds, after which the server has closed a kept connection.
  const headers = { Connection: 'close' };
  const document = (await server.request('/v1/openapi.json', { headers })).json as OpenApiDocument;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        operation: operation as Operation,
      })),
  );
  const resolve = <T extends object>(value: T | Reference) => resolved<T>(document, value);
  return {
    document,
    operations,
    resolve,
    parameters: ({ parameters }) => parameters.map((parameter) => resolve<Parameter>(parameter)),
    response: ({ responses }, status) => {
      const found = responses[status];
      return found && resolve<ResponseObject>(found);
    },
    faults: schemaChecker(document),
  };
}

/** The JSON of an answer. */
export function jsonOf(response: ResponseObject | undefined): MediaType | undefined {
  return response?.content?.['application/json'];
}

/** Returns the target of an operation on the server, with values for its path. */
export function targetOf(
  { document }: ApiDescription,
  path: string,
  values: Record<string, string>,
) {
  const root = document.paths[path].servers ? '' : '/v1';
  return root + path.replace(/\{(\w+)\}/g, (_text, name) => encodeURIComponent(values[name]));
}
