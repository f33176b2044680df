/** Splits that later filings of a company show. */

import { expect, it } from 'vitest';
import type { Split } from '../../../src/base/bars.ts';
import type { DaySpan } from '../../../src/base/prices/action-coverage.ts';
import { withFilingSplits } from '../../../src/compute/companies/filing-splits.ts';
import { paddedRow } from '../../../src/compute/companies/trailing-statements.ts';

const DAY_MS = 86_400_000;

function yearOf(date: number, filedDay: number, epsDiluted: number, sharesDiluted: number) {
  const head = { date, period: 'annual' as const, filedAt: filedDay * DAY_MS };
  return paddedRow({ ...head, ...{ netIncome: 400, epsDiluted, sharesDiluted } } as never);
}

const filings = [
  yearOf(1000, 1050, 4, 100),
  yearOf(1000, 1400, 0.4, 1000),
  yearOf(1350, 1400, 0.4, 1000),
];
// Nothing restates the first year.
const unproved = [filings[0], filings[2]];
const known = { exDay: 1200, numerator: 10, denominator: 1 };

it.each<[string, typeof filings, Split[], DaySpan | undefined, number[][]]>([
  ['restated figures show', filings, [], undefined, [[1400, 10]]],
  ['nothing shows the ratio', unproved, [], undefined, [[1400, Number.NaN]]],
  ['the days are covered', unproved, [], { fromDay: 1000, toDay: 1500 }, []],
  ['the days end before', filings, [], { fromDay: 1000, toDay: 1300 }, [[1400, 10]]],
  ['it is known already', filings, [known], undefined, [[1200, 10]]],
  ['counts are alike', [filings[0], yearOf(1350, 1400, 4, 110)], [], undefined, []],
])('%s', (_, rows, splits, coverage, expected) => {
  const found = withFilingSplits(splits, rows, coverage);
  expect(found.map(({ exDay, numerator }) => [exDay, numerator])).toEqual(expected);
});
