/** What JSON answers look like, field by field. Tests hold every body against these. */

import { z } from 'zod';
import { INTERVALS } from '../intervals.ts';
import { ERROR_TYPES, type ErrorType } from './error-types.ts';

const dateTime = z.iso.datetime({ precision: 3 });

/** The envelope of every error. */
export const errorSchema = z.strictObject({
  error: z.strictObject({
    message: z.string().min(1),
    type: z.enum(Object.keys(ERROR_TYPES) as [ErrorType, ...ErrorType[]]),
    docs_url: z.string(),
  }),
  request_id: z.string().regex(/^req_[0-9a-z]+$/),
});

export const candleSchema = z.strictObject({
  timestamp: dateTime,
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: z.int(),
});

const singlePoint = z.strictObject({ timestamp: dateTime, value: z.number() });

const macdPoint = z.strictObject({
  timestamp: dateTime,
  value: z.number(),
  signal: z.number().nullable(),
  histogram: z.number().nullable(),
});

const bollingerPoint = z.strictObject({
  timestamp: dateTime,
  value: z.number(),
  upper: z.number(),
  middle: z.number(),
  lower: z.number(),
});

export const technicalSchema = z.strictObject({
  symbol: z.string(),
  interval: z.enum(INTERVALS),
  indicators: z.record(
    z.string(),
    z.union([z.array(singlePoint), z.array(macdPoint), z.array(bollingerPoint)]),
  ),
  candles: z.array(candleSchema),
});

export const quoteSchema = z.strictObject({
  symbol: z.string(),
  price: z.number(),
  change: z.number().nullable(),
  changePct: z.number().nullable(),
  volume: z.int(),
  timestamp: dateTime,
  dayHigh: z.number(),
  dayLow: z.number(),
  dayOpen: z.number(),
  previousClose: z.number().nullable(),
  marketCap: z.number().nullable(),
});

export const quoteBatchSchema = z.strictObject({
  data: z.array(quoteSchema),
  notFound: z.array(z.string()).min(1).optional(),
});

/** Both envelopes of a page at once; the last page's have no cursor. */
export function pageSchema<T extends z.ZodType>(row: T) {
  const shared = { data: z.array(row), total: z.int() };
  return z.union([
    z.strictObject({
      ...shared,
      page_info: z.strictObject({
        hasNext: z.literal(true),
        cursor: z.string(),
        totalCount: z.int(),
      }),
      has_more: z.literal(true),
      cursor: z.string(),
    }),
    z.strictObject({
      ...shared,
      page_info: z.strictObject({ hasNext: z.literal(false), totalCount: z.int() }),
      has_more: z.literal(false),
      cursor: z.null(),
    }),
  ]);
}

export const screenerRowSchema = z.strictObject({
  symbol: z.string(),
  companyName: z.string().nullable(),
  price: z.number(),
  changePct: z.number().nullable(),
  marketCap: z.number().nullable(),
  peRatio: z.number().nullable(),
  dividendYield: z.number().nullable(),
  sector: z.string().nullable(),
  industry: z.string().nullable(),
  volume: z.int(),
  rsi14: z.number().nullable(),
});

export const screenerPageSchema = pageSchema(screenerRowSchema);

export const symbolRowSchema = z.strictObject({
  symbol: z.string(),
  companyName: z.string().nullable(),
  exchange: z.enum(['NYSE', 'NASDAQ', 'AMEX']).nullable(),
  type: z.string().nullable(),
  firstBar: z.iso.date().nullable(),
  lastBar: z.iso.date().nullable(),
  source: z.string().nullable(),
});

export const symbolPageSchema = pageSchema(symbolRowSchema);

export const corporateActionsSchema = z.strictObject({
  data: z.array(
    z.strictObject({
      symbol: z.string(),
      type: z.enum(['split', 'dividend']),
      exDate: z.iso.date(),
      numerator: z.number().nullable(),
      denominator: z.number().nullable(),
      amount: z.number().nullable(),
    }),
  ),
});

const readiness = z.enum(['ready', 'stale', 'empty', 'damaged']);

export const readinessSchema = z.strictObject({
  status: z.enum(['ready', 'empty']),
  modes: z.strictObject({ live: readiness, sandbox: readiness }),
  diskFull: z.boolean(),
});
