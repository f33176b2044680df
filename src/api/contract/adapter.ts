/**
 * Adapters: paths of other protocols that routes of the API serve.
 *
 * An adapter translates a request into requests of routes, and their JSON into its own. So numbers,
 * scopes, tokens and caches are those of the routes.
 */

import type { Mode } from '../../base/config/data-dir.ts';
import { assert, ParameterError } from '../../base/errors.ts';
import type { Accounts } from '../../store/accounts/records/contract.ts';
import type { ServingReader, Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { contextOfCall, type RouteAccess } from '../access/admission.ts';
import { unauthenticated } from '../access/authenticate.ts';
import type { AdmittedContext, RequestContext } from '../http/request-context.ts';
import type { ApiResponse } from '../http/response.ts';
import { onceReached } from '../responses/walked-version.ts';
import type { Route } from './route.ts';

/** Values of a route's parameters, decoded; undefined ones are left out. */
export type RouteValues = Readonly<Record<string, string | number | undefined>>;

/**
 * Calls a GET route with the key of the adapter's request.
 *
 * @param operationId Names the route.
 * @param values Values of its path and query parameters.
 * @throws {HttpError | ParameterError} What the route throws, and 403 or 429 for its access.
 */
export interface CallRoute {
  /** Returns the route's JSON. */
  (operationId: string, values?: RouteValues): Promise<ReturnType<typeof jsonOf>>;
  /** Returns the response, for its headers and for formats other than JSON. */
  response(operationId: string, values: RouteValues): Promise<ApiResponse>;
  /** Does work that no route does, if the key has its scope and tokens, and then charges them. */
  own<T>(access: RouteAccess, work: () => T | Promise<T>): Promise<T>;
  /**
   * Returns calls that all read one version, for pages that belong together.
   *
   * @param id Version of the page before. Default, and once it is gone: the newest.
   */
  onVersion(id?: string): Promise<{ id: string; call: CallRoute }>;
}

export interface Adapter {
  /** In Express's form: `/udf/history`. */
  path: string;
  /** Default: GET. */
  method?: 'GET' | 'POST';
  /** Parameter of the query, or of the path, that may hold the key. Default: none. */
  keyParameter?: string;
  respond(context: AdmittedContext, call: CallRoute): ApiResponse | Promise<ApiResponse>;
  /**
   * Writes the response to an error of the request in the protocol's form. Default: the envelope of
   * the API. Errors of the server always have the envelope.
   */
  failed?(status: number, message: string, context: RequestContext): ApiResponse;
}

/** Runs a route, with its caches. @param version Default: the newest one. */
type Respond = (
  route: Route,
  context: AdmittedContext,
  version?: Snapshot,
) => ReturnType<Route['respond']>;

/** Returns the pieces of a body; each is valid until the next one. */
export function piecesOf({ body, pieces }: ApiResponse): Iterable<Uint8Array> {
  return pieces ? pieces() : [Buffer.from(body)];
}

/** Returns the JSON of a response. */
// biome-ignore lint/suspicious/noExplicitAny: the schema of each route defines its JSON
export function jsonOf(response: ApiResponse): any {
  const copies = Array.from(piecesOf(response), (piece) => Buffer.from(piece));
  return JSON.parse(Buffer.concat(copies).toString());
}

/**
 * Moves a key from the query or the path to the headers, so that it is checked and logged as any
 * other.
 *
 * @throws {HttpError} 401: several keys, as `rawKeyFromHeaders` refuses them.
 */
export function takeKey(context: RequestContext, parameter: string): void {
  const query = new URLSearchParams(context.query);
  const { [parameter]: inPath, ...params } = context.params;
  const rawKeys = [...(inPath === undefined ? [] : [inPath]), ...query.getAll(parameter)];
  const { 'x-api-key': plain, authorization } = context.headers;
  if (rawKeys.length === 0) {
    if (plain !== undefined || authorization !== undefined) return;
    throw unauthenticated(
      `API key is missing: send it in the header X-API-Key, or as the parameter ${parameter}`,
    );
  }
  query.delete(parameter);
  const path = context.target.slice(0, context.target.length - context.query.length);
  const header = context.headers['x-api-key'];
  const headers = { ...context.headers, 'x-api-key': header ?? rawKeys[0] };
  Object.assign(context, { query: query.toString(), target: `${path}${query}`, headers, params });
  if (rawKeys.length > 1) throw unauthenticated(`${parameter} must be sent once, with one API key`);
  if (header !== undefined && header !== rawKeys[0]) {
    throw unauthenticated(`${parameter} and X-API-Key carry different API keys; send one`);
  }
}

/** Returns the parts of a context that come from the target of a request of the route. */
function requestOf({ template }: Route, values: RouteValues) {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  const inPath = (name: string) => template.includes(`{${name}}`);
  const params = Object.fromEntries(given.filter(([name]) => inPath(name)));
  const query = new URLSearchParams(given.filter(([name]) => !inPath(name)) as [string, string][]);
  const path = template.replace(/\{(\w+)\}/g, (_, name) => {
    if (params[name] === undefined) throw new ParameterError(name, `${name} is missing`);
    return encodeURIComponent(params[name]);
  });
  return { params, query: query.toString(), target: `/v1${path}?${query}` };
}

/**
 * Creates the function by which an adapter calls routes for an admitted request. The tokens of all
 * calls add up to those of the request, and the route called last is its endpoint in the usage.
 */
export function createCalls(
  routes: readonly Route[],
  accounts: Accounts,
  readers: Record<Mode, ServingReader>,
  respond: Respond,
) {
  const byId = new Map(routes.map((route) => [route.contract.operationId, route]));
  return function callsOf(context: AdmittedContext, version?: Snapshot): CallRoute {
    async function response(operationId: string, values: RouteValues): Promise<ApiResponse> {
      const route = byId.get(operationId);
      assert(route && (route.method ?? 'GET') === 'GET', `${operationId} is a GET route`);
      const headers = { ...context.headers, accept: '*/*' };
      const request = { ...requestOf(route, values), headers, endpoint: route.template };
      const own = contextOfCall(context, route.access, request, accounts);
      context.endpoint = route.template;
      const made = await respond(route, own, version);
      context.tokens += own.tokens;
      return made;
    }
    const json = async (operationId: string, values: RouteValues = {}) =>
      jsonOf(await response(operationId, values));
    async function own<T>(access: RouteAccess, work: () => T | Promise<T>): Promise<T> {
      const { tokens } = contextOfCall(context, access, context, accounts);
      const made = await work();
      context.tokens += tokens;
      return made;
    }
    async function onVersion(id?: string) {
      const reader = readers[context.key.mode];
      const walked = await onceReached(reader, id, () => id && reader.version(id));
      const chosen = walked || reader.current();
      return { id: chosen.id, call: callsOf(context, chosen) };
    }
    return Object.assign(json, { response, own, onVersion });
  };
}
