/**
 * Company facts leave out concepts of the filer. Of 440 filings of 2010 the debt of 18 was a part of
 * what the face shows, as that of Coca-Cola without its "loans and notes payable", or of another
 * kind.
 */

import { describe, expect, it } from 'vitest';
import { evidenceOf } from '../../../../../src/base/datasets/evidence.ts';
import { balance, income, rowsOf } from '../support/facts-json.ts';

type Amounts = Record<string, number>;

function debtOf(lines: Amounts, flows: Amounts = {}): [debt: number | null, reason?: string] {
  const facts = [
    ...balance('2024-12-31', { Assets: 1000, StockholdersEquity: 400, ...lines }),
    ...income('2024-01-01', '2024-12-31', flows),
  ];
  const [row] = rowsOf([{ filed: '2025-02-20', fy: 2024, fp: 'FY', facts }]).balanceSheets;
  return [row.totalDebt, evidenceOf({ ...row }).totalDebt?.reason];
}

const OF_CURRENT =
  'company facts leave out current liabilities, and give no short-term borrowings among them';
const OF_BOTH = 'company facts leave out current and other liabilities, which may hold borrowings';
const OF_ALL = 'company facts leave out liabilities, which may hold borrowings';

describe('debt from company facts alone', () => {
  const classified = {
    AccruedLiabilitiesCurrent: 30,
    TaxesPayableCurrent: 20,
    LongTermDebtNoncurrent: 200,
    OtherLiabilitiesNoncurrent: 100,
  };
  const closed = { ...classified, LiabilitiesCurrent: 300 };
  const repaid = { RepaymentsOfLongTermDebt: 5 };

  it.each<[string, Amounts, Amounts, number | null, string | undefined]>([
    ['no current debt is given', {}, repaid, null, OF_CURRENT],
    ['a current portion alone is given', { LongTermDebtCurrent: 40 }, {}, null, OF_CURRENT],
    [
      'other debt is repaid',
      { LongTermDebtCurrent: 40 },
      { ...repaid, RepaymentsOfDebt: 9 },
      null,
      OF_CURRENT,
    ],
    ['all debt that is repaid is long-term', { LongTermDebtCurrent: 40 }, repaid, 240, undefined],
    ['short-term debt is given', { ShortTermBorrowings: 40 }, {}, 240, undefined],
    [
      'later liabilities are left out too',
      { ShortTermBorrowings: 40, Liabilities: 603 },
      {},
      null,
      OF_BOTH,
    ],
  ])('without some current liabilities, if %s', (_, lines, flows, debt, reason) => {
    expect(debtOf({ ...closed, ...lines }, flows)).toEqual([debt, reason]);
  });

  it('is given if the current liabilities add up', () => {
    expect(debtOf({ ...classified, LiabilitiesCurrent: 50 })).toEqual([200, undefined]);
    const undated = { AccountsPayableCurrentAndNoncurrent: 250 };
    expect(debtOf({ ...closed, ...undated })).toEqual([200, undefined]);
  });

  it('is null if a company without a total of current liabilities leaves any out', () => {
    const bank = { OtherLiabilities: 20, UnearnedPremiums: 10, LongTermDebt: 50 };
    expect(debtOf(bank)).toEqual([null, OF_ALL]);
    expect(debtOf({ ...bank, Deposits: 500 })[1]).toBe(OF_ALL);
    expect(debtOf({ ...bank, Deposits: 520 })).toEqual([50, undefined]);
  });

  it('is null if amounts due to related parties may be loans', () => {
    const owed = { ...classified, LiabilitiesCurrent: 50 };
    const reason = 'amounts due to related parties may be loans';
    expect(debtOf({ ...owed, DueToRelatedPartiesNoncurrent: 150 })).toEqual([null, reason]);
    expect(debtOf({ ...owed, DueToRelatedPartiesNoncurrent: 2 })).toEqual([200, undefined]);
  });

  describe('of a bank', () => {
    const bank = { Deposits: 450, OtherLiabilities: 20, LongTermDebt: 90, ShortTermBorrowings: 40 };
    const repurchases = { FederalFundsPurchasedAndSecuritiesSoldUnderAgreementsToRepurchase: 30 };

    it('leaves out repurchase agreements that its short-term borrowings hold', () => {
      const lines = { ...bank, ...repurchases, OtherShortTermBorrowings: 10 };
      expect(debtOf(lines)).toEqual([100, undefined]);
      expect(debtOf({ ...lines, DebtAndCapitalLeaseObligations: 130 })).toEqual([100, undefined]);
    });

    it('is null if nothing says whether its short-term borrowings hold them', () => {
      const reason = 'short-term borrowings of a bank may hold repurchase agreements';
      expect(debtOf(bank)).toEqual([null, reason]);
    });
  });
});
