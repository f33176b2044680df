/**
 * Company facts leave out concepts of the filer. Of 442 filings of 2010 the debt of 32 was too low,
 * as that of Coca-Cola without its "loans and notes payable".
 */

import { describe, expect, it } from 'vitest';
import { evidenceOf } from '../../../../../src/base/datasets/evidence.ts';
import { balance, rowsOf } from '../support/facts-json.ts';

function debtOf(lines: Record<string, number>): [debt: number | null, reason?: string] {
  const facts = balance('2024-12-31', { Assets: 1000, StockholdersEquity: 400, ...lines });
  const [row] = rowsOf([{ filed: '2025-02-20', fy: 2024, fp: 'FY', facts }]).balanceSheets;
  return [row.totalDebt, evidenceOf({ ...row }).totalDebt?.reason];
}

describe('debt from company facts alone', () => {
  const classified = {
    AccruedLiabilitiesCurrent: 30,
    TaxesPayableCurrent: 20,
    LongTermDebtNoncurrent: 200,
    OtherLiabilitiesNoncurrent: 100,
  };

  it('is null if current liabilities are left out, and no current debt is given', () => {
    expect(debtOf({ ...classified, LiabilitiesCurrent: 300 })).toEqual([
      null,
      'company facts leave out current liabilities, and give none of the borrowings among them',
    ]);
  });

  it('is given if the current liabilities add up, or current debt is given', () => {
    expect(debtOf({ ...classified, LiabilitiesCurrent: 50 })).toEqual([200, undefined]);
    const lines = { ...classified, LiabilitiesCurrent: 300 };
    expect(debtOf({ ...lines, LongTermDebtCurrent: 0 })).toEqual([200, undefined]);
    expect(debtOf({ ...lines, ShortTermBorrowings: 40 })).toEqual([240, undefined]);
  });

  it('is null if a bank has more in its own concepts than it has debt', () => {
    const bank = { OtherLiabilities: 20, UnearnedPremiums: 10, LongTermDebt: 50 };
    expect(debtOf(bank)).toEqual([
      null,
      'company facts leave out more liabilities than the borrowings that they give',
    ]);
    expect(debtOf({ ...bank, Deposits: 500 })).toEqual([50, undefined]);
  });
});
