/** Rows of lists that need no store. */

import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { ROW_FORM } from '../../../../jobs/publish/lists/publish.ts';
import { makeListRows } from '../../../../jobs/publish/lists/rows.ts';
import type { DatasetRow } from '../../../../src/base/datasets/dataset.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
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

// Rows of twelve months that a new rule leaves open were still served after an update.
it('twelve months follow the rules of the form, which a new rule raises', () => {
  const row = (date: string, filedAt: string, values: DatasetRow) => ({
    ...{ symbol: 'AAPL', date: dayFromDate(date), period: 'quarterly', currency: 'USD' },
    ...{ form: '10-Q', filedAt: Date.parse(filedAt), netIncome: 10, eps: 1, sharesBasic: 10 },
    ...values,
  });
  const year = { period: 'annual', revenue: 400, netIncome: 40, eps: 4 };
  const rows = [
    row('2025-03-31', '2025-05-01', { revenue: 100 }),
    row('2025-06-30', '2025-08-01', { revenue: 100 }),
    row('2025-09-30', '2025-11-01', { revenue: 100 }),
    row('2025-12-31', '2026-02-01', { revenue: 100 }),
    row('2025-12-31', '2026-02-01', year),
    row('2025-03-31', '2026-05-01', { revenue: 80 }),
    row('2026-03-31', '2026-05-01', { revenue: 110, eps: 0.5, sharesBasic: 20 }),
  ];
  const splits = [{ exDay: dayFromDate('2026-03-02'), numerator: 2, denominator: 1 }];
  const made = makeListRows('statements', rows, splits).filter(({ kind }) => kind === 'ttm');
  const digest = createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 16);
  expect(JSON.parse(made.at(-1)!.json)).toMatchObject({ revenue: null, netIncome: 40 });
  expect({ [ROW_FORM]: digest }).toEqual({ 6: '07d915c66992c289' });
});
