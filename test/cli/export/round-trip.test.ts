/**
 * Every dataset goes from its template into the store and into what is published, and from there
 * into files that load again as the same rows: those of `export`, and the Parquet files of `files`.
 * Some datasets had no export, as they are no Parquet file of the API. Files of statements lacked
 * the moment of the filing, the fiscal year, shares, currency and form, and those of insiders their
 * key.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSegments } from '../../../jobs/load/backfill.ts';
import { type ModePaths, modePaths } from '../../../src/base/config/data-dir.ts';
import type { ListName } from '../../../src/base/datasets/datasets.ts';
import { datasets, fileDatasets, rowDatasets } from '../../../src/base/datasets/datasets.ts';
import { DATASETS } from '../../../src/cli/export/formats.ts';
import { sourceNamed } from '../../../src/ingest/sources/sources.ts';
import { EVERYTHING, LIST_SPECS } from '../../../src/store/arrow/lists/specs.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import { openMarketForReading } from '../../../src/store/duckdb/connection/open.ts';
import { runReadOnlySql } from '../../../src/store/duckdb/connection/query.ts';
import { readFileSets } from '../../../src/store/parquet/file-sets.ts';
import { testContext } from '../../ingest/support/segment-rows.ts';
import { freshPaths } from '../../store/duckdb/support/fixtures.ts';
import { parquetRows } from '../../support/parquet-rows.ts';
import { long, someOf } from '../../support/store-runs.ts';
import { useCliFolder } from '../support/run-cli.ts';

const from = useCliFolder();
const again = useCliFolder();
const live = modePaths(from.dataDir, 'live');

/** Datasets that `backfill files` does not load: they follow from others. */
const COMPUTED = ['indicators', 'adjustments', 'quotes'];
const LOADED = ['candles', ...datasets.map(({ name }) => name)];
/** Datasets whose template is loaded twice: one code finds what is loaded already. */
const LOADED_TWICE = someOf(LOADED, 5);
/** Datasets of the Parquet files of `files`. */
const OF_FILES = [
  'candles',
  'corporate-actions',
  'symbols',
  ...fileDatasets.map((one) => one.name),
];

/** Columns of the place and time of a load. */
const OF_LOADS: Record<string, string> = {
  symbols: 'first_seen, as_of, source',
  candles: 'source',
  'corporate-actions': 'segment_seq, source',
};

const tableOf = (name: string) => datasets.find((one) => one.name === name)?.table ?? name;

/** Rows of datasets, as a store has them. */
async function rowsOf(paths: ModePaths, names: readonly string[]) {
  using db = await openMarketForReading(paths);
  const rows: Record<string, unknown[]> = {};
  for (const name of names) {
    const others = OF_LOADS[name] ?? 'segment_seq';
    const sql = `SELECT * EXCLUDE (${others}) FROM ${tableOf(name)} ORDER BY ALL`;
    rows[name] = (await runReadOnlySql(db, sql)).rows;
  }
  return rows;
}

/** Rows that were loaded first. */
let first: Record<string, unknown[]>;

/** Loads a file as the command does, and publishes nothing. */
async function loadAgain(to: ModePaths, dataset: string, path: string): Promise<void> {
  const { fetch } = await sourceNamed('files')!.load();
  const nowMs = Date.now();
  const context = { ...testContext(to.root, new Date(nowMs).toISOString()), paths: to };
  const report = await loadSegments(to, fetch!({ dataset, path }, context), {
    verb: 'test',
    nowMs,
  });
  expect([dataset, report.rejected]).toEqual([dataset, 0]);
  expect(report.accepted, dataset).toBeGreaterThan(0);
}

async function exported(name: string, format: string): Promise<string> {
  const path = join(from.dataDir, `out/${name}.${format}`);
  const options = name === 'candles' ? ['--adjustment', 'raw'] : [];
  const written = await from.json('export', name, '--format', format, '--out', path, ...options);
  expect(written.rows, name).toBeGreaterThan(0);
  return path;
}

describe('the template', () => {
  it.each(LOADED)('of %s loads, once, is a table and a list', async (name) => {
    const { text } = await from.json('template', name);
    const path = join(from.dataDir, `${name}.csv`);
    writeFileSync(path, text);
    const report = await from.json('backfill', 'files', name, path);
    if (!rowDatasets.some((one) => one.name === name)) return;
    const rowCount = text.trimEnd().split('\n').length - 1;
    expect(report).toMatchObject({ accepted: rowCount, rejected: 0, rowsChanged: rowCount });
    if (LOADED_TWICE.includes(name)) {
      expect(await from.json('backfill', 'files', name, path)).toMatchObject({
        alreadyLoaded: 1,
        rowsChanged: 0,
        publishedVersion: report.publishedVersion,
      });
    }
    expect((await rowsOf(live, [name]))[name]).toHaveLength(rowCount);
    if (!(name in LIST_SPECS)) return;
    const version = openPublished(live.serving);
    const counts = ['AAPL', EVERYTHING].map((key) => version!.list(name as ListName, key).count);
    expect(Math.max(...counts)).toBeGreaterThan(0);
    expect(version?.resolve('AAPL')).toBe('AAPL');
  });
});

