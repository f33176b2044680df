/**
 * Names of columns that the reader has, too. A Parquet file with `file_row_number` ended a load in
 * a Binder Error, and one with `file_index` in a TypeError, or it had "no time of day".
 */

import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { fetchDatasetFiles } from '../../../src/ingest/rows/files.ts';
import { someOf } from '../../support/store-runs.ts';
import { eachTest } from '../support/each-test.ts';
import { inMemory } from '../support/in-memory.ts';
import { landedRows } from '../support/landed-rows.ts';
import { fetchAll } from '../support/segment-rows.ts';

const at = eachTest();
beforeEach(async () => {
  await mkdir(at.folder);
});

const NAMES = [
  ...['file_row_number', 'file_index', 'filename', 'line', 'text', 'ts', 'reason', 'json', 'cut'],
  ...['fields', 'c0', 'c4', 'kind', 'stamp', 'symbol_text', 'close_text', 'ordinal', 'content'],
];
const EXTRA = NAMES.map((name) => `7000 + i AS ${name}`);

const FORMS = {
  csv: 'FORMAT csv, HEADER',
  jsonl: 'FORMAT json',
  parquet: 'FORMAT parquet',
};

/** Writes the rows of a query as two files of each form; the columns of one are in upper case. */
async function write(form: keyof typeof FORMS, columns: string, extra = EXTRA): Promise<void> {
  const select = `SELECT ${extra}, ${columns} FROM range(3) t(i)`;
  const upper = extra.map((sql) => sql.replace(/\w+$/, (name) => name.toUpperCase()));
  await inMemory(async (connection) => {
    const copy = (sql: string, name: string) =>
      connection.run(`COPY (${sql}) TO '${join(at.folder, name)}.${form}' (${FORMS[form]})`);
    await copy(select, 'a');
    await copy(select.replace(`${extra}`, `${upper}`).replaceAll('AAA', 'BBB'), 'b');
  });
}

const PRICES = '1.5 AS open, 2.0 AS high, CASE i WHEN 1 THEN 9 ELSE 1 END AS low, 1.75 AS close';

describe.each(Object.keys(FORMS) as (keyof typeof FORMS)[])('a %s file', (form) => {
  it.each(
    someOf(
      [
        ['days', "strftime(DATE '2017-01-03' + i::INTEGER, '%Y-%m-%d') AS date"],
        ['minutes', "'2017-01-03T14:3' || i || ':00Z' AS timestamp"],
      ],
      3,
    ),
  )('with names of the reader has its bars of %s', async (_, date) => {
    await write(form, `'AAA' AS symbol, ${date}, ${PRICES}`);
    const loaded = await fetchAll(fetchFiles({ path: at.folder }, at.context));
    const bars = loaded.flatMap(({ rows }) => rows.map(({ symbol, close }) => [symbol, close]));
    expect(bars.toSorted()).toEqual(['AAA', 'AAA', 'BBB', 'BBB'].map((symbol) => [symbol, 1.75]));
    // The second row of each is refused by its own line.
    const [{ segment }] = loaded;
    const kept = await readFile(join(at.context.paths.quarantine, `${segment.id}.csv`), 'utf8');
    const second = form === 'csv' ? 3 : 2;
    expect(
      kept
        .split('\n')
        .slice(1, -1)
        .map((line) => line.split(',').slice(1, 3)),
    ).toEqual([
      [`a.${form}`, `${second}`],
      [`b.${form}`, `${second}`],
    ]);
  });

  it('of a dataset has its rows', async () => {
    await write(
      form,
      "'Rates AAA ' || i AS title, 'Wire' AS source, 'https://example.com/AAA' || i AS url, " +
        "'2026-01-02T15:00:00Z' AS published_at, 'AAPL' AS symbols",
    );
    const options = { path: at.folder, dataset: 'news' };
    const [segment] = await Array.fromAsync(fetchDatasetFiles(options, at.context));
    const titles = (await landedRows(segment)).map(({ title }) => title);
    expect(titles.toSorted()).toEqual(
      ['AAA 0', 'AAA 1', 'AAA 2', 'BBB 0', 'BBB 1', 'BBB 2'].map((name) => `Rates ${name}`),
    );
  });
});
