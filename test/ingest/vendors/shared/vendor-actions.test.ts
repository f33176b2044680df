/** Splits and dividends as vendors list them. */

import { expect, it } from 'vitest';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import { VendorActions } from '../../../../src/ingest/vendors/shared/vendor-actions.ts';

// One currency that was no code refused the response for all symbols and days.
it('a dividend in no known currency is listed in none, and named', () => {
  const [exDay, other] = ['2024-03-08', '2024-06-07'].map((date) => dayFromDate(date));
  const actions = new VendorActions();
  actions.addDividend('AAA', { exDay, amount: 0.24, currency: 'US dollars' });
  actions.addDividend('AAA', { exDay: other, amount: 0.25, currency: 'USD' });
  const statement = actions.statement('AAA', { fromDay: exDay - 10, toDay: other + 10 });
  expect(statement.dividends).toEqual([
    { exDay, amount: 0.24, currency: 'XXX' },
    { exDay: other, amount: 0.25 },
  ]);
  expect(statement.notes).toEqual([
    'it has dividends in no known currency (2024-03-08), which are listed and not used: state them in a file (backfill files corporate-actions)',
  ]);
});
