/**
 * What JSON answers look like, field by field: the API description is made of these, by their
 * `id`, and tests hold every body against them.
 */

import { z } from 'zod';
import {
  type NullableField,
  type QuoteFieldName,
  quoteField,
  SCREENER_ROW,
  type ScreenerNumber,
} from '../../base/quote-fields.ts';
import { INTERVALS } from '../../base/time/intervals.ts';
import { FIELDS_OF_QUOTE } from '../../store/arrow/snapshot/quote.ts';
import { ERROR_TYPES, type ErrorType } from '../http/error-types.ts';

export const dateTime = z.iso.datetime({ precision: 3 });

const symbol = z.string().describe('Canonical spelling of the ticker: `BRK.B`.');
const companyName = z.string().nullable();

/** The envelope of every error. */
export const errorSchema = z
  .strictObject({
    error: z.strictObject({
      message: z.string().min(1).describe('For people: what is wrong, and what was expected.'),
      type: z
        .enum(Object.keys(ERROR_TYPES) as [ErrorType, ...ErrorType[]])
        .describe('For programs; see `docs_url`.'),
      docs_url: z.string().describe('A page on this server about errors of the type.'),
    }),
    request_id: z
      .string()
      .regex(/^req_[0-9a-z]+$/)
      .describe('As in the header `X-Request-Id` and in the log of the server.'),
  })
  .meta({ id: 'Error' });

const barStart = dateTime.describe('Start of the bar in UTC; a day is stamped with 00:00Z.');

export const candleSchema = z
  .strictObject({
    timestamp: barStart,
    open: z.number(),
    high: z.number(),
    low: z.number(),
    close: z.number(),
    volume: z.int().describe('Rounded to a whole number.'),
  })
  .meta({ id: 'Candle' });

const singlePoint = z
  .strictObject({ timestamp: barStart, value: z.number() })
  .meta({ id: 'IndicatorPoint', description: 'A point of `sma`, `ema` or `rsi`.' });

const macdPoint = z
  .strictObject({
    timestamp: barStart,
    value: z.number().describe('The MACD line.'),
    signal: z.number().nullable().describe('Null until its first value, as is `histogram`.'),
    histogram: z.number().nullable(),
  })
  .meta({ id: 'MacdPoint' });

const bollingerPoint = z
  .strictObject({
    timestamp: barStart,
    value: z.number().describe('Same as `middle`.'),
    upper: z.number(),
    middle: z.number(),
    lower: z.number(),
  })
  .meta({ id: 'BollingerPoint' });

export const technicalSchema = z
  .strictObject({
    symbol,
    interval: z.enum(INTERVALS),
    indicators: z
      .record(
        z.string(),
        z.union([z.array(singlePoint), z.array(macdPoint), z.array(bollingerPoint)]),
      )
      .describe('Keyed by the requested text; points before the first value are left out.'),
    candles: z.array(candleSchema).describe('In ascending order.'),
  })
  .meta({ id: 'Technical' });

type FieldSchemas<Name extends QuoteFieldName> = Record<
  Exclude<Name, NullableField>,
  z.ZodType<number>
> &
  Record<Extract<Name, NullableField>, z.ZodType<number | null>>;

function fieldSchema(name: QuoteFieldName, description: string | undefined): z.ZodType {
  const { kind, isNullable } = quoteField(name);
  const value = { number: z.number(), count: z.int(), timestamp: dateTime }[kind];
  const schema = isNullable ? value.nullable() : value;
  return description === undefined ? schema : schema.describe(description);
}

const quoteFieldSchemas = Object.fromEntries(
  FIELDS_OF_QUOTE.map((name) => [name, fieldSchema(name, quoteField(name).quote?.description)]),
);

const screenerFieldSchemas = Object.fromEntries(
  SCREENER_ROW.map(({ name, isText }) => [
    name,
    isText ? z.string().nullable() : fieldSchema(name, quoteField(name).screener?.description),
  ]),
) as FieldSchemas<ScreenerNumber> & Record<'sector' | 'industry', z.ZodType<string | null>>;

