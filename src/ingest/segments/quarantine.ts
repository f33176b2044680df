/** Writes the file that lists each refused row for the user: source, file, line, reason, text. */

import { join } from 'node:path';
import { limits } from '../../base/limits.ts';
import { writeFileSync } from '../../base/world/files.ts';
import { jsonTable, selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import type { FetchContext, SkippedInput } from '../contract/fetch-context.ts';
import { placeFile } from './place-file.ts';
import { countsPath, type QuarantineCounts } from './quarantine-counts.ts';
import type { Scratch } from './scratch.ts';
import { sqlString } from './sql-text.ts';

export async function startQuarantine(scratch: Scratch): Promise<void> {
  const connection = await scratch.connect();
  await connection.run(`CREATE OR REPLACE TEMP TABLE rejected
    (file_index INTEGER, line BIGINT, reason VARCHAR, text VARCHAR)`);
}

export async function countReasons(scratch: Scratch): Promise<Map<string, number>> {
  const connection = await scratch.connect();
  const rows = await selectRows<{ reason: string; count: number }>(
    connection,
    'SELECT reason, count(*)::DOUBLE AS count FROM rejected GROUP BY reason ORDER BY reason',
  );
  return new Map(rows.map(({ reason, count }) => [reason, count]));
}

/**
 * Finds the fault of each file whose rows are all refused: the rule that its first row breaks.
 * @param harmless Reasons that do not add to `count`: the row gets good later, or is stored.
 */
export async function firstRefusals(
  scratch: Scratch,
  fileIndexes: readonly number[],
  harmless: readonly string[],
): Promise<(Required<Omit<SkippedInput, 'name'>> & { file: number; count: number })[]> {
  if (fileIndexes.length === 0) return [];
  const isHarm = `reason NOT IN (${harmless.map(sqlString).join(', ')})`;
  return selectRows(
    await scratch.connect(),
    `SELECT file_index AS file, min(line)::DOUBLE AS line,
       'none of its rows is good: ' || arg_min(reason, line) AS reason,
       count(*) FILTER (${isHarm})::DOUBLE AS count, count > 0 AS "isRefused"
     FROM rejected WHERE file_index IN (${fileIndexes}) GROUP BY file_index ORDER BY file_index`,
  );
}

/** Replaces characters that a terminal obeys, and those that turn the direction of a line. */
function shown(column: string): string {
  const obeyed =
    '[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\x{061c}\\x{200e}\\x{200f}\\x{2028}-\\x{202e}\\x{2066}-\\x{2069}]';
  return `regexp_replace(${column}, '${obeyed}', '\ufffd', 'g')`;
}

/** Marks a text that spreadsheets would run as a formula, as CSV of the API does. */
function harmless(text: string): string {
  const column = shown(text);
  const isFormula = `regexp_matches(${column}, '^[=+\\-@＝＋－＠\\t\\r\\n]')`;
  return `CASE WHEN ${isFormula} THEN '''' || ${column} ELSE ${column} END`;
}

/**
 * Writes the scratch table `rejected` as `quarantine/<id>.csv`, in order of file and line, and its
 * counts next to it; nothing if no row was refused. A last line gives the number of rows that the
 * limit left out.
 * @param names Names by `file_index`.
 */
export async function writeQuarantine(
  scratch: Scratch,
  { paths }: Pick<FetchContext, 'paths'>,
  { id, source, names }: { id: string; source: string; names: readonly string[] },
): Promise<void> {
  const found = await countsOf(scratch, source);
  if (found.rows === 0) return;
  const path = join(paths.quarantine, `${id}.csv`);
  const connection = await scratch.connect();
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE input_names AS
     SELECT * FROM ${jsonTable({ file_index: 'INTEGER', name: 'VARCHAR' })}`,
    [JSON.stringify(names.map((name, index) => ({ file_index: index, name })))],
  );
  const max = limits.ingest.quarantineRowsMax;
  const unfinished = join(scratch.folder, 'quarantine.csv');
  await connection.run(`
    COPY (
      (SELECT ${sqlString(source)} AS source, ${harmless('name')} AS file, line,
         ${harmless('reason')} AS reason, ${harmless('text')} AS text
       FROM rejected LEFT JOIN input_names USING (file_index)
       ORDER BY file_index, line LIMIT ${max})
      UNION ALL
      SELECT ${sqlString(source)}, NULL, NULL,
        (count(*) - ${max}) || ' more rows were refused and are not listed', NULL
      FROM rejected HAVING count(*) > ${max}
    ) TO ${sqlString(unfinished)} (FORMAT csv, HEADER)`);
  await placeFile(unfinished, path);
  const counts = join(scratch.folder, 'quarantine.json');
  writeFileSync(counts, JSON.stringify(found));
  await placeFile(counts, countsPath(path));
}

async function countsOf(scratch: Scratch, source: string): Promise<QuarantineCounts> {
  const byCount = [...(await countReasons(scratch))].sort(([, a], [, b]) => b - a);
  return {
    source,
    rows: byCount.reduce((sum, [, count]) => sum + count, 0),
    reasons: Object.fromEntries(byCount.slice(0, limits.ingest.quarantineReasonsMax)),
  };
}
