/** Options of one task, and the stored data that all tasks of a run share. */

import { z } from 'zod';
import { optionsSchema, type SourceOptions } from '../../src/ingest/contract/options-schema.ts';

/** Too large to repeat in each payload. */
const SHARED = {
  tickersByCik: true,
  companies: true,
  yearEnds: true,
  storedFilings: true,
} as const;

/** Options of a task. */
export const partitionSchema = optionsSchema.omit(SHARED);

export type Partition = z.infer<typeof partitionSchema>;

/** Request for local files. `rebuild` repeats it from the record of the load. */
export const localRequestSchema = z.strictObject({ source: z.string(), slice: partitionSchema });

export type LocalRequest = z.infer<typeof localRequestSchema>;

/** Stored data that every task of a run may need. */
export const sharedSchema = optionsSchema.pick(SHARED);

export type SharedContext = z.infer<typeof sharedSchema>;

/** Returns the options of a task, with the last stored days of its own symbols only. */
export function partitionFromOptions(options: SourceOptions): Partition {
  const { tickersByCik, companies, yearEnds, storedFilings, lastStoredDays, ...plain } = options;
  const named = options.symbols ?? options.knownSymbols ?? [];
  const days = named.flatMap((symbol) => {
    const day = lastStoredDays?.[symbol];
    return day === undefined ? [] : [[symbol, day] as const];
  });
  const own = days.length > 0 && { lastStoredDays: Object.fromEntries(days) };
  return partitionSchema.parse(setOnly({ ...plain, ...own }));
}

export function sharedFromOptions(options: SourceOptions): SharedContext {
  const { tickersByCik, companies, yearEnds, storedFilings } = options;
  return setOnly({ tickersByCik, companies, yearEnds, storedFilings });
}

/** Drops undefined options, as JSON does. */
function setOnly<T extends object>(options: T): T {
  const set = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as T;
}
