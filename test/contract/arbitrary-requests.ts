/** Requests of an operation: most as its description wants them, the others broken in one place. */

import fc from 'fast-check';
import { anyText, type createValues, sometimes } from './arbitrary-values.ts';
import type { DocumentedOperation, Parameter } from './documented-operations.ts';
import type { Json } from './json.ts';

export interface GeneratedRequest {
  method: string;
  /** Path and query, encoded. */
  target: string;
  headers: Record<string, string>;
  body?: string;
  /** The values of parameters, before they were encoded. */
  parameters: Record<string, string>;
  /** Description of the defect; undefined if the request follows the API description. */
  broken?: string;
}

/** A change that breaks a good request. It is harmless for some operations. */
type Break = (request: GeneratedRequest, text: string) => GeneratedRequest;

function textOf(value: Json): string {
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** Clients resolve dots before they ask. */
function isSegment(text: string): boolean {
  return !/^\.{0,2}$/.test(text);
}

/** A parameter's text, or undefined where it is left out. */
function parameterTexts(parameter: Parameter, values: ReturnType<typeof createValues>) {
  const { name, required, schema } = parameter;
  const all = values(schema, name).map(textOf);
  const text = parameter.in === 'path' ? all.filter(isSegment) : all;
  return required ? text : sometimes(text);
}

function targetOf({ path, parameters }: DocumentedOperation, texts: Record<string, string>) {
  const encoded = (name: string) => encodeURIComponent(texts[name].toWellFormed());
  const filled = path.replace(/\{(\w+)\}/g, (_text, name) => encoded(name));
  const query = parameters
    .filter((one) => one.in === 'query' && texts[one.name] !== undefined)
    .map(({ name }) => `${name}=${encoded(name)}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

const withQuery = (request: GeneratedRequest, part: string): GeneratedRequest => ({
  ...request,
  target: request.target + (request.target.includes('?') ? '&' : '?') + part,
});

const isHeaderText = (text: string) => /^[\x20-\x7e]*$/.test(text);

const BREAKS: Readonly<Record<string, Break>> = {
  'an unknown parameter': (request, text) => {
    const name = encodeURIComponent(`x${text.toWellFormed()}`);
    return withQuery(request, `${name}=1`);
  },
  'a repeated parameter': (request) => withQuery(request, 'limit=1&limit=1'),
  'bad percent-encoding': (request) => withQuery(request, 'format=%zz'),
  'another format': (request, text) => ({
    ...request,
    headers: { ...request.headers, Accept: isHeaderText(text) ? text : 'image/png' },
  }),
};

/** For paths that have a place for it. */
function badPath({ path }: DocumentedOperation): Break {
  return (request) => ({ ...request, target: path.replace(/\{\w+\}/g, '%ff') });
}

const BODY_BREAKS: Readonly<Record<string, Break>> = {
  'a body that is no JSON': (request, text) => ({ ...request, body: `{"label":${text}` }),
  'a body of another type': (request) => ({
    ...request,
    headers: { ...request.headers, 'Content-Type': 'text/plain' },
  }),
  'an unknown field': (request) => ({
    ...request,
    body: JSON.stringify({ ...JSON.parse(request.body ?? '{}'), colour: 1 }),
  }),
  'a body of another shape': (request, text) => ({
    ...request,
    body: JSON.stringify([text.toWellFormed()]),
  }),
  'a field of another kind': (request, text) => {
    const fields = Object.entries(JSON.parse(request.body ?? '{}'));
    const other = fields.map(([name]) => [name, text.toWellFormed()]);
    return { ...request, body: JSON.stringify(Object.fromEntries(other)) };
  },
};

/** Breaks one parameter's value; path parameters stay a segment. */
function otherValue(operation: DocumentedOperation, place: number): Break {
  const named = operation.parameters.filter((one) => one.in !== 'header');
  const parameter = named[place % Math.max(named.length, 1)];
  return (request, text) => {
    if (!parameter || (parameter.in === 'path' && !isSegment(text))) return request;
    const parameters = { ...request.parameters, [parameter.name]: text };
    return { ...request, parameters, target: targetOf(operation, parameters) };
  };
}

/** Three of four are as the description wants them. */
export function createRequests(
  operation: DocumentedOperation,
  values: ReturnType<typeof createValues>,
): fc.Arbitrary<GeneratedRequest> {
  const shape = operation.parameters.map((one) => [one.name, parameterTexts(one, values)]);
  const parameters: fc.Arbitrary<Record<string, string | undefined>> = fc.record(
    Object.fromEntries(shape),
  );
  const body = operation.body ? values(operation.body) : fc.constant(undefined);
  const good = fc.tuple(parameters, body).map(([texts, json]): GeneratedRequest => {
    const given = Object.entries(texts).filter((pair): pair is [string, string] => {
      return pair[1] !== undefined;
    });
    const inHeaders = operation.parameters.filter((one) => one.in === 'header');
    const headers = given.filter(([name]) => inHeaders.some((one) => one.name === name));
    const type: [string, string][] = operation.body ? [['Content-Type', 'application/json']] : [];
    return {
      method: operation.method,
      target: targetOf(operation, Object.fromEntries(given)),
      headers: Object.fromEntries([...headers, ...type]),
      body: json === undefined ? undefined : JSON.stringify(json),
      parameters: Object.fromEntries(given),
    };
  });
  const breaks: Record<string, Break> = {
    ...BREAKS,
    ...(operation.path.includes('{') && { 'a bad path': badPath(operation) }),
    ...(operation.body && BODY_BREAKS),
  };
  const broken = fc
    .tuple(good, anyText, fc.constantFrom(...Object.keys(breaks), 'a value'), fc.nat(20))
    .map(([request, text, name, place]) => {
      const change = name === 'a value' ? otherValue(operation, place) : breaks[name];
      return { ...change(request, text), broken: name };
    });
  return fc.oneof({ weight: 3, arbitrary: good }, { weight: 1, arbitrary: broken });
}
