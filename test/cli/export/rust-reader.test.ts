import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DATASETS } from '../../../src/cli/export/formats.ts';
import { rustTables } from '../../support/rust-reader.ts';
import { rustPython } from '../../support/tools.ts';
import { useExportFolder } from '../support/exported.ts';

const { out, exported } = useExportFolder();

it.skipIf(!rustPython)('the reader of Rust opens every export, and one without rows', async () => {
  const exports: Record<string, string[]> = {
    ...Object.fromEntries(DATASETS.map((dataset) => [dataset, [dataset]])),
    indicators: ['indicators', '--indicators', 'sma:5,rsi'],
    none: ['candles', '--from', '1990-01-01', '--to', '1990-01-31'],
  };
  const files: Record<string, Uint8Array> = {};
  const expected: Record<string, unknown> = {};
  for (const [name, [dataset, ...options]] of Object.entries(exports)) {
    const { rows } = await exported(dataset, 'parquet', `${name}.parquet`, ...options);
    files[name] = readFileSync(out(`${name}.parquet`));
    expected[name] = { rows, columns: expect.anything() };
  }
  expect(await rustTables(files)).toEqual(expected);
  expect(expected).toMatchObject({ none: { rows: 0 } });
});
