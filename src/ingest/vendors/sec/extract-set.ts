/** Extracts the filings of a Financial Statement Data Set into one file, a line each. */

import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import type { DuckDBConnection } from '@duckdb/node-api';
import { MalformedInputError } from '../../../base/errors.ts';
import { rename, rm } from '../../../base/world/file-promises.ts';
import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  writeFileSync,
} from '../../../base/world/files.ts';
import { selectRows } from '../../../store/duckdb/connection/sql-rows.ts';
import type { FetchContext } from '../../contract/fetch-context.ts';
import { readInput } from '../../inputs/read-input.ts';
import { openScratch, type Scratch } from '../../segments/scratch.ts';
import { sqlFile, sqlString } from '../../segments/sql-text.ts';
import { CONCEPTS, PER_SHARE_CONCEPTS } from './concepts/concepts.ts';
import { REPORT_FORMS } from './concepts/parse-companyfacts.ts';
import { secLimits } from './limits.ts';
import type { SetFiles, SetTable, TableFile } from './list-sets.ts';

/**
 * Writes the reports of a set, ascending by company and day of filing, as gzipped JSON lines.
 * @param path Appears whole.
 * @throws {MalformedInputError} a table is damaged; names it.
 */
export async function extractSet(
  { name, tables }: SetFiles,
  path: string,
  context: FetchContext,
): Promise<void> {
  await using scratch = await openScratch(context);
  const connection = await scratch.connect();
  // Tables in memory are not compressed, and would not fit.
  await connection.run(`ATTACH ${sqlString(join(scratch.folder, 'set.duckdb'))} AS filed`);
  await connection.run('USE filed');
  await connection.run(`SET memory_limit = '${secLimits.setMemory}'`);
  await connection.run('SET preserve_insertion_order = false');
  for (const [i, table] of TABLES.entries()) {
    context.onProgress?.(`read ${name}`, i, TABLES.length);
    await readTable(scratch, table, tables[table]).catch((cause: Error) => {
      throw new MalformedInputError(`${name}: ${table}: ${cause.message}`, { cause });
    });
  }
  await writeFilings(connection, `${path}.part`);
  await rename(`${path}.part`, path);
  context.onProgress?.(`read ${name}`, TABLES.length, TABLES.length);
}

const TABLES = ['sub', 'pre', 'num'] as const;

const bare = (concepts: Iterable<string>) =>
  [...concepts].map((name) => sqlString(name.slice(name.indexOf(':') + 1))).join(', ');

const KNOWN = bare(CONCEPTS);

/** Figures per share by class of stock alone, where the whole company has none. */
const OF_CLASS = `tag IN (${bare(PER_SHARE_CONCEPTS)}) AND regexp_full_match(segments,
  '(ClassOfStock=[^;=]+;)|([\\w-]+:StatementClassOfStockAxis/[^;/]+)')`;

/**
 * Columns of each table, and the statement that keeps rows of them. Rows of a filing are found by
 * its place: a filter of numbers reads only the blocks that have them.
 */
const WANTED: Record<SetTable, { columns: readonly string[]; kept: string }> = {
  sub: {
    columns: ['adsh', 'cik', 'form', 'period', 'filed', 'accepted', 'fy', 'fp', 'instance'],
    kept: `SELECT *, (row_number() OVER (ORDER BY TRY_CAST(cik AS BIGINT), filed, adsh))::INTEGER AS place
      FROM given WHERE regexp_full_match(form, ${sqlString(REPORT_FORMS)})`,
  },
  pre: {
    columns: ['adsh', 'report', 'line', 'stmt', 'inpth', 'tag', 'version', 'plabel', 'negating'],
    kept: `SELECT place, TRY_CAST(report AS INTEGER) AS report_number,
        TRY_CAST(line AS INTEGER) AS line_number, given.* EXCLUDE (adsh, inpth, line)
      FROM given JOIN sub USING (adsh)
      WHERE stmt IN ('IS', 'BS', 'CF', 'CI') AND coalesce(inpth, '0') NOT IN ('1', 'true')`,
  },
  num: {
    // Numbers of a segment or a co-registrant are no figures of the whole company. Of notes, only
    // known concepts are read.
    columns: ['adsh', 'tag', 'version', 'ddate', 'qtrs', 'uom', 'value', 'segments', 'coreg'],
    kept: `SELECT place, given.* EXCLUDE (adsh, coreg) FROM given JOIN sub USING (adsh)
      WHERE (segments IS NULL OR (${OF_CLASS})) AND coreg IS NULL AND value IS NOT NULL
      AND qtrs IN ('0', '1', '2', '3', '4')
      AND (tag IN (${KNOWN}) OR (place, tag) IN (SELECT place, tag FROM pre))`,
  },
};

