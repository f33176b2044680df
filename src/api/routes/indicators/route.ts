/** `GET /svc/indicators`: the catalogue of indicators, for programs that let people choose one. */

import type { z } from 'zod';
import type { IndicatorSpec } from '../../../compute/columns/indicator-spec.ts';
import { indicatorCatalogue } from '../../../compute/indicators/catalogue.ts';
import type { Route } from '../../contract/route.ts';
import { CONTENT_TYPES } from '../../http/format.ts';
import { lastingResponse } from '../../responses/cached.ts';
import { type indicatorSchema, indicatorsExample, indicatorsSchema } from './schema.ts';

function indicatorRow(spec: IndicatorSpec): z.infer<typeof indicatorSchema> {
  const { name, title, params, outputs, priceOutputs, mainOutput } = spec;
  return {
    name,
    title,
    params: params.map(({ name, default: value, defaults, min, max, integer }) => {
      return { name, default: value, ...(defaults && { defaults }), min, max, integer };
    }),
    outputs: outputs.map((output) => ({
      name: output,
      column: output === name ? '' : `_${output}`,
      isPrice: priceOutputs.includes(output),
    })),
    mainOutput,
  };
}

const body = JSON.stringify({ data: indicatorCatalogue.map(indicatorRow) });

const indicators: Route = {
  template: '/svc/indicators',
  access: { scope: 'technicals:read', tokens: 1 },
  contract: {
    operationId: 'listIndicators',
    tag: 'Technical analysis',
    summary: 'List indicators',
    description:
      'Returns every indicator with its parameters and outputs. A request names one with ' +
      'optional values, in the order of `params`: `bollinger:20:2`.',
    response: indicatorsSchema,
    isTagged: true,
    examples: [indicatorsExample],
  },
  respond: () => lastingResponse(CONTENT_TYPES.json, body),
};

export const indicatorRoutes = [indicators];
