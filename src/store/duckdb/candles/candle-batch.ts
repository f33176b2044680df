/** Segments of candles that are loaded in one transaction, as one input. */

import { assert } from '../../../base/errors.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { filePattern, sqlString } from '../connection/sql-rows.ts';

export interface CandlePart {
  segment: CandleSegment;
  seq: number;
  /** Index of its first file in the joined segment. */
  firstFile: number;
}

export interface CandleBatch {
  /** All parts as one segment, with the id and the origin of the last. */
  joined: CandleSegment;
  parts: readonly CandlePart[];
  /** Number of the last segment, which the batch's changes carry. */
  seq: number;
}

/**
 * Returns the key that segments of one batch share; undefined unless all rows are in the Parquet
 * file at `stagedPath`, which stays in place.
 */
export function batchKey(segment: CandleSegment, stagedPath: string): string | undefined {
  const { dataset, kind, files, source, interval, hours, basis, actions } = segment;
  if (dataset !== 'candles' || kind !== 'parquet' || files.length === 0) return undefined;
  if (files.some(({ path }) => path !== stagedPath)) return undefined;
  // Segments with actions cause a check of all intervals of their symbols, so they go separately.
  return JSON.stringify([source, interval, hours, basis, Boolean(actions?.length)]);
}

/** @param segments Different ones with the same `batchKey`, or a single one of any kind. */
export function joinSegments(segments: readonly CandleSegment[], firstSeq: number): CandleBatch {
  let firstFile = 0;
  const parts = segments.map((segment, i) => {
    const part = { segment, seq: firstSeq + i, firstFile };
    firstFile += segment.files.length;
    return part;
  });
  const last = segments[segments.length - 1];
  const seq = firstSeq + segments.length - 1;
  if (segments.length === 1) return { joined: last, parts, seq };
  const files = segments.flatMap((segment) => segment.files);
  const joined: CandleSegment = {
    ...last,
    files,
    groups: [{ selectSql: rowsSql(parts), fileIndexes: [...files.keys()] }],
    examine: async (fileIndexes) => {
      assert(fileIndexes.length === 0, 'staged segments have only good rows');
      return [];
    },
    actions: last.actions && segments.flatMap(({ actions = [] }) => actions),
  };
  return { joined, parts, seq };
}

function rowsSql(parts: readonly CandlePart[]): string {
  const paths = parts.map(({ segment }) => segment.files[0].path);
  const patterns = paths.map((path) => sqlString(filePattern(path)));
  const firsts = parts.map(({ firstFile }) => firstFile);
  return `SELECT (first_file + r.file_index)::INTEGER AS file_index, ts, open, high, low, close, volume
    FROM read_parquet([${patterns.join(', ')}], filename = true) r
    JOIN (SELECT unnest([${paths.map(sqlString).join(', ')}]) AS filename,
            unnest([${firsts.join(', ')}]) AS first_file) USING (filename)
    ORDER BY 1, 2`;
}

/** Returns the files of one part out of values by file of the batch. */
export function filesOfPart<T>({ segment, firstFile }: CandlePart, files: readonly T[]): T[] {
  return files.slice(firstFile, firstFile + segment.files.length);
}
