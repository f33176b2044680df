/**
 * Options of one task as JSON, and the context that all tasks of a run share. Neither has vendor
 * keys.
 */

import { z } from 'zod';
import type { SourceOptions } from '../../src/ingest/contract/source-options.ts';

const day = z.int();
const text = z.string();

/** Options of a task; dates are day numbers. */
export const partitionSchema = z.strictObject({
  dataset: text.optional(),
  path: text.optional(),
  paths: z.array(text).optional(),
  symbol: text.optional(),
  symbols: z.array(text).optional(),
  fromDay: day.optional(),
  toDay: day.optional(),
  firstDay: day.optional(),
  basis: z.enum(['raw', 'split', 'all']).optional(),
  /** Microseconds in decimal digits: a JSON number cannot hold them all. */
  asOfUs: z
    .string()
    .regex(/^-?\d+$/)
    .optional(),
  dateOrder: z.enum(['mdy', 'dmy', 'ymd']).optional(),
  decimal: z.enum(['point', 'comma']).optional(),
  complete: z.boolean().optional(),
  completeFor: z.array(text).optional(),
  interval: z.enum(['1d', '1m', '5m']).optional(),
  zone: text.optional(),
  stamps: z.enum(['start', 'end']).optional(),
  dates: z.enum(['written', 'next', 'previous']).optional(),
  keep: z.boolean().optional(),
  bulk: z.boolean().optional(),
  statements: text.optional(),
  stocks: z.int().optional(),
  lastStoredDays: z.record(text, day).optional(),
  storedDaysBySource: z.record(text, z.record(text, day)).optional(),
  wholeMarketDay: day.optional(),
  knownSymbols: z.array(text).optional(),
  actionsFromDay: day.optional(),
});

export type Partition = z.infer<typeof partitionSchema>;

/** Stored data that every task of a run may need; too large to repeat in each payload. */
export const sharedSchema = z.strictObject({
  tickersByCik: z.array(z.tuple([z.int(), z.array(text)])).optional(),
  companies: z.array(z.strictObject({ symbol: text, companyName: text })).optional(),
  yearEnds: z.array(z.tuple([text, z.strictObject({ day, fiscalYear: z.int() })])).optional(),
  storedFilings: z.strictObject({ origins: z.array(text), accessions: z.array(text) }).optional(),
});

export type SharedContext = z.infer<typeof sharedSchema>;

/** Converts options to JSON, with the last stored days of the named symbols only. */
export function partitionFromOptions(options: SourceOptions): Partition {
  const { lastStoredDay, asOfUs, tickersByCik, companies, yearEnds, storedFilings, ...plain } =
    options;
  const named = options.symbols ?? options.knownSymbols ?? [];
  const stored = named.flatMap((symbol) => {
    const lastDay = lastStoredDay?.(symbol);
    return lastDay === undefined ? [] : [[symbol, lastDay] as const];
  });
  // JSON drops undefined options.
  return partitionSchema.parse(
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

export function optionsFromPartition(
  { lastStoredDays, asOfUs, ...plain }: Partition,
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