export const quoteSchema = z
  .strictObject({
    symbol,
    ...quoteFieldSchemas,
  })
  .meta({ id: 'Quote' });

export const quoteBatchSchema = z
  .strictObject({
    data: z.array(quoteSchema).describe('In the order requested.'),
    notFound: z
      .array(z.string())
      .min(1)
      .optional()
      .describe('Symbols that are unknown or have no bars; absent if there are none.'),
  })
  .meta({ id: 'QuoteBatch' });

const total = z.int().describe('Rows on all pages together.');

const morePageInfo = z
  .strictObject({
    hasNext: z.literal(true),
    cursor: z.string().describe('Send it to get the next page; absent on the last one.'),
    totalCount: total,
  })
  .meta({ id: 'MorePageInfo' });

const lastPageInfo = z
  .strictObject({ hasNext: z.literal(false), totalCount: total })
  .meta({ id: 'LastPageInfo' });

/**
 * Both envelopes of a page at once; the last page's have no cursor.
 *
 * @param id Of the schema in the API description. Its two forms have names as well, because
 *   generators of clients leave out alternatives without one.
 */
export function pageSchema<T extends z.ZodType>(id: string, row: T) {
  const shared = { data: z.array(row).describe('The rows of this page.'), total };
  const more = z.strictObject({
    ...shared,
    page_info: morePageInfo,
    has_more: z.literal(true),
    cursor: z.string().describe('Send it to get the next page; null on the last one.'),
  });
  const last = z.strictObject({
    ...shared,
    page_info: lastPageInfo,
    has_more: z.literal(false),
    cursor: z.null(),
  });
  return z.union([more.meta({ id: `${id}More` }), last.meta({ id: `${id}Last` })]).meta({ id });
}

export const screenerRowSchema = z
  .strictObject({
    symbol,
    companyName,
    ...screenerFieldSchemas,
  })
  .meta({ id: 'ScreenerRow' });

export const screenerPageSchema = pageSchema('ScreenerPage', screenerRowSchema);

export const symbolRowSchema = z
  .strictObject({
    symbol,
    companyName,
    exchange: z.enum(['NYSE', 'NASDAQ', 'AMEX']).nullable(),
    type: z.string().nullable().describe('`stock`, `etf`, `preferred` and so on.'),
    firstBar: z.iso.date().nullable().describe('Day of the first bar; null without any.'),
    lastBar: z.iso.date().nullable().describe('Day of the newest bar.'),
    source: z.string().nullable().describe('Source of the bars, or else of the listing.'),
  })
  .meta({ id: 'SymbolRow' });

export const symbolPageSchema = pageSchema('SymbolPage', symbolRowSchema);

const action = z
  .strictObject({
    symbol,
    type: z.enum(['split', 'dividend']),
    exDate: z.iso.date(),
    numerator: z.number().nullable().describe('For a 4-for-1 split: 4; null for dividends.'),
    denominator: z.number().nullable().describe('For a 4-for-1 split: 1; null for dividends.'),
    amount: z.number().nullable().describe('Dividend per share, as declared; null for splits.'),
  })
  .meta({ id: 'CorporateAction' });

export const corporateActionsSchema = z
  .strictObject({ data: z.array(action).describe('Newest first.') })
  .meta({ id: 'CorporateActions' });

const readiness = z.enum(['ready', 'stale', 'empty', 'damaged']);

export const readinessSchema = z
  .strictObject({
    status: z.enum(['ready', 'empty']),
    modes: z.strictObject({ live: readiness, sandbox: readiness }),
    diskFull: z.boolean(),
  })
  .meta({ id: 'Readiness' });

/** While there is no data: the envelope, and what `Readiness` says. */
export const unreadySchema = errorSchema
  .extend({ ...readinessSchema.shape, status: z.literal('empty') })
  .meta({ id: 'Unready' });

export const healthSchema = z.strictObject({ status: z.literal('ok') }).meta({ id: 'Health' });
