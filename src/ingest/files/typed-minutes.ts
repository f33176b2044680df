/** The fast way for files of minutes: typed columns of whole files, kept if no row was lost. */

import { assert } from '../../base/errors.ts';
import { jsonTable, selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import { isLongerSql } from '../segments/longer-steps.ts';
import { intradayRowRules, keptSql } from '../segments/row-rules.ts';
import type { Scratch } from '../segments/scratch.ts';
import type { Identify } from './exact-read.ts';
import type { CandleInput } from './prepare.ts';
import { settleZones } from './settle-zones.ts';

/** Returns true if the typed reader keeps every row that the exact reader would keep. */
export function isTypedMinutes({ stamps, parsedAs }: CandleInput): boolean {
  return stamps !== undefined && parsedAs !== undefined;
}

export interface TypedRequest {
  /** All files of the segment. `file_index` is a position in this list. */
  inputs: readonly CandleInput[];
  /** Positions of the files to read: at least one, each accepted by `isTypedMinutes`. */
  indexes: readonly number[];
  identify: Identify;
  nowMs: number;
  /** Same as for the exact reader, to which files with longer bars of a symbol are left. */
  mayHoldLonger: boolean;
}

/**
 * Creates the scratch table `typed_rows` of the files that have a good row for each line and no
 * two rows of one series and stamp.
 * @returns these files. All others must be read exactly.
 */
export async function readTypedMinutes(
  scratch: Scratch,
  { inputs, indexes, identify, nowMs, mayHoldLonger }: TypedRequest,
): Promise<Set<number>> {
  const connection = await scratch.connect();
  const { stamps } = inputs[indexes[0]];
  assert(stamps, 'files of minutes say how they are stamped');
  await makeSeries(scratch, inputs, indexes, identify);
  await settleZones(scratch, 'typed_rows', stamps, TYPED_SQL);
  // Files of another interval or side are read later.
  const taken = indexes.map((index) => inputs[index].parsedAs);
  await connection.run(`CREATE OR REPLACE TEMP TABLE parsed_minutes AS
    FROM parsed_minutes WHERE NOT list_contains([${taken}]::INTEGER[], file)`);
  const isGood = keptSql(intradayRowRules(stamps.interval, nowMs));
  const isLonger = mayHoldLonger ? isLongerSql(stamps.interval) : 'false';
  const counts = await selectRows<{ file: number; rows: number }>(
    connection,
    `SELECT file_index AS file, sum(rows)::DOUBLE AS rows FROM (
       SELECT file_index, series, count(*) AS rows,
         bool_and(reason IS NULL AND ${isGood}) AND series IS NOT NULL
           AND count(DISTINCT ts) = count(*) AND NOT (${isLonger}) AS is_good
       FROM typed_rows GROUP BY file_index, series)
     GROUP BY 1 HAVING bool_and(is_good)`,
  );
  const whole = counts.filter(({ file, rows }) => rows === inputs[file].dataLines);
  const files = whole.map(({ file }) => file);
  if (files.length < indexes.length) {
    await connection.run(`CREATE OR REPLACE TEMP TABLE typed_rows AS
      FROM typed_rows WHERE list_contains([${files}]::INTEGER[], file_index)`);
  }
  return new Set(files);
}

/** Creates `typed_series`: the series of each symbol text in each file, or NULL, and the file's zone. */
async function makeSeries(
  scratch: Scratch,
  inputs: readonly CandleInput[],
  indexes: readonly number[],
  identify: Identify,
): Promise<void> {
  const connection = await scratch.connect();
  const byFile = new Map(indexes.map((index) => [inputs[index].parsedAs, index]));
  const found = await selectRows<{ file: number; text: string }>(
    connection,
    'SELECT DISTINCT file, symbol_text AS text FROM parsed_minutes ORDER BY ALL',
  );
  const rows = found.flatMap(({ file, text }) => {
    const file_index = byFile.get(file);
    if (file_index === undefined) return [];
    const identity = identify(file_index, text === '' ? null : text);
    const series = typeof identity === 'object' && 'series' in identity ? identity.series : null;
    const { zone } = inputs[file_index].stamps!;
    return [{ file, file_index, file_zone: zone, symbol_text: text, series }];
  });
  const columns = {
    file: 'INTEGER',
    file_index: 'INTEGER',
    file_zone: 'VARCHAR',
    symbol_text: 'VARCHAR',
    series: 'INTEGER',
  };
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE typed_series AS SELECT * FROM ${jsonTable(columns)}`,
    [JSON.stringify(rows)],
  );
}

/** Rows of `parsed_minutes` as (series, file_index, ts, zone, reason, open … volume). */
const TYPED_SQL = `(
  SELECT series, file_index, clock AS ts, CASE WHEN is_naive THEN file_zone END AS zone,
    NULL::VARCHAR AS reason, open, high, low, close, volume
  FROM parsed_minutes JOIN typed_series USING (file, symbol_text))`;
