/**
 * Lines as filers have them since 2010, which the real sample of that year lacks. Found by writing
 * the statements of some fifty large and small filers of 2022 to 2024 down by structure.
 */

import { describe, expect, it } from 'vitest';
import { faceBalance } from '../../../../../src/ingest/vendors/sec/face/balance.ts';
import type { FaceFigure } from '../../../../../src/ingest/vendors/sec/face/figure.ts';
import { faceIncome, type IncomeField } from '../../../../../src/ingest/vendors/sec/face/income.ts';
import { withFace } from '../../../../../src/ingest/vendors/sec/facts/evidence.ts';
import { linesOf } from './support/shown-text.ts';

const said = (figure: FaceFigure | undefined) =>
  figure && [figure.value, figure.evidence.verdict ?? figure.evidence.reason];

const income = (text: string, field: IncomeField) => said(faceIncome(linesOf(text), {})[field]);

const debtWith = (label: string, concept = 'ownLine') =>
  said(
    faceBalance(
      linesOf(`Assets Total assets 100
        LongTermDebt Long-term debt 20
        ${concept} ${label} 7
        OtherLiabilities Other liabilities 13
        Liabilities Total liabilities 40
        StockholdersEquity Total equity 60
        LiabilitiesAndStockholdersEquity Total 100`),
      { totalAssets: 100, totalEquity: 60, totalLiabilities: 40 },
    ).totalDebt,
  );

describe('a liability of the filer', () => {
  it.each([
    '2028 Notes',
    '2026 Notes (net of issuance costs of $4)',
    '6.25% Notes due 2028',
    'Notes issued by consolidated variable interest entities',
    'Subordinated liabilities',
    'Financial Services debt',
    'Floor plan notes payable - non-trade',
  ])('%j is debt', (label) => {
    expect(debtWith(label)).toEqual([27, 'summed']);
  });

  it.each(['Other secured financings', 'Collateral financing arrangement', 'Consumer notes'])(
    '%j may be debt, and leaves the sum unknown',
    (label) => {
      expect(debtWith(label)).toEqual([
        null,
        `"${label}" holds borrowings beside other liabilities`,
      ]);
    },
  );

  it.each([
    'Customer collateral (Note 5)',
    'Notes and accounts payable for equipment',
    'Floor plan notes payable - trade',
    'Debt service deposits',
    'Loan servicing obligations',
  ])('%j is none', (label) => {
    expect(debtWith(label)).toEqual([20, 'stated']);
  });
});

describe('a liability in a standard concept', () => {
  it.each([
    ['Corporate and other debt', 'FinancialInstrumentsSoldNotYetPurchasedCorporateDebt'],
    [
      'Collateral payable under securities loan agreements',
      'DepositsReceivedForSecuritiesLoanedAtCarryingValue',
    ],
  ])('%j is no debt if its concept says so', (label, concept) => {
    expect(debtWith(label, concept)).toEqual([20, 'stated']);
  });

  it('may be debt, and leaves the sum unknown', () => {
    const [amount] = debtWith('Other secured financings', 'OtherSecuredFinancings') ?? [];
    expect(amount).toBeNull();
  });

  it('is debt by its label if its concept says nothing of it', () => {
    const note = 'Midstream subsidiary note payable to a related party';
    expect(debtWith(note, 'DueToRelatedPartiesNoncurrent')).toEqual([27, 'summed']);
  });
});

describe('debt of which no current part is on the face', () => {
  const debtBeside = (note: number) => {
    const shown: FaceFigure = { value: 583, evidence: { verdict: 'stated', isFloor: true } };
    const told = { figures: { totalDebt: note }, candidates: {} };
    return withFace(told, { totalDebt: shown }).figures.totalDebt;
  };

  it('is that of the notes of the same set if they have over 5 % more', () => {
    expect(debtBeside(668)).toBe(668);
    expect(debtBeside(600)).toBe(583);
    expect(debtBeside(90)).toBe(583);
  });
});

describe('cost of revenue', () => {
  const restaurants = (rent: number) => `ownSales Sales by company-operated restaurants 974
    ownFees Revenues from franchised restaurants 1544
    Revenues Total revenues 2518
    CostOfGoodsAndServicesSold Company-operated restaurant expenses 822
    ownRent Franchised restaurants-occupancy expenses ${rent}
    CostsAndExpenses Total operating costs 1354
    OperatingIncomeLoss Operating income 1164`;

  it('is not that of a part of revenue, whose name begins with a preposition', () => {
    const part = [null, 'other lines show the cost of a part of revenue'];
    expect(income(restaurants(248), 'costOfRevenue')).toEqual(part);
    expect(income(restaurants(248), 'grossProfit')).toEqual(part);
    expect(income(restaurants(20), 'costOfRevenue')).toEqual([822, 'stated']);
  });

  it('is not that of goods alone beside claims of insured people in a concept of the filer', () => {
    const health = (premiums: string) => `ownProducts Products 245
      ownPremiums ${premiums} 99
      Revenues Total revenues 344
      CostOfGoodsAndServicesSold Cost of products sold 217
      ownCare Health care costs 86
      CostsAndExpenses Total operating costs 330
      OperatingIncomeLoss Operating income 14`;
    expect(income(health('Premiums'), 'costOfRevenue')?.[0]).toBeNull();
    expect(income(health('Rentals'), 'costOfRevenue')).toEqual([217, 'stated']);
  });

  it('is none of two where gross profit is also after excise taxes', () => {
    const text = `Revenues Net revenues 245
      CostOfRevenue Cost of sales 62
      ownTaxes Excise taxes on products 40
      GrossProfit Gross profit 143`;
    expect(income(text, 'costOfRevenue')).toEqual([
      null,
      'gross profit is also after taxes on sales',
    ]);
    expect(income(text.replace('Excise taxes', 'Amortization'), 'costOfRevenue')).toEqual([
      102,
      'proved',
    ]);
  });

  it('is the run of costs behind revenue, whose total stands before its lines', () => {
    const text = `Revenues Total revenues 889
      ownServices Services 796
      ownProducts Products 93
      CostOfServices Cost of services 531
      ownCost Cost of products 61
      SellingGeneralAndAdministrativeExpense Selling, general and administrative 153`;
    expect(income(text, 'costOfRevenue')).toEqual([592, 'summed']);
  });
});

describe('net income', () => {
  const profits = (owners: string) => `Revenues Revenue 500
    ProfitLoss Net income 70
    ownPart Net income attributable to noncontrolling interests in OpCo 40
    ownOthers Net income attributable to redeemable noncontrolling interests 5
    ${owners}`;

  it('is what several lines of minorities leave', () => {
    const owned = profits('ownRest Net income attributable to UpC Inc. 25');
    expect(income(owned, 'netIncome')).toEqual([25, 'stated']);
  });

  it('is unknown where lines of the filer show minorities, and none what is left', () => {
    expect(income(profits(''), 'netIncome')).toEqual([
      null,
      'the profit may hold the part of minorities',
    ]);
  });
});
