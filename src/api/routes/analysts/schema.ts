import { z } from 'zod';
import { RATING_ACTIONS } from '../../../base/datasets/analysts.ts';
import type { RouteExample } from '../../contract/route.ts';
import { firstPage, pageSchema } from '../../responses/pages.ts';
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

const path = { symbol: 'QXAA' };

export const consensusExample: RouteExample = {
  title: 'Consensus of a symbol',
  path,
  response: {
    symbol: 'QXAA',
    consensus: 'Buy',
    totalAnalysts: 5,
    targetHigh: 167,
    targetLow: 92,
    targetMean: 134.4,
    targetMedian: 147,
    buy: 2,
    hold: 2,
    sell: 1,
  },
};

export const TARGET = {
  analystName: 'Zinduvisylt Ruxyxadane (synthetic)',
  firm: 'Ruxalkdane Capital Markets (synthetic)',
  target: 92,
  rating: 'Strong Sell',
  publishedAt: '2026-09-25T12:39:00.000Z',
};

export const ratingsExample: RouteExample = {
  title: 'The newest rating change',
  path,
  query: { limit: '1' },
  response: firstPage(
    [
      {
        symbol: 'QXAA',
        firm: 'Ruxalkdane Capital Markets (synthetic)',
        analystName: 'Zinduvisylt Ruxyxadane (synthetic)',
        action: 'downgrade',
        fromGrade: 'Hold',
        toGrade: 'Strong Sell',
        publishedAt: '2026-09-25T12:39:00.000Z',
      },
    ],
    10,
  ),
};