async function readTable(scratch: Scratch, table: SetTable, { file, columns }: TableFile) {
  const connection = await scratch.connect();
  const isPlain = !file.member && !file.isGzip;
  const path = isPlain ? file.path : join(scratch.folder, `${table}.txt`);
  if (!isPlain) await unpack(file, path);
  const { columns: wanted, kept } = WANTED[table];
  const values = wanted.map((name) => (columns.includes(name) ? name : `NULL AS ${name}`));
  const read = (encoding: string) =>
    connection.run(`CREATE TABLE ${table} AS WITH given AS (SELECT ${values.join(', ')}
      FROM read_csv(${sqlFile(path)}, delim = '\\t', header = true, quote = '', escape = '',
        all_varchar = true, null_padding = true, max_line_size = ${secLimits.setLineBytesMax},
        buffer_size = ${16 * secLimits.setLineBytesMax}, encoding = '${encoding}')) ${kept}`);
  try {
    await read('utf-8');
  } catch (error) {
    // Labels of early sets are not always UTF-8.
    if (!/unicode|utf-?8/i.test((error as Error).message)) throw error;
    await read('latin-1');
  }
}

/** Writes in blocking calls, because chunks come faster than a disk takes them. */
async function unpack(file: TableFile['file'], path: string): Promise<void> {
  const out = openSync(path, 'w');
  try {
    await readInput(file, (chunk) => writeFileSync(out, chunk));
  } finally {
    closeSync(out);
  }
}

/** SQL: the columns of a row as text, with tabs: a tenth of the cost of lists. */
function rowText(columns: readonly string[]): string {
  return `concat_ws(chr(9), ${columns.map((column) => `coalesce(${column}, '')`).join(', ')})`;
}

/** First and last place of filings that are written together. */
interface Part {
  first: number;
  last: number;
}

/** Writes filings in parts, because texts of all would not fit into memory. */
async function writeFilings(connection: DuckDBConnection, path: string): Promise<void> {
  const shown = rowText(['stmt', 'report', 'tag', 'version', 'negating', 'plabel']);
  const lines = `string_agg(${shown}, chr(10) ORDER BY report_number, line_number)`;
  const figure = rowText(['tag', 'version', 'ddate', 'qtrs', 'uom', 'value', 'segments']);
  // One text to compare, of all columns: a set makes the same file in any order of its rows.
  const numbers = `string_agg(figure, chr(10) ORDER BY figure)`;
  await connection.run(`CREATE TABLE parts AS
    SELECT part, min(place) AS first, max(place) AS last FROM (
      SELECT place, sum(greatest(numbers, ${secLimits.setFilingNumbersMin})) OVER (ORDER BY place)
        // ${secLimits.setPartNumbers} AS part
      FROM (SELECT place, count(*) AS numbers FROM num GROUP BY place)) GROUP BY part`);
  const parts = await selectRows<Part>(connection, 'SELECT first, last FROM parts ORDER BY part');
  const piece = `${path}.json`;
  writeFileSync(path, gzipSync(''));
  for (const { first, last } of parts) {
    const isOf = `place BETWEEN ${first} AND ${last}`;
    await connection.run(`COPY (
      SELECT sub.* EXCLUDE (place), lines, numbers
      FROM (FROM sub WHERE ${isOf}) sub
      JOIN (SELECT place, ${numbers} AS numbers
        FROM (SELECT place, ${figure} AS figure FROM num WHERE ${isOf}) GROUP BY place) USING (place)
      LEFT JOIN (SELECT place, ${lines} AS lines FROM pre WHERE ${isOf} GROUP BY place) USING (place)
      ORDER BY place) TO ${sqlString(piece)} (FORMAT json)`);
    // Parts of gzip that follow each other are one file. The fastest level takes an eighth of the
    // time that DuckDB's takes.
    appendFileSync(path, gzipSync(readFileSync(piece), { level: constants.Z_BEST_SPEED }));
  }
  await rm(piece, { force: true });
}
