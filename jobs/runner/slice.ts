/**
 * A part of a source's work as JSON: the options of one child, and what all children of a plan
 * share. Vendor keys are no options, so no payload can hold one.
 */

import { z } from 'zod';
import type { SourceOptions } from '../../src/ingest/contract/source-options.ts';

const day = z.int();
const text = z.string();

/** Options that differ from child to child, or are small; dates are day numbers. */
export const sliceSchema = z.strictObject({
  dataset: text.optional(),
  path: text.optional(),
  paths: z.array(text).optional(),
  symbol: text.optional(),
  symbols: z.array(text).optional(),
  fromDay: day.optional(),
  toDay: day.optional(),
  basis: z.enum(['raw', 'split', 'all']).optional(),
  /** Microseconds in decimal digits: JSON numbers cannot hold them all. */
  asOfUs: z
    .string()
    .regex(/^-?\d+$/)
    .optional(),
  dateOrder: z.enum(['mdy', 'dmy', 'ymd']).optional(),
  interval: z.enum(['1d', '1m', '5m']).optional(),
  zone: text.optional(),
  stamps: z.enum(['start', 'end']).optional(),
  keep: z.boolean().optional(),
  bulk: z.boolean().optional(),
  stocks: z.int().optional(),
  /** Of the slice's symbols. */
  lastStoredDays: z.record(text, day).optional(),
  wholeMarketDay: day.optional(),
  knownSymbols: z.array(text).optional(),
  actionsFromDay: day.optional(),
});

export type Slice = z.infer<typeof sliceSchema>;

/** What the store knows that every child of a plan may need; too large to repeat in each. */
export const sharedSchema = z.strictObject({
  tickersByCik: z.array(z.tuple([z.int(), z.array(text)])).optional(),
  companies: z.array(z.strictObject({ symbol: text, companyName: text })).optional(),
  yearEnds: z.array(z.tuple([text, z.strictObject({ day, fiscalYear: z.int() })])).optional(),
  storedFilings: z.strictObject({ origins: z.array(text), accessions: z.array(text) }).optional(),
});

export type SharedContext = z.infer<typeof sharedSchema>;

/** The slice that asks for the same; what the store knows beyond its symbols is left out. */
export function sliceFromOptions(options: SourceOptions): Slice {
  const { lastStoredDay, asOfUs, tickersByCik, companies, yearEnds, storedFilings, ...plain } =
    options;
  const named = options.symbols ?? options.knownSymbols ?? [];
  const stored = named.flatMap((symbol) => {
    const lastDay = lastStoredDay?.(symbol);
    return lastDay === undefined ? [] : [[symbol, lastDay] as const];
  });
  // By way of JSON: undefined options are left out.
  return sliceSchema.parse(
    JSON.parse(
      JSON.stringify({
        ...plain,
        asOfUs: asOfUs?.toString(),
        lastStoredDays: stored.length > 0 ? Object.fromEntries(stored) : undefined,
      }),
    ),
  );
}

export function sharedFromOptions(options: SourceOptions): SharedContext {
  const { tickersByCik, companies, yearEnds, storedFilings } = options;
  return {
    ...(tickersByCik && {
      tickersByCik: Array.from(tickersByCik, ([cik, own]) => [cik, [...own]]),
    }),
    ...(companies && { companies: [...companies] }),
    ...(yearEnds && { yearEnds: [...yearEnds] }),
    ...(storedFilings && {
      storedFilings: {
        origins: [...storedFilings.origins],
        accessions: [...storedFilings.accessions],
      },
    }),
  };
}

/** What a source is asked for a slice. */
export function optionsFromSlice(
  { lastStoredDays, asOfUs, ...plain }: Slice,
  { tickersByCik, companies, yearEnds, storedFilings }: SharedContext = {},
): SourceOptions {
  return {
    ...plain,
    asOfUs: asOfUs === undefined ? undefined : BigInt(asOfUs),
    ...(lastStoredDays && { lastStoredDay: (symbol: string) => lastStoredDays[symbol] }),
    ...(tickersByCik && { tickersByCik: new Map(tickersByCik) }),
    ...(companies && { companies }),
    ...(yearEnds && { yearEnds: new Map(yearEnds) }),
    ...(storedFilings && {
      storedFilings: {
        origins: new Set(storedFilings.origins),
        accessions: new Set(storedFilings.accessions),
      },
    }),
  };
}
