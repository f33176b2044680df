import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { manyText } from '../../base/count-text.ts';
import type { Dataset } from '../../base/datasets/dataset.ts';
import { rowDatasets } from '../../base/datasets/datasets.ts';
import { assert } from '../../base/errors.ts';
import { columnOfField, tableColumns } from '../../store/duckdb/connection/dataset-columns.ts';
import { selectRow, selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import { keySql } from '../../store/duckdb/rows/dataset-table.ts';
import { READ_FILINGS_KEY, type ReadFilings } from '../../store/duckdb/rows/read-again.ts';
import type { FetchedRows, SkippedInput, StageContext } from '../contract/fetch-context.ts';
import { placeFile, sha256OfFile } from '../segments/place-file.ts';
import {
  countReasons,
  firstRefusals,
  startQuarantine,
  writeQuarantine,
} from '../segments/quarantine.ts';
import { openScratch, type Scratch } from '../segments/scratch.ts';
import { sqlString } from '../segments/sql-text.ts';
import { STILL_TO_COME, stageRows, type UncheckedRow } from './stage-rows.ts';

export interface RowsHead {
  /** Name of one of `rowDatasets`. */
  dataset: string;
  source: string;
  /** Undefined: the moment when the newest row became known. */
  asOfUs: bigint | undefined;
  origin: string;
  skipped?: SkippedInput[];
  /** Names of files whose rows were left out in part because they were not requested. */
  partFiles?: ReadonlySet<string>;
  /** Filings that the rows were made of, and the number of the rules. */
  read?: { rules: number; filings: ReadFilings };
}

/**
 * Checks rows and stages the good ones as `segments/<id>.parquet`, the refused ones as
 * `quarantine/<id>.csv`. The last of several rows with one key counts. The same rows give the same
 * id, in whatever order. Memory stays flat for any number of rows.
 * @param rows Rows, completed in place. A missing column counts as null.
 */
export async function stageDatasetRows(
  head: RowsHead,
  rows: Iterable<UncheckedRow> | AsyncIterable<UncheckedRow>,
  context: StageContext,
): Promise<FetchedRows> {
  const dataset = rowDatasets.find(({ name }) => name === head.dataset);
  assert(dataset, `${head.dataset} is a dataset of rows`);
  const { skipped = [] } = head;
  await using scratch = await openScratch(context);
  const names = await stageGoodRows(scratch, dataset, rows, context);
  const { accepted, newestUs } = await measure(scratch, dataset);
  const asOfUs = head.asOfUs ?? BigInt(newestUs ?? context.nowMs * 1000);
  const id = await segmentId(scratch, head, asOfUs);
  const parquetPath = join(context.paths.segments, `${id}.parquet`);
  const parquetSha256 = await stageFound(scratch, dataset, parquetPath, head.read?.filings);
  const refusedFileLines =
    head.partFiles && (await nameRefusedFiles(scratch, names, head.partFiles, skipped));
  if (dataset.whole !== undefined) skipped.push(...(await filesWithGaps(scratch, names)));
  const rejectedByReason = await countReasons(scratch);
  const rejected = rejectedByReason.values().reduce((sum, count) => sum + count, 0);
  const { source, origin } = head;
  await writeQuarantine(scratch, context, { id, source, names });
  const rules = head.read?.rules;
  const facts = {
    id,
    dataset: dataset.name,
    source,
    asOfUs,
    origin,
    kind: 'parquet' as const,
    rules,
  };
  const found = { accepted, rejected, refusedFileLines, skipped, rejectedByReason };
  return { ...facts, parquetPath, parquetSha256, ...found };
}

/**
 * Creates the scratch tables `accepted`, with the last good row of each key, and `rejected`.
 * @returns names of the rows' files or requests, by `file_index`.
 */
export async function stageGoodRows(
  scratch: Scratch,
  dataset: Dataset,
  rows: Iterable<UncheckedRow> | AsyncIterable<UncheckedRow>,
  context: StageContext,
): Promise<string[]> {
  await startQuarantine(scratch);
  const names = await stageRows(scratch, dataset, rows, context);
  if (dataset.whole !== undefined) await refuseBrokenLists(scratch, dataset.whole);
  await settleRepeats(scratch, dataset);
  return names;
}

/**
 * Adds files without a good row to `skipped`; files with omitted rows (`partFiles`) stay out.
 * @returns the number of rows in such files.
 */
export async function nameRefusedFiles(
  scratch: Scratch,
  names: readonly string[],
  partFiles: ReadonlySet<string>,
  skipped: SkippedInput[],
): Promise<number> {
  const found = await selectRows<{ file: number }>(
    await scratch.connect(),
    `SELECT file_index AS file FROM rejected
     EXCEPT SELECT file_index FROM accepted ORDER BY 1`,
  );
  const files = found.map(({ file }) => file).filter((file) => !partFiles.has(names[file]));
  const harmless = [SAME_ROW];
  let lines = 0;
  for (const { file, count, ...fault } of await firstRefusals(scratch, files, harmless)) {
    lines += count;
    skipped.push({ name: names[file], ...fault });
  }
  return lines;
}

const SAME_ROW = 'the same row comes again later';

/** Refuses files of lists with a refused row: who is not on a list has left it. */
async function refuseBrokenLists(scratch: Scratch, field: string): Promise<void> {
  const connection = await scratch.connect();
  await connection.run(`
    CREATE TEMP TABLE broken AS
    SELECT file_index, min(line) AS line, arg_min(reason, line) AS reason
    FROM rejected SEMI JOIN (FROM staged WHERE ${columnOfField(field)} IS NOT NULL) USING (file_index)
    GROUP BY file_index`);
  await connection.run(`
    INSERT INTO rejected
    SELECT file_index, file_line,
      'a list counts as a whole, and line ' || line || ' is refused: ' || reason, text
    FROM staged JOIN broken USING (file_index)`);
}

/** Names files that were loaded without some of their rows, each of which makes the run fail. */
async function filesWithGaps(scratch: Scratch, names: readonly string[]): Promise<SkippedInput[]> {
  const found = await selectRows<{ file: number; line: number; reason: string; count: number }>(
    await scratch.connect(),
    `SELECT file_index AS file, min(line)::DOUBLE AS line, arg_min(reason, line) AS reason,
       count(*)::DOUBLE AS count
     FROM rejected SEMI JOIN accepted USING (file_index)
     WHERE NOT (reason LIKE '%${STILL_TO_COME}' OR reason = '${SAME_ROW}')
     GROUP BY file_index ORDER BY file_index`,
  );
  return found.map(({ file, line, reason, count }) => ({
    ...{ name: names[file], line, isRefused: true },
    reason: `it is loaded without ${manyText(count, 'refused row')}: ${reason}`,
  }));
}

/** Creates the scratch table `accepted` from `staged`, with the last row of each key. */
async function settleRepeats(scratch: Scratch, dataset: Dataset): Promise<void> {
  const connection = await scratch.connect();
  const sameKey = `PARTITION BY ${keySql(dataset).join(', ')}`;
  const others = dataset.whole === undefined ? '' : 'ANTI JOIN broken USING (file_index)';
  await connection.run(`
    CREATE TEMP TABLE accepted AS
    SELECT *, row_number() OVER (${sameKey} ORDER BY ordinal DESC) AS place,
      first(content) OVER (${sameKey} ORDER BY ordinal DESC) AS last_content
    FROM staged ${others}`);
  const fields = dataset.key.flat();
  const named =
    fields.length === 1 ? fields[0] : `${fields.slice(0, -1).join(', ')} and ${fields.at(-1)}`;
  await connection.run(
    `INSERT INTO rejected
     SELECT file_index, file_line,
       CASE WHEN content = last_content THEN '${SAME_ROW}' ELSE $1 END, text
     FROM accepted WHERE place > 1`,
    [`a later row has the same ${named}`],
  );
  await connection.run('DELETE FROM accepted WHERE place > 1');
}

async function measure(
  scratch: Scratch,
  { time }: Dataset,
): Promise<{ accepted: number; newestUs: number | null }> {
  const connection = await scratch.connect();
  return selectRow(
    connection,
    `SELECT count(*)::DOUBLE AS accepted,
       epoch_us(max(${columnOfField(time)}))::DOUBLE AS "newestUs" FROM accepted`,
  );
}

async function segmentId(
  scratch: Scratch,
  { dataset, source, read }: RowsHead,
  asOfUs: bigint,
): Promise<string> {
  const connection = await scratch.connect();
  const rules = read ? ` rules ${read.rules}` : '';
  const hash = createHash('sha256').update(`${dataset} ${source} ${asOfUs}${rules}\n`);
  const contents = await connection.stream('SELECT content FROM accepted ORDER BY content');
  for await (const rows of contents.yieldRowsJs()) {
    for (const [content] of rows) hash.update(String(content));
  }
  return hash.digest('hex');
}

/** Writes the good rows, over a file of the same name and rows, and returns the SHA-256. */
async function stageFound(
  scratch: Scratch,
  dataset: Dataset,
  path: string,
  read: ReadFilings | undefined,
): Promise<string | undefined> {
  const connection = await scratch.connect();
  const unfinished = join(scratch.folder, 'rows.parquet');
  const columns = tableColumns(dataset).map(({ column }) => column);
  const text = read && sqlString(JSON.stringify(read));
  const metadata = text ? `, KV_METADATA {${READ_FILINGS_KEY}: ${text}}` : '';
  await connection.run(`
    COPY (SELECT ${columns.join(', ')} FROM accepted ORDER BY ${keySql(dataset).join(', ')})
    TO ${sqlString(unfinished)} (FORMAT parquet, COMPRESSION zstd${metadata})`);
  const sha256 = await sha256OfFile(unfinished);
  await placeFile(unfinished, path);
  return sha256;
}
