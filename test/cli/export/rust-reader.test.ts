import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DATASETS } from '../../../src/cli/export/formats.ts';
import { rustTables } from '../../support/rust-reader.ts';
import { rustPython } from '../../support/tools.ts';
import { useExportFolder } from '../support/exported.ts';

const { folder, out, exported } = useExportFolder();

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

/** Tenths need more symbols than the sandbox of these tests has. */
const EMPTY = new Set(['deciles', 'no match']);

it.skipIf(!rustPython)('it opens what studies and screens write', async () => {
  const signal = 'close crosses above sma(20)';
  const commands: Record<string, string[]> = {
    events: ['study', signal, '--rows', 'events', '--horizons', '5'],
    days: ['study', signal, '--rows', 'days'],
    groups: ['study', signal, '--rows', 'groups', '--by', 'month'],
    deciles: ['study', '--factor', 'rsi(14)', '--rows', 'deciles'],
    screen: ['screen', 'close > sma(20)', '--columns', 'rsi(14)'],
    'screen of days': ['screen', 'close > sma(20)', '--from', '2020-01-02'],
    'no match': ['screen', 'close < 0'],
  };
  const files: Record<string, Uint8Array> = {};
  for (const [name, args] of Object.entries(commands)) {
    const path = out(`${name}.parquet`);
    const { code, stderr } = await folder.run(
      ...[...args, '--mode', 'sandbox', '--format', 'parquet', '--out', path],
    );
    expect([name, code, stderr]).toEqual([name, 0, expect.any(String)]);
    files[name] = readFileSync(path);
  }
  const tables = await rustTables(files);
  const rows = Object.entries(tables).map(([name, table]) => [
    name,
    typeof table === 'string' ? table : table.rows > 0,
  ]);
  expect(rows).toEqual(Object.keys(commands).map((name) => [name, !EMPTY.has(name)]));
});

it.skipIf(!rustPython)('it opens each partition of an export', async () => {
  const folderOut = `${out('partitions')}/`;
  await folder.json(
    'export',
    'candles',
    '--format',
    'parquet',
    '--out',
    folderOut,
    '--mode',
    'sandbox',
  );
  const paths = globSync('**/*.parquet', { cwd: folderOut });
  expect(paths.length).toBeGreaterThan(5);
  const files = paths.map((path) => [path, readFileSync(join(folderOut, path))] as const);
  const tables = await rustTables(Object.fromEntries(files));
  expect(Object.entries(tables).filter(([, table]) => typeof table === 'string')).toEqual([]);
});
