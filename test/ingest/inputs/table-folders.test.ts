/** A Delta table of 4 rows that were replaced once has 8 rows in its files, and 4 count. */

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listInputs } from '../../../src/ingest/inputs/list-inputs.ts';
import { freshFolder } from '../../support/folders.ts';
import { zipOf } from '../support/zip-file.ts';

/** Paths as deltalake 1.6.6 and pyiceberg write them. */
const DELTA = [
  '_delta_log/00000000000000000000.json',
  '_delta_log/00000000000000000001.json',
  'symbol=AAA/part-00000-783dc89f-c176-4278-9a78-2b52daf154f5-c000.snappy.parquet',
  'symbol=AAA/part-00000-c285ed03-fe75-466c-926d-f189b867dd80-c000.snappy.parquet',
];
const ICEBERG = [
  'metadata/00000-a4685e4e-fe9c-4329-a030-0c8e18bdf686.metadata.json',
  'metadata/snap-4267843101327640396-0-34c6fbc0-dd80-46bf-8cc8-91f47c3588cf.avro',
  'data/00000-0-8ccec7f6-af03-4980-9fec-1f31ff1838ac.parquet',
  'data/00000-0-a0f462d4-1755-4f46-a60e-2ac784e942fc.parquet',
];
const HADOOP_ICEBERG = [
  'metadata/v1.metadata.json',
  'metadata/version-hint.text',
  'data/a.parquet',
];

/** Paths as in the specifications of Hudi and of DuckLake 1.1. */
const HUDI = [
  '.hoodie/hoodie.properties',
  '.hoodie/20240304101112.commit',
  'data/a1_0-1-2_20240304101112.parquet',
  'data/a1_0-3-4_20240305101112.parquet',
];
const DUCKLAKE = [
  'data/ducklake-01997ed4-cf96-7b69-a775-1b8a7be7d0e8.parquet',
  'data/ducklake-01997ed4-d0f2-7a51-8c9e-0b5f1f0c7a11-delete.parquet',
];

async function folderOf(names: readonly string[], prefix = ''): Promise<string> {
  const folder = freshFolder();
  for (const name of names) {
    await mkdir(dirname(join(folder, prefix + name)), { recursive: true });
    await writeFile(join(folder, prefix + name), 'PAR1');
  }
  return folder;
}

describe('the folder of a table', () => {
  it.each([
    ['Delta', DELTA],
    ['Iceberg', ICEBERG],
    ['Iceberg', HADOOP_ICEBERG],
  ])('of %s is refused, and so is each part of it', async (title, names) => {
    const folder = await folderOf(names, 'bars/');
    const fault = new RegExp(`an? ${title} table, whose folder keeps removed rows too: .*COPY`);
    const data = names.find((name) => name.endsWith('.parquet'))!;
    for (const path of ['bars', `bars/${dirname(data)}`, `bars/${data}`]) {
      await expect(listInputs(join(folder, path))).rejects.toThrow(fault);
    }
  });

  it.each([
    ['Hudi', HUDI],
    ['DuckLake', DUCKLAKE],
  ])('of %s is refused, and so is a file of it', async (title, names) => {
    const folder = await folderOf(names, 'bars/');
    const fault = new RegExp(`a ${title} table, whose folder keeps removed rows too`);
    await expect(listInputs(join(folder, 'bars', names.at(-1)!))).rejects.toThrow(fault);
    const { files, skipped } = await listInputs(folder);
    expect(files).toEqual([]);
    expect(skipped[0].reason).toMatch(fault);
  });

  it('is named among others, which are read', async () => {
    const folder = await folderOf([...DELTA, 'symbol=BBB/part-0.parquet'], 'delta/');
    await mkdir(join(folder, 'plain'));
    await writeFile(join(folder, 'plain/AAPL.csv'), 'date,close\n');
    const { files, skipped } = await listInputs(folder);
    expect(files.map(({ name }) => name)).toEqual(['plain/AAPL.csv']);
    expect(skipped).toEqual([
      { name: 'delta', reason: expect.stringContaining('a Delta table'), isRefused: true },
    ]);
  });

  it('is named in a zip, and is refused where the zip holds nothing else', async () => {
    const path = join(freshFolder(), 'bars.zip');
    const zipped = (names: readonly string[]) =>
      writeFile(path, zipOf(names.map((name) => ({ name, content: 'PAR1' }))));
    await zipped([...ICEBERG.map((name) => `x/y/${name}`), 'AAPL.csv']);
    const { files, skipped } = await listInputs(path);
    expect(files.map(({ name }) => name)).toEqual(['AAPL.csv']);
    expect(skipped.map(({ name, isRefused }) => [name, isRefused])).toEqual([['x/y', true]]);
    await zipped(DELTA);
    await expect(listInputs(path)).rejects.toThrow('a Delta table');
  });
});

describe('a folder that is no table', () => {
  it('may lie in that of a table, if its files are texts', async () => {
    const folder = await folderOf([...DELTA, 'mine/AAPL.csv']);
    const { files } = await listInputs(join(folder, 'mine'));
    expect(files.map(({ name }) => name)).toEqual(['AAPL.csv']);
  });

  it('may have partitions, and files that describe its files', async () => {
    const names = [
      'data/symbol=AAA/part-0.parquet',
      'metadata/AAA.metadata.json',
      'metadata/dataset-metadata.json',
      'metadata.json',
      'my_delta_log/1.json',
    ];
    const { files, skipped } = await listInputs(await folderOf(names));
    expect(files.map(({ name }) => name)).toEqual(names.toSorted());
    expect(skipped).toEqual([]);
  });
});
