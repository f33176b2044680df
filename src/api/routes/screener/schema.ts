import { z } from 'zod';
import {
  type NullableField,
  type QuoteFieldName,
  quoteField,
  SCREENER_ROW,
  type ScreenerNumber,
} from '../../../base/fields.ts';
import type { RouteExample } from '../../contract/route.ts';
import { errorSchema } from '../../http/error-types.ts';
import { firstPage, onlyPage, pageSchema } from '../../responses/pages.ts';
import { companyName, quoteFieldSchema, symbol } from '../../responses/schema-fields.ts';

type FieldSchemas<Name extends QuoteFieldName> = Record<
  Exclude<Name, NullableField>,
  z.ZodType<number>
> &
  Record<Extract<Name, NullableField>, z.ZodType<number | null>>;

const fieldSchemas = Object.fromEntries(
  SCREENER_ROW.map(({ name, isText }) => [
    name,
    isText ? z.string().nullable() : quoteFieldSchema(name, quoteField(name).row?.description),
  ]),
) as FieldSchemas<ScreenerNumber> & Record<'sector' | 'industry', z.ZodType<string | null>>;

export const screenerRowSchema = z
  .strictObject({
    symbol,
    companyName,
    ...fieldSchemas,
  })
  .meta({ id: 'ScreenerRow' });

/** Value of an expression; null is unknown. */
const valueSchema = z.union([z.number(), z.boolean(), z.string()]).nullable();

const conditionSchema = z
  .strictObject({
    condition: z.string().describe('Its text, as in `where`.'),
    result: z.boolean().nullable().describe('Null if a value of it is unknown.'),
    values: z.record(z.string(), valueSchema).describe('Values of its two sides, by their text.'),
  })
  .meta({ id: 'ScreenCondition' });

/** A row of the screener, and what expressions add to it. */
export const screenedRowSchema = screenerRowSchema
  .extend({
    columns: z
      .record(z.string(), valueSchema)
      .optional()
      .describe('With `columns`: the values of these expressions, by their text.'),
    matches: z
      .boolean()
      .nullable()
      .optional()
      .describe('With `explain=true`: whether the row passes `where`. Null passes nothing.'),
    conditions: z
      .array(conditionSchema)
      .optional()
      .describe('With `explain=true`: the conditions that `and` joins in `where`.'),
    reasons: z
      .record(z.string(), z.string())
      .optional()
      .describe('With `explain=true`: why figures of the company are null, by name.'),
  })
  .meta({ id: 'ScreenedRow' });

/** With `from` or `to`, a day on which `where` is true for a symbol. */
const screenedDaySchema = z
  .strictObject({
    symbol: z.string().describe('The ticker of that day.'),
    date: z.iso.date().describe('Day of the bar; every value is as of its close.'),
    columns: z.record(z.string(), valueSchema).optional(),
  })
  .meta({ id: 'ScreenedDay' });

const SCREEN_FACTS = {
  warnings: z
    .array(z.string())
    .optional()
    .describe('Without a row: which fields or conditions have no value for any symbol.'),
};

export const screenerPageSchema = pageSchema('ScreenerPage', screenedRowSchema, SCREEN_FACTS);

/** Response of the screener: a page of symbols, or of symbols and days. */
export const screenerResponseSchema = z.union([
  screenerPageSchema,
  pageSchema('ScreenedDaysPage', screenedDaySchema, SCREEN_FACTS),
]);

/** An error of the screener; one in an expression says where. */
export const screenerErrorSchema = errorSchema
  .extend({
    expression: z
      .strictObject({
        field: z.enum(['where', 'columns', 'sort', 'universe', 'factor', 'by']),
        position: z.int().min(1).describe('Character of the text, from 1 on.'),
        expected: z.string().optional().describe('What may stand there.'),
        nearest: z.string().optional().describe('The known name that is nearest to the one found.'),
      })
      .optional()
      .describe('Place of an error in an expression.'),
  })
  .meta({ id: 'ScreenerError' });

export const EXPRESSION_ERROR = {
  expression: { field: 'where', position: 9, nearest: 'sma' },
};

export const SCREENER_EXAMPLE = {
  symbol: 'QXEV',
  companyName: 'Aqvivorvane Partners (synthetic)',
  ...Object.fromEntries(SCREENER_ROW.map(({ name }) => [name, quoteField(name).example])),
};

const MATCH_EXAMPLE = { ...SCREENER_EXAMPLE, columns: { 'sma(200)': 96.21, 'rsi(14)': 52.44 } };

export const expressionExample: RouteExample = {
  title: 'An expression, with further columns',
  query: {
    where: 'rsi(14) > 50 and close > sma(200)',
    columns: 'sma(200), rsi(14)',
    limit: '1',
  },
  response: firstPage([MATCH_EXAMPLE], 312),
};

export const daysExample: RouteExample = {
  title: 'Every day on which it began to be true',
  query: {
    where: 'rsi(14) < 30',
    from: '2026-01-01',
    begins: 'true',
    columns: 'close',
    limit: '1',
  },
  response: firstPage([{ symbol: 'QXEV', date: '2026-01-05', columns: { close: 101.2 } }], 96),
};

export const explainExample: RouteExample = {
  title: 'Why a symbol does not match',
  query: { where: 'rsi(14) < 30 and close > sma(200)', symbols: 'QXEV', explain: 'true' },
  response: onlyPage([
    {
      ...SCREENER_EXAMPLE,
      reasons: {},
      matches: false,
      conditions: [
        { condition: 'rsi(14) < 30', result: false, values: { 'rsi(14)': 52.440833438385305 } },
        {
          condition: 'close > sma(200)',
          result: true,
          values: { close: 104.53, 'sma(200)': 96.21 },
        },
      ],
    },
  ]),
};
