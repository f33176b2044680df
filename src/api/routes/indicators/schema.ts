import { z } from 'zod';
import type { RouteExample } from '../../contract/route.ts';

const parameterSchema = z
  .strictObject({
    name: z.string(),
    default: z.number(),
    defaults: z
      .record(z.string(), z.number())
      .describe('The defaults of other intervals, by interval, where they are not `default`.')
      .optional(),
    min: z.number().describe('Smallest allowed value.'),
    max: z.number().describe('Largest allowed value.'),
    integer: z.boolean().describe('True if only whole numbers are allowed.'),
  })
  .meta({ id: 'IndicatorParameter' });

const outputSchema = z
  .strictObject({
    name: z.string(),
    column: z
      .string()
      .describe("The column in CSV and Arrow, behind the request's text: empty, or `_upper`."),
    isPrice: z.boolean().describe('True for prices, which charts draw over the bars.'),
  })
  .meta({ id: 'IndicatorOutput' });

export const indicatorSchema = z
  .strictObject({
    name: z.string().describe('The name in requests: `sma`.'),
    title: z.string(),
    params: z.array(parameterSchema).describe('In the order of the values in `name:a:b`.'),
    outputs: z.array(outputSchema),
    mainOutput: z.string().describe('The output that JSON has as `value`.'),
  })
  .meta({ id: 'Indicator' });

export const indicatorsSchema = z
  .strictObject({ data: z.array(indicatorSchema) })
  .meta({ id: 'Indicators' });

const period = { name: 'period', default: 14, min: 1, max: 1000, integer: true };

export const indicatorsExample: RouteExample = {
  title: 'The catalogue, of which two entries are shown',
  response: {
    data: [
      {
        name: 'sma',
        title: 'Simple moving average',
        params: [period],
        outputs: [{ name: 'sma', column: '', isPrice: true }],
        mainOutput: 'sma',
      },
      {
        name: 'rsi',
        title: 'Relative Strength Index',
        params: [period],
        outputs: [{ name: 'rsi', column: '', isPrice: false }],
        mainOutput: 'rsi',
      },
    ],
  },
};