describe('an export', () => {
  it('has every dataset', async () => {
    expect([...DATASETS].sort()).toEqual([...LOADED, ...COMPUTED].sort());
    first = await rowsOf(live, LOADED);
  });

  // One code writes and reads all of them: the long form tries all.
  it.each([
    ['parquet', someOf(LOADED, 4)],
    ['csv', someOf(LOADED, 3)],
  ] as const)('as %s loads again as the same rows', async (format, names) => {
    const to = freshPaths();
    for (const name of names) await loadAgain(to, name, await exported(name, format));
    const expected = Object.fromEntries(names.map((name) => [name, first[name]]));
    expect(await rowsOf(to, names)).toEqual(expected);
  });

  it('is written as Arrow', async () => {
    for (const name of someOf(LOADED, 3)) await exported(name, 'arrow');
  });

  it.each(COMPUTED)('has %s of one symbol', async (name) => {
    const path = join(from.dataDir, `one-${name}.csv`);
    const options = name === 'indicators' ? ['--indicators', 'sma:2'] : [];
    const args = ['export', name, '--format', 'csv', '--out', path, '--symbols', 'AAPL'];
    expect((await from.json(...args, ...options)).symbols).toBe(1);
  });
});

describe('the Parquet files', () => {
  const filesOf = () => readFileSets(live.files)[0].files;
  const pathOf = (name: string) => join(live.files, name);

  it('are one at least of every dataset with rows', async () => {
    await from.json('files');
    const names = new Set(filesOf().map(({ dataset }) => dataset));
    expect([...names].sort()).toEqual([...OF_FILES, 'adjustments', 'quotes'].sort());
  });

  it('of statements and insiders have all stored columns', async () => {
    const rowsIn = async (dataset: string) => {
      const { name } = filesOf().find((file) => file.dataset === dataset)!;
      return parquetRows(readFileSync(pathOf(name)));
    };
    const annual = (await rowsIn('statements')).find(({ period }) => period === 'annual');
    expect(annual).toMatchObject({
      ...{ filedAt: new Date('2025-10-31T10:01:26Z'), knownAt: new Date('2025-10-31T10:01:26Z') },
      ...{ fiscalYear: 2025n, fiscalQuarter: null, currency: 'USD', form: '10-K' },
      ...{ sharesBasic: 14948500000, dividendsPerShare: 1.02, accession: '0000320193-25-000079' },
    });
    expect(await rowsIn('insider')).toMatchObject([
      { transactionCode: 'S', line: 1n, isDerivative: false, amends: null },
    ]);
  });

  long('load again as the same rows', async () => {
    const to = freshPaths();
    for (const { dataset, name } of filesOf()) {
      if (OF_FILES.includes(dataset)) await loadAgain(to, dataset, pathOf(name));
    }
    const expected = Object.fromEntries(OF_FILES.map((name) => [name, first[name]]));
    expect(await rowsOf(to, OF_FILES)).toEqual(expected);
  });
});

// Its rows cannot state that NONE had no split: prices as traded were lost by a load.
it('names the load of splits and dividends that keeps every price basis', async () => {
  const days = ['2024-01-02', '2024-01-03', '2024-01-04'];
  const barsOf = (symbol: string, dividend: number) =>
    days.map((day, i) => `${symbol},${day},10,11,9,10,9.9,100,${i === 1 ? dividend : 0},0\n`);
  const header = 'symbol,Date,Open,High,Low,Close,Adj Close,Volume,Dividends,Stock Splits\n';
  const bars = join(again.dataDir, 'bars.csv');
  writeFileSync(bars, [header, ...barsOf('PAYS', 0.1), ...barsOf('NONE', 0)].join(''));
  await again.json('backfill', 'files', 'candles', bars);
  const written = async (folder: typeof from, name: string, ...options: string[]) => {
    const path = join(folder.dataDir, `${name}${options.at(-1) ?? ''}.csv`);
    const args = ['--format', 'csv', '--out', path, ...options];
    return { path, ...(await folder.json('export', name, ...args)) };
  };
  const { path, note } = await written(again, 'corporate-actions');
  const asked = note.slice(note.indexOf('backfill')).split(' ');
  expect(asked).toEqual([
    ...['backfill', 'files', 'corporate-actions', path, '--complete', '--complete-for', 'NONE'],
  ]);
  const candles = await written(again, 'candles');
  await from.json('backfill', 'files', 'candles', candles.path);
  await from.json(...asked);
  for (const basis of ['raw', 'all']) {
    const options = ['--symbols', 'NONE,PAYS', '--adjustment', basis];
    const [one, other] = [again, from].map((folder) => written(folder, 'candles', ...options));
    expect(readFileSync((await other).path)).toEqual(readFileSync((await one).path));
  }
});
