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

const readiness = z.enum(['ready', 'stale', 'empty']);

export const readinessSchema = z.strictObject({
  status: z.enum(['ready', 'empty']),
  modes: z.strictObject({ live: readiness, sandbox: readiness }),
  diskFull: z.boolean(),
});
