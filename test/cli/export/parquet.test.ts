import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeTables } from '../../../src/cli/export/table-file.ts';
import { freshFolder } from '../../support/folders.ts';
import { duckdbRows } from '../support/exported.ts';

it('keeps texts exactly that CSV marks for spreadsheets', async () => {
  const path = join(freshFolder(), 'names.parquet');
  const names = ['=1+1', "'=1+1", '-A,"b"', '\n=1'];
  await writeTables(path, 'parquet', [[{ name: 'name', type: 'text', values: names }]]);
  const rows = await duckdbRows('SELECT * FROM read_parquet($1)', path);
  expect(rows.map(({ name }) => name)).toEqual(names);
});
