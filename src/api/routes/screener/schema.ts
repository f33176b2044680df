import { z } from 'zod';
import {
  type NullableField,
  type QuoteFieldName,
  quoteField,
  SCREENER_ROW,
  type ScreenerNumber,
} from '../../../base/quote-fields.ts';
import type { RouteExample } from '../../contract/route.ts';
import { firstPage, pageSchema } from '../../responses/pages.ts';
import { companyName, quoteFieldSchema, symbol } from '../../responses/schema-fields.ts';

type FieldSchemas<Name extends QuoteFieldName> = Record<
  Exclude<Name, NullableField>,
  z.ZodType<number>
> &
  Record<Extract<Name, NullableField>, z.ZodType<number | null>>;

const fieldSchemas = Object.fromEntries(
  SCREENER_ROW.map(({ name, isText }) => [
    name,
    isText ? z.string().nullable() : quoteFieldSchema(name, quoteField(name).screener?.description),
  ]),
) as FieldSchemas<ScreenerNumber> & Record<'sector' | 'industry', z.ZodType<string | null>>;

export const screenerRowSchema = z
  .strictObject({
    symbol,
    companyName,
    ...fieldSchemas,
  })
  .meta({ id: 'ScreenerRow' });

export const screenerPageSchema = pageSchema('ScreenerPage', screenerRowSchema);

export const SCREENER_EXAMPLE = {
  symbol: 'QXEV',
  companyName: 'Aqvivorvane Partners (synthetic)',
  price: 104.53,
  changePct: 1.920827,
  marketCap: 4517284124.29,
  peRatio: 11.386710239651416,
  dividendYield: 0,
  sector: 'Technology',
  industry: 'Semiconductors',
  volume: 239810,
  rsi14: 52.440833438385305,
};

export const screenerExample: RouteExample = {
  title: 'The largest technology companies',
  query: { sector: 'technology', limit: '1' },
  response: firstPage([SCREENER_EXAMPLE], 71),
};
