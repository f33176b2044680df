import { expect, it } from 'vitest';
import { readTable } from '../../../../src/store/arrow/format/table-file.ts';
import { ACTION_TABLE } from '../../../../src/store/arrow/format/tables.ts';
import { writeTable } from '../../../../src/store/arrow/format/write-table.ts';
import { freshFolder } from '../../../support/folders.ts';

const dividend = {
  ...{ symbol: 'ENB', type: 'dividend', ex_date: 19_783, numerator: null, denominator: null },
  ...{ amount: 0.915, factor: null },
};

// Splits and dividends had no currency before: their files are read until the next publish.
it('reads a file of an older version, without the newest columns', async () => {
  const folder = freshFolder();
  const { currency, ...older } = ACTION_TABLE;
  const ref = await writeTable(folder, 'actions-1.arrow', older, [dividend, dividend]);
  const read = readTable(folder, ref, ACTION_TABLE);
  expect([...read.amount]).toEqual([0.915, 0.915]);
  expect(read.currency).toEqual(['', '']);
  const newer = await writeTable(folder, 'actions-2.arrow', ACTION_TABLE, [
    { ...dividend, currency: 'CAD' },
    { ...dividend, currency: null },
  ]);
  expect(readTable(folder, newer, ACTION_TABLE).currency).toEqual(['CAD', '']);
  // An older program reads the columns that it knows.
  expect([...readTable(folder, newer, older).factor]).toEqual([Number.NaN, Number.NaN]);
});
