import { z } from 'zod';
import { BASES } from '../../../base/bars.ts';
import { listedDatasets } from '../../../base/datasets/datasets.ts';
import { INTERVALS } from '../../../base/time/intervals.ts';
import type { RouteExample } from '../../contract/route.ts';
import { companyName, symbol } from '../../responses/schema-fields.ts';

/** Datasets with rows under a symbol, as paths name them; the calendar of earnings has one list for all. */
export const SYMBOL_DATASETS = listedDatasets
  .filter(({ list }) => !list!.isOfAll)
  .map(({ name }) => name);

const intervalSchema = z
  .strictObject({
    interval: z.enum(INTERVALS),
    firstBar: z.iso.date(),
    lastBar: z.iso.date(),
    source: z.string(),
    adjustments: z.array(z.enum(BASES)).describe('Price bases that requests can choose.'),
    defaultAdjustment: z.enum(BASES),
  })
  .meta({ id: 'SymbolInterval' });

export const symbolDetailsSchema = z
  .strictObject({
    symbol,
    companyName,
    exchange: z.enum(['NYSE', 'NASDAQ', 'AMEX']).nullable(),
    type: z.string().nullable().describe('`stock`, `etf`, `preferred` and so on.'),
    country: z.string().nullable().describe('ISO 3166 alpha-2.'),
    sector: z.string().nullable(),
    industry: z.string().nullable(),
    cik: z.int().nullable().describe("The SEC's number of the registrant."),
    delistedOn: z.iso.date().nullable().describe('Last trading day; null while it is listed.'),
    delistedReason: z.string().nullable().describe('Why it was delisted, if that is known.'),
    successor: z
      .string()
      .nullable()
      .describe('The security that took it over, as stated with the delisting.'),
    parent: z.string().nullable().describe('The security that it was spun off from, as stated.'),
    formerTickers: z.array(
      z.strictObject({
        ticker: z.string(),
        lastDate: z.iso.date().describe('Last day under this ticker.'),
      }),
    ),
    intervals: z
      .array(intervalSchema)
      .describe('Intervals that have bars, the shortest first; empty without any.'),
    datasets: z.array(z.enum(SYMBOL_DATASETS)).describe('Datasets that have rows of the symbol.'),
  })
  .meta({ id: 'SymbolDetails' });

export const symbolDetailsExample: RouteExample = {
  title: 'A stock with daily bars',
  path: { symbol: 'QXAA' },
  response: {
    symbol: 'QXAA',
    companyName: 'Brixadodane Inc. (synthetic)',
    exchange: 'NASDAQ',
    type: 'stock',
    country: 'US',
    sector: 'Technology',
    industry: 'Semiconductors',
    cik: null,
    delistedOn: null,
    delistedReason: null,
    successor: null,
    parent: null,
    formerTickers: [],
    intervals: (['1d', '1w', '1M'] as const).map((interval) => ({
      interval,
      firstBar: '2025-06-02',
      lastBar: '2026-11-17',
      source: 'sandbox',
      adjustments: ['raw', 'split', 'all'],
      defaultAdjustment: 'split',
    })),
    datasets: SYMBOL_DATASETS.slice(0, 4),
  },
};
