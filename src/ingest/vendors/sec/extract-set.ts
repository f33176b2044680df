/** Extracts the filings of a Financial Statement Data Set into one file, a line each. */

import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { MalformedInputError } from '../../../base/errors.ts';
import { rename, rm } from '../../../base/world/file-promises.ts';
import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  writeSync,
} from '../../../base/world/files.ts';
import { selectValue } from '../../../store/duckdb/connection/sql-rows.ts';
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

const WANTED: Record<SetTable, { columns: readonly string[]; where: string }> = {
  sub: {
    columns: ['adsh', 'cik', 'form', 'period', 'filed', 'accepted', 'fy', 'fp', 'instance'],
    where: `regexp_full_match(form, ${sqlString(REPORT_FORMS)})`,
  },
  pre: {
    columns: ['adsh', 'report', 'line', 'stmt', 'inpth', 'tag', 'version', 'plabel', 'negating'],
    where: `stmt IN ('IS', 'BS', 'CF', 'CI') AND coalesce(inpth, '0') NOT IN ('1', 'true')
      AND adsh IN (SELECT adsh FROM sub)`,
  },
  num: {
    // Numbers of a segment or a co-registrant are no figures of the whole company. Of notes, only
    // known concepts are read.
    columns: ['adsh', 'tag', 'version', 'ddate', 'qtrs', 'uom', 'value', 'segments', 'coreg'],
    where: `(segments IS NULL OR (${OF_CLASS})) AND coreg IS NULL AND value IS NOT NULL
      AND qtrs IN ('0', '1', '2', '3', '4') AND adsh IN (SELECT adsh FROM sub)
      AND (tag IN (${KNOWN}) OR (adsh, tag) IN (SELECT adsh, tag FROM pre))`,
  },
};

async function readTable(scratch: Scratch, table: SetTable, { file, columns }: TableFile) {
  const connection = await scratch.connect();
  const isPlain = !file.member && !file.isGzip;
  const path = isPlain ? file.path : join(scratch.folder, `${table}.txt`);
  if (!isPlain) await unpack(file, path);
  const { columns: wanted, where } = WANTED[table];
  const values = wanted.map((name) => (columns.includes(name) ? name : `NULL AS ${name}`));
  const read = (encoding: string) =>
    connection.run(`CREATE TABLE ${table} AS SELECT * FROM (SELECT ${values.join(', ')}
      FROM read_csv(${sqlFile(path)}, delim = '\\t', header = true, quote = '', escape = '',
        all_varchar = true, null_padding = true, max_line_size = ${secLimits.setLineBytesMax},
        buffer_size = ${16 * secLimits.setLineBytesMax}, encoding = '${encoding}')) WHERE ${where}`);
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
    await readInput(file, (chunk) => void writeSync(out, chunk));
  } finally {
    closeSync(out);
  }
}

/** Joins texts of a row by tabs, and rows by line ends: a tenth of the cost of lists. */
function textOf(columns: readonly string[], order: string): string {
  const values = columns.map((column) => `coalesce(${column}, '')`).join(', ');
  return `string_agg(concat_ws(chr(9), ${values}), chr(10) ORDER BY ${order})`;
}

/** Writes filings in parts, because texts of all would not fit into memory. */
async function writeFilings(connection: DuckDBConnection, path: string): Promise<void> {
  const line = 'TRY_CAST(report AS INTEGER), TRY_CAST(line AS INTEGER)';
  const lines = textOf(['stmt', 'report', 'tag', 'version', 'negating', 'plabel'], line);
  const fields = ['tag', 'version', 'ddate', 'qtrs', 'uom', 'value', 'segments'];
  const numbers = textOf(fields, 'tag, ddate, qtrs');
  const order = 'TRY_CAST(cik AS BIGINT), filed, adsh';
  await connection.run(`CREATE TABLE parted AS SELECT sub.*, row_number() OVER (ORDER BY ${order}) AS place,
    (sum(greatest(numbers, ${secLimits.setFilingNumbersMin})) OVER (ORDER BY ${order}) // ${secLimits.setPartNumbers})::INTEGER AS part
    FROM sub JOIN (SELECT adsh, count(*) AS numbers FROM num GROUP BY adsh) USING (adsh)`);
  const last = await selectValue<number>(connection, 'SELECT coalesce(max(part), 0) FROM parted');
  const piece = `${path}.gz`;
  await rm(path, { force: true });
  for (let part = 0; part <= last; part++) {
    const filings = `(FROM parted WHERE part = ${part})`;
    const texts = (table: string, text: string) => `(SELECT adsh, ${text} AS text
      FROM ${table} WHERE adsh IN (SELECT adsh FROM ${filings}) GROUP BY adsh) ${table}`;
    await connection.run(`COPY (
      SELECT s.* EXCLUDE (place, part), pre.text AS lines, num.text AS numbers FROM ${filings} s
      JOIN ${texts('num', numbers)} USING (adsh) LEFT JOIN ${texts('pre', lines)} USING (adsh)
      ORDER BY place) TO ${sqlString(piece)} (FORMAT json, COMPRESSION gzip)`);
    // Parts of gzip that follow each other are one file.
    appendFileSync(path, readFileSync(piece));
  }
  await rm(piece);
}
