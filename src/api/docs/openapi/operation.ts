/** One method of a path, as OpenAPI describes it. */

import type { PublicRoute, Route } from '../../http/route.ts';
import type { RouteAccess } from '../../http/route-access.ts';
import type { DescribedRoute } from './contract.ts';
import type { JsonSchema, Operation } from './document-types.ts';
import { parametersOf } from './parameters.ts';
import { type OperationSchemas, requestBodyOf, responsesOf } from './responses.ts';

export function describedRoute(
  { method = 'GET', template, contract }: Route,
  access: RouteAccess,
): DescribedRoute {
  return { method, template, isOutside: false, contract, access };
}

const API_ROOT = '/v1';

/** Nothing of a page for people. */
export function describedPublicRoute({ path, contract }: PublicRoute): DescribedRoute[] {
  if (!contract) return [];
  const isOutside = !path.startsWith(`${API_ROOT}/`);
  const template = isOutside ? path : path.slice(API_ROOT.length);
  return [{ method: 'GET', template, isOutside, contract, access: undefined }];
}

export interface RouteSchemas extends OperationSchemas {
  body: JsonSchema | undefined;
}

/** Either scheme, and the scope that the key has to have. */
function securityOf(access: RouteAccess | undefined): Operation['security'] {
  return access ? [{ ApiKey: [access.scope] }, { Bearer: [access.scope] }] : [];
}

export function operationOf(route: DescribedRoute, { body, ...schemas }: RouteSchemas): Operation {
  const { contract, access } = route;
  const { operationId, tag, summary, description } = contract;
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
    ...(contract.body &&
      body && { requestBody: requestBodyOf({ ...contract, body: contract.body }, body) }),
    responses: responsesOf(route, schemas),
  };
}
