import { z } from 'zod';
import { RATING_ACTIONS } from '../../../base/datasets/analysts.ts';
import { pageSchema } from '../../responses/pages.ts';
import { amount, dateTime } from '../../responses/schema-fields.ts';

export const consensusSchema = z
  .strictObject({
    symbol: z.string(),
    consensus: z.enum(['Strong Buy', 'Buy', 'Hold', 'Sell', 'Strong Sell']).nullable(),
    totalAnalysts: z.int().nullable(),
    targetHigh: amount,
    targetLow: amount,
    targetMean: amount,
    targetMedian: amount,
    buy: z.int().nullable(),
    hold: z.int().nullable(),
    sell: z.int().nullable(),
  })
  .meta({ id: 'AnalystConsensus' });

export const priceTargetSchema = z
  .strictObject({
    analystName: z.string().nullable(),
    firm: z.string(),
    target: z.number(),
    rating: z.string().nullable(),
    publishedAt: dateTime,
  })
  .meta({ id: 'PriceTarget' });

export const targetsSchema = z
  .strictObject({ data: z.array(priceTargetSchema) })
  .meta({ id: 'PriceTargets' });

export const ratingChangeSchema = z
  .strictObject({
    symbol: z.string(),
    firm: z.string(),
    analystName: z.string().nullable(),
    action: z.enum(RATING_ACTIONS),
    fromGrade: z.string().nullable(),
    toGrade: z.string().nullable(),
    publishedAt: dateTime,
  })
  .meta({ id: 'RatingChange' });

export const ratingsPageSchema = pageSchema('RatingPage', ratingChangeSchema);
