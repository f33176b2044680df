/** Rows of lists that need no store. */

import { expect, it } from 'vitest';
import { makeListRows } from '../../../../jobs/publish/lists/rows.ts';
import type { DatasetRow } from '../../../../src/base/datasets/dataset.ts';
import { insiderTransaction } from '../../../compute/support/insider-rows.ts';

it('values of insiders that an older version stored lose the noise of float64', () => {
  // 7,000 shares at 148.01 were stored as 1036069.9999999999; a stated value stays.
  const product = { ...insiderTransaction({ shares: 7000, price: 148.01 }), line: 1 };
  const stated = {
    ...insiderTransaction({ shares: 7000, price: 148.01 }),
    line: 2,
    totalValue: 0.1,
  };
  const rows = [product, stated] as unknown as DatasetRow[];
  expect(product.totalValue).toBe(1_036_069.9999999999);
  const values = makeListRows('insider', rows, []).map(({ json }) => JSON.parse(json).totalValue);
  expect(values).toEqual([1_036_070, 0.1]);
});
