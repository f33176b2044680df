/**
 * Every dataset is exported in every format, and what is written loads again as the same rows. Some
 * datasets had no export, as they are no Parquet file of the API.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { datasets } from '../../../src/base/datasets/datasets.ts';
import { DATASETS } from '../../../src/cli/export/formats.ts';
import { useCliFolder } from '../support/run-cli.ts';

const from = useCliFolder();

/** Datasets that `backfill files` does not load: they follow from others. */
const COMPUTED = ['indicators', 'adjustments', 'quotes'];
const LOADED = ['candles', ...datasets.map(({ name }) => name)];

/** Columns of the place and time of a load. */
const OF_LOADS: Record<string, string> = {
  symbols: 'first_seen, as_of, source',
  candles: 'source',
  'corporate-actions': 'segment_seq, source',
};

beforeAll(async () => {
  for (const dataset of LOADED) {
    const { text } = await from.json('template', dataset);
    const path = join(from.dataDir, `${dataset}.csv`);
    writeFileSync(path, text);
    await from.json('backfill', 'files', dataset, path);
  }
});

it('has every dataset', () => {
  expect([...DATASETS].sort()).toEqual([...LOADED, ...COMPUTED].sort());
});

const tableOf = (name: string) => datasets.find((one) => one.name === name)?.table ?? name;

/** Rows of all datasets, as a store has them. */
async function allRows(folder: typeof from) {
  const rows: Record<string, unknown> = {};
  for (const name of LOADED) {
    const others = OF_LOADS[name] ?? 'segment_seq';
    rows[name] = await folder.json(
      'sql',
      `SELECT * EXCLUDE (${others}) FROM ${tableOf(name)} ORDER BY ALL`,
    );
  }
  return rows;
}

const folders = { csv: useCliFolder(), parquet: useCliFolder(), arrow: useCliFolder() };

it.each(Object.entries(folders))('as %s, and it loads again', async (format, to) => {
  for (const name of LOADED) {
    const path = join(from.dataDir, `out/${name}.${format}`);
    const options = name === 'candles' ? ['--adjustment', 'raw'] : [];
    const written = await from.json(
      ...['export', name, '--format', format, '--out', path],
      ...options,
    );
    expect(written.rows, name).toBeGreaterThan(0);
    if (format === 'arrow') continue;
    const report = await to.json('backfill', 'files', name, path);
    expect(report.rejected, name).toBe(0);
  }
  if (format !== 'arrow') expect(await allRows(to)).toEqual(await allRows(from));
});

it.each(COMPUTED)('%s of one symbol', async (name) => {
  const path = join(from.dataDir, `one-${name}.csv`);
  const options = name === 'indicators' ? ['--indicators', 'sma:2'] : [];
  const written = await from.json(
    ...['export', name, '--format', 'csv', '--out', path, '--symbols', 'AAPL'],
    ...options,
  );
  expect(written.symbols).toBe(1);
});
