/** What the API description says of itself. */

import { z } from 'zod';
import { noParameters } from '../../http/query.ts';
import { descriptionExample } from '../examples/service.ts';
import type { DescribedRoute, RouteContract } from './contract.ts';

const CONTRACT: RouteContract = {
  operationId: 'getDescription',
  tag: 'Service',
  summary: 'Get the API description',
  description: 'OpenAPI 3.1, made from the schemas that requests are checked against.',
  query: noParameters,
  answer: z
    .looseObject({
      openapi: z.literal('3.1.0'),
      info: z.looseObject({ title: z.string(), version: z.string() }),
      paths: z.looseObject({}),
      components: z.looseObject({}),
    })
    .meta({ id: 'ApiDescription' }),
  isTagged: true,
  examples: [descriptionExample],
};

export const DESCRIPTION_ROUTE: DescribedRoute = {
  method: 'GET',
  template: '/openapi.json',
  isOutside: false,
  contract: CONTRACT,
  access: undefined,
};
