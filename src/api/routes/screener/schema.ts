import { z } from 'zod';
import {
  type NullableField,
  type QuoteFieldName,
  quoteField,
  SCREENER_ROW,
  type ScreenerNumber,
} from '../../../base/quote-fields.ts';
import { pageSchema } from '../../responses/pages.ts';
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
