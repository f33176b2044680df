/**
 * Every Parquet file of a dataset loads again and gives the same rows. Files of statements lacked the
 * moment of the filing, the fiscal year, shares, currency and form, and those of insiders their key.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { fileDatasets } from '../../../src/base/datasets/datasets.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import { readFileSets } from '../../../src/store/parquet/file-sets.ts';
import { parquetRows } from '../../support/parquet-rows.ts';
import { useCliFolder } from '../support/run-cli.ts';

const from = useCliFolder();
const to = useCliFolder();

/** Datasets of files that `backfill files` does not load: they follow from others. */
const COMPUTED = ['adjustments', 'quotes'];
const LOADED = ['candles', 'corporate-actions', 'symbols', ...fileDatasets.map(({ name }) => name)];

const filesOf = () => readFileSets(join(from.dataDir, 'live/files'))[0].files;
const pathOf = (name: string) => join(from.dataDir, 'live/files', name);

beforeAll(async () => {
  for (const dataset of LOADED) {
    const { text } = await from.json('template', dataset);
    const path = join(from.dataDir, `${dataset}.csv`);
    writeFileSync(path, text);
    await from.json('backfill', 'files', dataset, path);
  }
  await from.json('files');
});

it('every dataset with rows has a file', () => {
  const names = new Set(filesOf().map(({ dataset }) => dataset));
  expect([...names].sort()).toEqual([...LOADED, ...COMPUTED].sort());
});

it('files of statements and insiders have all stored columns', async () => {
  const rowsOf = async (dataset: string) => {
    const { name } = filesOf().find((file) => file.dataset === dataset)!;
    return parquetRows(readFileSync(pathOf(name)));
  };
  const annual = (await rowsOf('statements')).find(({ period }) => period === 'annual');
  expect(annual).toMatchObject({
    ...{ filedAt: new Date('2025-10-31T10:01:26Z'), knownAt: new Date('2025-10-31T10:01:26Z') },
    ...{ fiscalYear: 2025n, fiscalQuarter: null, currency: 'USD', form: '10-K' },
    ...{ sharesBasic: 14948500000, dividendsPerShare: 1.02, accession: '0000320193-25-000079' },
  });
  expect(await rowsOf('insider')).toMatchObject([
    { transactionCode: 'S', line: 1n, isDerivative: false, amends: null },
  ]);
});

it.each(LOADED)('of %s', async (dataset) => {
  const files = filesOf().filter((file) => file.dataset === dataset);
  for (const { name } of files) {
    const report = await to.json('backfill', 'files', dataset, pathOf(name));
    expect(report.rejected).toBe(0);
    expect(report.accepted).toBeGreaterThan(0);
  }
  const [before, after] = [from, to].map(
    ({ dataDir }) => openPublished(join(dataDir, 'live/serving'))!,
  );
  const list = fileDatasets.find(({ name }) => name === dataset);
  if (list) {
    const rows = [...before.list(list.name, 'AAPL').rows()];
    expect(rows.length).toBeGreaterThan(0);
    expect([...after.list(list.name, 'AAPL').rows()]).toEqual(rows);
  } else {
    const others = { symbols: 'first_seen, as_of', candles: 'source' }[dataset] ?? 'segment_seq';
    const sql = `SELECT * EXCLUDE (${others}) FROM ${dataset.replace('-', '_')} ORDER BY ALL`;
    expect(await to.json('sql', sql)).toEqual(await from.json('sql', sql));
  }
});
