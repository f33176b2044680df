/** Figures from the lines of statements: totals and parts, minorities, and what stays open. */

import { describe, expect, it } from 'vitest';
import { faceCash } from '../../../../../src/ingest/vendors/sec/face/cash.ts';
import { faceDebt } from '../../../../../src/ingest/vendors/sec/face/debt.ts';
import type { FaceFigure } from '../../../../../src/ingest/vendors/sec/face/figure.ts';
import { faceIncome } from '../../../../../src/ingest/vendors/sec/face/income.ts';
import { linesOf } from './support/shown-text.ts';

const saidOf = ({ value, evidence }: FaceFigure) =>
  [
    value,
    evidence.verdict ?? evidence.reason,
    ...(evidence.lines ?? []).map((line) => line[1]),
  ].join(' | ');

describe('the debt of a balance sheet', () => {
  const sheet = (liabilities: string, owed: number) =>
    linesOf(`
      Assets Total assets ${owed + 100}
      ${liabilities}
      CommonStockValue Common stock 40
      heldInTrust Shares held in trust -5
      RetainedEarningsAccumulatedDeficit Retained earnings 65
      StockholdersEquity Total equity 100
      LiabilitiesAndStockholdersEquity Total liabilities and equity ${owed + 100}`);
  const debt = (liabilities: string, owed: number) => saidOf(faceDebt(sheet(liabilities, owed)));

  it('has each line once, and lines in concepts of the filer', () => {
    expect(
      debt(
        `DebtCurrent Short-term debt 10
        AccountsPayableCurrent Accounts payable 30
        LiabilitiesCurrent Total current liabilities 40
        longTermDebtAndFairValueHedges Long-term debt 50
        Liabilities Total liabilities 90`,
        90,
      ),
    ).toBe('60 | summed | Short-term debt | Long-term debt');
  });

  it('has a total, not its parts', () => {
    expect(
      debt(
        `LongTermDebtNoncurrent Notes and debentures 30
        CapitalLeaseObligationsNoncurrent Capital leases 5
        LongTermDebtAndCapitalLeaseObligations Total long-term debt 35
        OtherLiabilitiesNoncurrent Other liabilities 15`,
        50,
      ),
    ).toBe('35 | stated | Total long-term debt');
  });

  it('reads totals that stand before their parts', () => {
    expect(
      debt(
        `LiabilitiesCurrent Total current liabilities 40
        DebtCurrent Short-term debt 10
        AccountsPayableCurrent Accounts payable 30
        LongTermDebtNoncurrent Long-term debt 20`,
        60,
      ),
    ).toBe('30 | summed | Long-term debt | Short-term debt');
  });

  it('is open if the lines do not add up, or one holds borrowings and others', () => {
    expect(debt('LongTermDebtNoncurrent Long-term debt 20', 60)).toBe(
      ' | the lines of its liabilities do not add up to their total',
    );
    expect(
      debt(
        `payables Accounts payable and notes payable 20
        LongTermDebtNoncurrent Long-term debt 40`,
        60,
      ),
    ).toBe(' | "Accounts payable and notes payable" holds borrowings beside other liabilities');
  });

  it('is absent without a line of borrowings, which proves no zero', () => {
    const figure = faceDebt(sheet('AccountsPayableCurrent Accounts payable 60', 60));
    expect(figure).toEqual({
      value: null,
      evidence: {
        verdict: null,
        reason: 'the balance sheet shows no line of borrowings',
        isAbsent: true,
      },
    });
  });

  it('may be less than all debt if no current part is shown', () => {
    const shown = faceDebt(
      sheet(
        `AccountsPayableCurrent Accounts payable 20
        accrued Accrued expenses 10
        LiabilitiesCurrent Total current liabilities 30
        LongTermDebtNoncurrent Long-term debt 30`,
        60,
      ),
    );
    expect(shown.evidence).toMatchObject({ verdict: 'stated', isFloor: true });
  });

  it('has no trade notes, leases, deposits and repurchase agreements', () => {
    expect(
      debt(
        `Deposits Deposits 10
        SecuritiesSoldUnderAgreementsToRepurchase Securities sold under repurchase agreements 5
        NotesPayableCurrent Notes 3
        leases Finance lease liabilities 2
        ShortTermBorrowings Short-term borrowings 40`,
        60,
      ),
    ).toBe('40 | stated | Short-term borrowings');
  });
});

describe('the figures of an income statement', () => {
  const income = (text: string) => {
    const figures = faceIncome(linesOf(text), {});
    return Object.fromEntries(Object.entries(figures).map(([name, one]) => [name, saidOf(one)]));
  };

  it('are totals of the filer’s own, and cost is all that gross profit leaves', () => {
    expect(
      income(`
        RevenueFromContractWithCustomerExcludingAssessedTax Sales 60
        rentals Rental revenue 40
        allRevenue Total revenues 100
        CostOfGoodsSold Cost of goods 20
        costOfRentals Depreciation of rental fleet 30
        GrossProfit Gross profit 50`),
    ).toMatchObject({
      revenue: '100 | stated | Total revenues',
      costOfRevenue: '50 | proved | Gross profit',
      grossProfit: '50 | stated | Gross profit',
    });
  });

  it('have costs of several kinds only where they follow each other and nothing else', () => {
    const costs = `
      Revenues Total revenues 100
      costOfLicense Cost of license revenue 20
      costOfServices Cost of services 30`;
    expect(income(costs).costOfRevenue).toBe(
      '50 | summed | Cost of license revenue | Cost of services',
    );
    expect(income(`${costs}\nother Other 5`).costOfRevenue).toBe(
      ' | the income statement shows several costs, and no total of them',
    );
  });

  it('have the parent’s income, on whatever line it is tagged', () => {
    expect(
      income(`
        Revenues Revenues 100
        NetIncomeLoss Net loss -34
        ofOthers Less: Net income attributable to noncontrolling interests -8
        parents Net loss attributable to the company -42`).netIncome,
    ).toBe('-42 | stated | Net loss attributable to the company');
    expect(
      income(`
        Revenues Revenues 100
        ProfitLoss Net income 59
        NetIncomeLossAttributableToNoncontrollingInterest Noncontrolling interests 13
        EarningsPerShareBasic Net income per share 0.46`).netIncome,
    ).toBe('46 | proved | Net income | Noncontrolling interests');
  });
});

describe('the figures of a statement of cash flows', () => {
  it('are proved by the change in cash, and lines of a section that adds up are added', () => {
    const figures = faceCash(
      linesOf(`
        NetCashProvidedByUsedInOperatingActivities From operations 90
        PaymentsToAcquireMachineryAndEquipment Machines -20
        landAndBuildings Purchases of property -10
        ProceedsFromSaleOfProductiveAssets Sales of property 5
        NetCashProvidedByUsedInInvestingActivities From investing -25
        NetCashProvidedByUsedInFinancingActivities From financing -40
        CashAndCashEquivalentsPeriodIncreaseDecrease Change 25`),
    );
    expect(saidOf(figures.capitalExpenditure!)).toBe(
      '30 | summed | Machines | Purchases of property',
    );
    expect(saidOf(figures.investingCashFlow!)).toBe('-25 | proved | From investing');
  });
});
