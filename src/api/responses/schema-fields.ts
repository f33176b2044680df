/** Fields that the schemas of several responses share. */

import { z } from 'zod';
import { type QuoteFieldName, quoteField } from '../../base/fields.ts';

export const dateTime = z.iso.datetime({ precision: 3 });

export const symbol = z.string().describe('Canonical spelling of the ticker: `BRK.B`.');

export const companyName = z.string().nullable();

/** A figure that may be unknown. */
export const amount = z.number().nullable();

/** Makes the schema of a field that quotes and rows of the screener have. */
export function quoteFieldSchema(name: QuoteFieldName, description: string | undefined): z.ZodType {
  const { kind, isNullable } = quoteField(name);
  const values = { number: z.number(), volume: z.number(), timestamp: dateTime, text: z.string() };
  const value = values[kind];
  const schema = isNullable ? value.nullable() : value;
  return description === undefined ? schema : schema.describe(description);
}
