/** Staged segments as JSON, so that another process or machine can load what was fetched. */

import { join } from 'node:path';
import { z } from 'zod';
import { BASES } from '../../base/bars.ts';
import { assert } from '../../base/errors.ts';
import { BASE_INTERVALS, HOURS } from '../../base/time/intervals.ts';
import { existsSync } from '../../base/world/files.ts';
import type { CandleSegment } from '../../store/duckdb/connection/candle-segment.ts';
import type { Fetched, FetchedSegment } from '../contract/fetch-context.ts';
import { sha256OfFile } from './place-file.ts';
import { sqlFile } from './sql-text.ts';

const count = z.int().min(0);
const day = z.int();
const amount = z.number();
const fact = z.string().nullable().optional();
/** Microseconds in decimal digits, because JSON numbers can't hold them all. */
const micros = z.string().regex(/^-?\d+$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const segmentId = sha256;
/** SHA-256 of the Parquet file, which may lie on a shared disk for a while before it is loaded. */
const parquetSha256 = sha256.optional();

export const skippedSchema = z.array(
  z.strictObject({
    name: z.string(),
    reason: z.string(),
    line: count.optional(),
    isRefused: z.boolean().optional(),
  }),
);

const findings = {
  skipped: skippedSchema,
  rejectedByReason: z.array(z.tuple([z.string(), count])),
  notes: z.array(z.string()).optional(),
};

const actionsSchema = z.strictObject({
  symbol: z.string(),
  splits: z.array(z.strictObject({ exDay: day, numerator: amount, denominator: amount })),
  dividends: z.array(
    z.strictObject({
      exDay: day,
      amount,
      currency: z.string().optional(),
      isSpinOff: z.boolean().optional(),
      factor: amount.optional(),
    }),
  ),
  covers: z.enum(['split', 'dividend']).optional(),
  coverageFromDay: day,
  coverageToDay: day,
});

const candlesSchema = z.strictObject({
  kind: z.literal('candles'),
  id: segmentId,
  parquetSha256,
  source: z.string(),
  interval: z.enum(BASE_INTERVALS),
  hours: z.enum(HOURS).optional(),
  basis: z.enum(BASES),
  asOfUs: micros.optional(),
  origin: z.string(),
  /** Symbol and rows of each series, in the order of the file's `file_index`. */
  series: z.array(z.tuple([z.string(), count])),
  /** Files that the Parquet file is a copy of, and those behind each series; none for a vendor. */
  files: z
    .strictObject({
      named: z.array(z.tuple([z.string(), sha256])),
      bySeries: z.array(count),
      /** Series whose volumes are divided by dividends too. */
      scaled: z.array(count).optional(),
    })
    .optional(),
  rejectedLines: count,
  actions: z.array(actionsSchema).optional(),
  /** Reading of its file, as JSON. */
  reading: z.string().optional(),
  ...findings,
});

const rowsSchema = z.strictObject({
  kind: z.literal('rows'),
  id: segmentId,
  parquetSha256,
  dataset: z.string(),
  source: z.string(),
  asOfUs: micros,
  origin: z.string(),
  accepted: count,
  rejected: count,
  rules: count.optional(),
  ...findings,
});

const factsSchema = z.strictObject({
  kind: z.literal('facts'),
  source: z.string(),
  origin: z.string(),
  asOfUs: micros.optional(),
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

export const stagedSegmentSchema = z.discriminatedUnion('kind', [
  candlesSchema,
  rowsSchema,
  factsSchema,
]);

export type StagedSegment = z.infer<typeof stagedSegmentSchema>;

/** A segment of candles in one Parquet file whose rows are all good. */
export function stagedCandles(
  head: Pick<
    CandleSegment,
    'id' | 'source' | 'interval' | 'hours' | 'basis' | 'asOfUs' | 'origin' | 'parquetSha256'
  > & { reading?: string },
  series: readonly (readonly [symbol: string, rowCount: number])[],
  parquetPath: string,
): FetchedSegment {
  const { reading, ...rest } = head;
  return {
    ...rest,
    dataset: 'candles',
    kind: 'parquet',
    files: series.map(([symbol, dataLines]) => ({
      path: parquetPath,
      symbol,
      dataLines,
      sha256: head.id,
      reading,
    })),
    groups: [
      {
        selectSql: `SELECT file_index, ts, open, high, low, close, volume
          FROM read_parquet(${sqlFile(parquetPath)})`,
        fileIndexes: series.map((_, index) => index),
      },
    ],
    examine: async (fileIndexes) => {
      assert(fileIndexes.length === 0, 'a staged segment holds only good rows');
      return [];
    },
    rejectedLines: 0,
    skipped: [],
    rejectedByReason: new Map(),
  };
}

/** @param segment A vendor's segment. Local files that are read in place have no such form. */
export function stagedFrom(segment: Fetched): StagedSegment {
  const plain = {
    ...segment,
    asOfUs: segment.asOfUs?.toString(),
    rejectedByReason: [...segment.rejectedByReason],
  };
  if ('facts' in segment) return factsSchema.strip().parse({ ...plain, kind: 'facts' });
  if ('parquetPath' in segment) return rowsSchema.strip().parse({ ...plain, kind: 'rows' });
  const { dataset, kind, files, rejectedLines = 0 } = segment;
  assert(kind === 'parquet' && dataset === 'candles', 'what a vendor gives is staged');
  const series = files.map(({ symbol, dataLines }) => [symbol, dataLines]);
  return candlesSchema.strip().parse({
    ...plain,
    kind: 'candles',
    rejectedLines,
    series,
    files: undefined,
    reading: files[0]?.reading,
  });
}

/** Describes a user's candles whose copy is staged. `acceptedByFile` is by place in `files`. */
export function stagedCopy(
  segment: FetchedSegment,
  acceptedByFile: readonly number[],
): StagedSegment {
  const { files, rejectedLines = 0 } = segment;
  const lines = files.reduce((sum, { dataLines }) => sum + dataLines, rejectedLines);
  const accepted = acceptedByFile.reduce((sum, count) => sum + count, 0);
  const names = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  const places = new Map([...names.keys()].map((path, place) => [path, place]));
  const scaled = [...files.keys()].filter((series) => files[series].scalesVolume);
  return candlesSchema.strip().parse({
    ...segment,
    kind: 'candles',
    asOfUs: segment.asOfUs?.toString(),
    series: files.map(({ symbol }, i) => [symbol, acceptedByFile[i]]),
    files: {
      named: [...names],
      bySeries: files.map(({ path }) => places.get(path)),
      ...(scaled.length > 0 && { scaled }),
    },
    rejectedLines: lines - accepted,
    rejectedByReason: [...segment.rejectedByReason],
  });
}

export function fetchedFromStaged(staged: StagedSegment, segmentsFolder: string): Fetched {
  const asOfUs = staged.asOfUs === undefined ? undefined : BigInt(staged.asOfUs);
  const rejectedByReason = new Map(staged.rejectedByReason);
  if (staged.kind === 'facts') {
    const { kind: _, ...facts } = staged;
    return { ...facts, asOfUs, rejectedByReason };
  }
  const parquetPath = join(segmentsFolder, `${staged.id}.parquet`);
  if (staged.kind === 'rows') {
    const rows = { ...staged, asOfUs: BigInt(staged.asOfUs), rejectedByReason };
    return { ...rows, kind: 'parquet', parquetPath };
  }
  const { kind: _, series, files, rejectedLines, skipped, ...head } = staged;
  const candles = stagedCandles({ ...head, asOfUs }, series, parquetPath);
  const found = { rejectedLines, skipped, rejectedByReason };
  if (!files) return { ...candles, ...found };
  const named = candles.files.map((file, i) => {
    const [path, sha256] = files.named[files.bySeries[i]];
    const scales = files.scaled?.includes(i) && { scalesVolume: true };
    return { ...file, path, sha256, ...scales };
  });
  return { ...candles, ...found, kind: 'external', files: named };
}

/**
 * Finds the fault that keeps a staged file from being loaded; undefined if it is unchanged.
 * @throws the error of opening it: the disk may be away.
 */
export async function stagedFault(
  staged: StagedSegment,
  segmentsFolder: string,
): Promise<string | undefined> {
  if (staged.kind === 'facts') return undefined;
  const path = join(segmentsFolder, `${staged.id}.parquet`);
  if (staged.parquetSha256 === undefined && existsSync(path)) return undefined;
  const sha256 = await sha256OfFile(path, staged.parquetSha256).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EIO') throw error;
      return 'unreadable';
    },
  );
  if (sha256 === undefined) return `"${path}" is missing`;
  if (sha256 === staged.parquetSha256) return undefined;
  return `"${path}" does not match its SHA-256: it was damaged since it was staged`;
}
