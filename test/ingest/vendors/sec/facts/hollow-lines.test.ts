/** Lines of a statement that only segments have amounts of. */

import { describe, expect, it } from 'vitest';
import { companyRows } from '../../../../../src/ingest/vendors/sec/company-rows.ts';
import { parseSetFiling } from '../../../../../src/ingest/vendors/sec/parse-set-filing.ts';

/**
 * Figures of a filing from lines such as `IS Revenues Total revenues 100`; without an amount, the
 * line is hollow.
 */
function rowsOf(text: string) {
  const lines: string[] = [];
  const numbers: string[] = [];
  for (const line of text.trim().split('\n')) {
    const [, stmt, tag, label, value] = /^\s*(\w\w) (\S+) (.*?)(?: (-?\d+))?$/.exec(line)!;
    lines.push([stmt, stmt === 'IS' ? 4 : 2, tag, 'us-gaap/2024', 0, label].join('\t'));
    const quarters = stmt === 'BS' ? 0 : 4;
    if (value) numbers.push(`${tag}\tus-gaap/2024\t20241231\t${quarters}\tUSD\t${value}\t`);
  }
  const filing = parseSetFiling({
    ...{ adsh: '0000000001-25-000001', cik: '1', form: '10-K', filed: '20250220', fy: '2024' },
    ...{ fp: 'FY', period: '20241231', lines: lines.join('\n'), numbers: numbers.join('\n') },
  })!;
  const { statements, balanceSheets } = companyRows({ cik: 1, filings: [filing] }, new Map());
  return { ...balanceSheets[0], ...statements[0] };
}

it('leaves diluted earnings per share unknown that are of discontinued operations alone', () => {
  // Public Storage, which earned 0.21 for a share, had 0.
  const dilutedOf = (label: string) =>
    rowsOf(`IS Revenues Total revenue 2500
      IS IncomeTaxExpenseBenefit Income taxes 9
      IS NetIncomeLoss Net income 20
      IS EarningsPerShareDiluted ${label} 0
      IS EarningsPerShareBasic Net income per share - basic 21`).epsDiluted;
  expect(dilutedOf('Discontinued operations')).toBeNull();
  expect(dilutedOf('Net income, with discontinued operations')).toBe(0);
});

const income = (total: string, services = 633) =>
  rowsOf(`IS SalesRevenueGoodsNet Sales of goods 1500
    IS SalesRevenueServicesNet Sales of services 1000
    IS Revenues Total revenues${total}
    IS CostOfGoodsSold Cost of goods sold 1057
    IS CostOfServices Cost of services sold${services ? ` ${services}` : ''}
    IS IncomeTaxExpenseBenefit Income taxes 9
    IS NetIncomeLoss Net income 20`);

describe('a line without an amount of the whole company', () => {
  it('leaves revenue unknown that may be a part of it, and what follows from that', () => {
    expect(income(' 2500')).toMatchObject({ revenue: 2500, costOfRevenue: 1690, grossProfit: 810 });
    const reason = '"Total revenues" has amounts of segments alone';
    const { revenue, grossProfit, evidence } = income('');
    expect([revenue, grossProfit]).toEqual([null, null]);
    expect(JSON.parse(evidence!)).toMatchObject({ revenue: { verdict: null, reason } });
  });

  it('leaves the cost of the rest of revenue unknown', () => {
    expect(income(' 2500', 0)).toMatchObject({
      revenue: 2500,
      costOfRevenue: null,
      grossProfit: null,
    });
  });

  it('leaves equity unknown, unless liabilities prove it', () => {
    const sheet = (liabilities: string, equity: number) =>
      rowsOf(`BS CashAndCashEquivalentsAtCarryingValue Cash and cash equivalents 10
        BS Assets Total assets 100
        ${liabilities}
        BS StockholdersEquity Equity of the company ${equity}
        BS MinorityInterest Noncontrolling interests
        BS LiabilitiesAndStockholdersEquity Total 100`).totalEquity;
    expect(sheet('BS OtherLiabilities Other liabilities 40', 55)).toBeNull();
    expect(sheet('BS Liabilities Total liabilities 40', 60)).toBe(60);
  });
});
