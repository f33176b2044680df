/**
 * Landed segments as JSON, so that another process, on another machine that sees the same segments
 * folder, can load what was fetched here.
 */

import { join } from 'node:path';
import { z } from 'zod';
import { BASES } from '../bars.ts';
import { assert } from '../errors.ts';
import type { CandleSegment } from '../store/market/candle-segment.ts';
import { BASE_INTERVALS } from './candle-interval.ts';
import type { Fetched, FetchedSegment } from './fetch-context.ts';
import { HOURS } from './session-hours.ts';
import { sqlFile } from './sql-text.ts';

const count = z.int().min(0);
const day = z.int();
const amount = z.number();
const fact = z.string().nullable().optional();
/** Microseconds in decimal digits: JSON numbers cannot hold them all. */
const micros = z.string().regex(/^-?\d+$/);
const segmentId = z.string().regex(/^[0-9a-f]{64}$/);

const findings = {
  skipped: z.array(z.strictObject({ name: z.string(), reason: z.string() })),
  rejectedByReason: z.array(z.tuple([z.string(), count])),
};

const actionsSchema = z.strictObject({
  symbol: z.string(),
  splits: z.array(z.strictObject({ exDay: day, numerator: amount, denominator: amount })),
  dividends: z.array(z.strictObject({ exDay: day, amount, factor: amount.optional() })),
  coverageFromDay: day,
  coverageToDay: day,
});

const candlesSchema = z.strictObject({
  kind: z.literal('candles'),
  id: segmentId,
  source: z.string(),
  interval: z.enum(BASE_INTERVALS),
  hours: z.enum(HOURS).optional(),
  basis: z.enum(BASES),
  asOfUs: micros.optional(),
  origin: z.string(),
  /** Symbol and rows of each series, in the order of the file's `file_index`. */
  series: z.array(z.tuple([z.string(), count])),
  rejectedLines: count,
  actions: z.array(actionsSchema).optional(),
  ...findings,
});

const rowsSchema = z.strictObject({
  kind: z.literal('rows'),
  id: segmentId,
  dataset: z.string(),
  source: z.string(),
  asOfUs: micros,
  origin: z.string(),
  accepted: count,
  rejected: count,
  ...findings,
});

const factsSchema = z.strictObject({
  kind: z.literal('facts'),
  source: z.string(),
  origin: z.string(),
  facts: z.array(
    z.strictObject({
      symbol: z.string(),
      ...{ companyName: fact, exchange: fact, venue: fact, type: fact },
      ...{ country: fact, sector: fact, industry: fact },
      cik: z.int().nullable().optional(),
    }),
  ),
  ...findings,
});

export const landedSchema = z.discriminatedUnion('kind', [candlesSchema, rowsSchema, factsSchema]);

export type Landed = z.infer<typeof landedSchema>;

/** A segment of candles that lies as one Parquet file, whose rows are all good. */
export function landedCandles(
  head: Pick<CandleSegment, 'id' | 'source' | 'interval' | 'hours' | 'basis' | 'asOfUs' | 'origin'>,
  series: readonly (readonly [symbol: string, rowCount: number])[],
  parquetPath: string,
): FetchedSegment {
  return {
    ...head,
    dataset: 'candles',
    kind: 'parquet',
    files: series.map(([symbol, dataLines]) => ({
      path: parquetPath,
      symbol,
      dataLines,
      sha256: head.id,
    })),
    groups: [
      {
        selectSql: `SELECT file_index, ts, open, high, low, close, volume
          FROM read_parquet(${sqlFile(parquetPath)})`,
        fileIndexes: series.map((_, index) => index),
      },
    ],
    examine: async (fileIndexes) => {
      assert(fileIndexes.length === 0, 'a landed segment holds only good rows');
      return [];
    },
    rejectedLines: 0,
    skipped: [],
    rejectedByReason: new Map(),
  };
}

/** @param segment What a vendor gave; what is read from local files in place cannot be told so. */
export function landedFrom(segment: Fetched): Landed {
  const { source, origin, skipped } = segment;
  const rejectedByReason = [...segment.rejectedByReason];
  const told = { source, origin, skipped, rejectedByReason };
  if ('facts' in segment) return { kind: 'facts', facts: [...segment.facts], ...told };
  if ('parquetPath' in segment) {
    const { id, dataset, accepted, rejected, asOfUs } = segment;
    return { kind: 'rows', id, dataset, accepted, rejected, asOfUs: asOfUs.toString(), ...told };
  }
  const { id, dataset, interval, hours, basis, kind, files, rejectedLines = 0, actions } = segment;
  assert(kind === 'parquet' && dataset === 'candles', 'what a vendor gives is landed');
  return landedSchema.parse({
    ...{ kind: 'candles', id, interval, hours, basis, rejectedLines, actions },
    asOfUs: segment.asOfUs?.toString(),
    series: files.map(({ symbol, dataLines }) => [symbol, dataLines]),
    ...told,
  });
}

/**
 * @param segmentsFolder Where this machine sees the landed files.
 */
export function fetchedFromLanded(landed: Landed, segmentsFolder: string): Fetched {
  const rejectedByReason = new Map(landed.rejectedByReason);
  const { source, origin, skipped } = landed;
  if (landed.kind === 'facts') {
    return { source, origin, facts: landed.facts, skipped, rejectedByReason };
  }
  const parquetPath = join(segmentsFolder, `${landed.id}.parquet`);
  if (landed.kind === 'rows') {
    const { id, dataset, accepted, rejected } = landed;
    const asOfUs = BigInt(landed.asOfUs);
    const found = { accepted, rejected, skipped, rejectedByReason };
    return { id, dataset, source, asOfUs, origin, kind: 'parquet', parquetPath, ...found };
  }
  const asOfUs = landed.asOfUs === undefined ? undefined : BigInt(landed.asOfUs);
  const { id, interval, hours, basis, series, actions, rejectedLines } = landed;
  const head = { id, source, interval, hours, basis, asOfUs, origin };
  return {
    ...landedCandles(head, series, parquetPath),
    ...{ actions, rejectedLines, skipped, rejectedByReason },
  };
}
