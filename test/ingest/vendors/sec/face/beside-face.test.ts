/**
 * Amounts that a statement does not show, and lines of the filer that it shows beside known ones.
 * Found by changing 500 real statements in ways that leave their figures the same.
 */

import { describe, expect, it } from 'vitest';
import { faceBalance } from '../../../../../src/ingest/vendors/sec/face/balance.ts';
import { faceCash } from '../../../../../src/ingest/vendors/sec/face/cash.ts';
import { faceExpenses } from '../../../../../src/ingest/vendors/sec/face/expenses.ts';
import type { FaceFigure } from '../../../../../src/ingest/vendors/sec/face/figure.ts';
import { faceIncome } from '../../../../../src/ingest/vendors/sec/face/income.ts';
import { linesOf } from './support/shown-text.ts';

const said = (figure: FaceFigure | undefined) =>
  figure && [figure.value, figure.evidence.verdict ?? figure.evidence.reason];

const NO_TOTAL = 'the lines of revenue have no total, and the result does not prove their sum';

describe('revenue without a total', () => {
  const revenue = (text: string) => said(faceIncome(linesOf(text), {}).revenue);

  it('has all lines before the first cost if operating income and costs prove so', () => {
    const club = `SalesRevenueNet Net sales 15158
      MembershipFees Membership fees 435
      CostOfGoodsAndServicesSold Merchandise costs 13500
      SellingGeneralAndAdministrativeExpense Selling and administrative expenses 1600`;
    expect(revenue(`${club}\n OperatingIncomeLoss Operating income 493`)).toEqual([
      15_593,
      'proved',
    ]);
    expect(revenue(`${club}\n OperatingIncomeLoss Operating income 58`)).toEqual([
      15_158,
      'stated',
    ]);
    expect(revenue(club)).toEqual([null, NO_TOTAL]);
  });

  it('is open where a total of the filer has other sales, and not where that has little income', () => {
    const sold = (other: string, total: number) =>
      revenue(`SalesRevenueGoodsNet Net sales 900
      ownOther ${other} ${total - 900}
      ownTotal Total ${total}
      CostOfGoodsSold Cost of sales 500`);
    expect(sold('Financial services', 1000)).toEqual([null, NO_TOTAL]);
    expect(sold('Finance and interest income', 1000)).toEqual([null, NO_TOTAL]);
    expect(sold('Other income, net', 1000)).toEqual([900, 'stated']);
    const text = 'SalesRevenueGoodsNet Net sales 900\nownOther Services 90\nownTotal Total 990';
    const { grossProfit } = faceIncome(linesOf(`${text}\nCostOfGoodsSold Cost of sales 500`), {});
    expect(said(grossProfit)).toEqual([null, NO_TOTAL]);
  });

  it('is what is shown where a filer tags it below zero, without lines of interest', () => {
    const { revenue: sales } = faceIncome(
      linesOf(`SalesRevenueGoodsNet Net sales -900!
      CostOfGoodsSold Cost of sales 500
      InterestExpense Interest expense 40`),
      {},
    );
    expect(said(sales)).toEqual([900, 'stated']);
    expect(sales.evidence.lines).toEqual([['us-gaap:SalesRevenueGoodsNet', 'Net sales', 900]]);
  });

  it('is not the revenue of one business of a bank', () => {
    const bank = `interestOnLoans Interest and fees on loans 900
      interestOnDeposits Interest on deposits 200
      lendersIncome Net interest income 700
      serviceFees Service charges on deposit accounts 120
      ownMortgages Mortgage banking net revenue 134
      salaries Salaries and benefits 400`;
    expect(revenue(bank)?.[0]).toBeNull();
  });

  it('is not the leases of a lender', () => {
    const lender = `InterestAndDividendIncomeOperating Interest income 980
      InterestExpense Interest expense 391
      InterestIncomeExpenseNet Net interest income 589
      OperatingLeasesIncomeStatementLeaseRevenue Operating lease income 61
      otherIncomes Other income 478`;
    expect(revenue(lender)).toEqual([null, NO_TOTAL]);
  });

  it('is less than gross profit only if it is a part', () => {
    const part = `serviceRevenue Service revenue 591
      GrossProfit Gross profit 669
      SellingGeneralAndAdministrativeExpense Administrative expenses 300`;
    expect(revenue(part)).toEqual([null, 'gross profit is more than the line of it']);
  });

  it('has the sign that the statement shows', () => {
    const flipped = linesOf(`salesOfTheYear Net sales -979
      CostOfRevenue Cost of sales 579`).map((line) => ({ ...line, shown: Math.abs(line.value) }));
    expect(said(faceIncome(flipped, {}).revenue)).toEqual([979, 'stated']);
  });
});

describe('an amount of a note', () => {
  const balance = `Assets Total assets 42184
    Liabilities Total liabilities 25383
    StockholdersEquity Total common shareholders' equity 16801
    LiabilitiesAndStockholdersEquity Total liabilities and equity 42184`;

  it('is not equity if the balance sheet shows another', () => {
    const known = { totalAssets: 42_184, totalLiabilities: 25_383, totalEquity: 16_941 };
    expect(said(faceBalance(linesOf(balance), known).totalEquity)).toEqual([16_801, 'proved']);
  });

  it('is not liabilities if assets less equity are others', () => {
    const lines = linesOf(balance).filter(({ concept }) => concept !== 'us-gaap:Liabilities');
    const known = { totalAssets: 42_184, totalLiabilities: 9_000, totalEquity: 16_801 };
    expect(said(faceBalance(lines, known).totalLiabilities)).toEqual([25_383, 'proved']);
    const own = linesOf(
      balance.replace('Liabilities Total liabilities', 'allOwed Total liabilities'),
    );
    expect(said(faceBalance(own, known).totalLiabilities)).toEqual([25_383, 'proved']);
  });

  it('is not the rest of assets if lines between liabilities and equity are in it', () => {
    const known = { totalAssets: 900, totalLiabilities: 700, totalEquity: 200 };
    for (const line of [
      'OtherMinorityInterests Redeemable noncontrolling interest',
      'ownPreferred Preferred stock of subsidiaries',
    ]) {
      const { totalLiabilities, temporaryEquity } = faceBalance(
        linesOf(`Assets Total assets 900\n${line} 30\nStockholdersEquity Total equity 200`),
        known,
      );
      expect([said(totalLiabilities), temporaryEquity?.value]).toEqual([[670, 'proved'], 30]);
    }
  });

  it('is not interest expense if the income statement has a line of it', () => {
    const interest = (text: string) => said(faceExpenses(linesOf(text)).interestExpense);
    expect(interest('InterestExpenseDebt Interest expense 137')).toEqual([137, 'stated']);
    expect(interest('ownInterest Interest expense -137')).toEqual([137, 'stated']);
    expect(
      interest(`InterestExpenseDebt Interest on long-term debt 128
        ownInterest Other interest charges 9`),
    ).toEqual([null, 'other lines of interest are in concepts of the filer']);
  });
});

describe('signs', () => {
  it('of selling and administrative expenses are the same before they are added', () => {
    const text = `SellingExpense Selling expenses -50
      GeneralAndAdministrativeExpense Administrative expenses 30`;
    expect(said(faceExpenses(linesOf(text)).sellingGeneralAdministrative)).toEqual([80, 'summed']);
  });

  it('of acquisitions are those that add up to investments', () => {
    const bought = (line: string) => `${line}
      PaymentsToAcquirePropertyPlantAndEquipment Equipment 20!
      NetCashProvidedByUsedInInvestingActivities Net cash used in investing activities -25`;
    const told = ['5!', '-5'].map((amount) =>
      faceCash(
        linesOf(bought(`PaymentsToAcquireBusinessesNetOfCashAcquired Businesses ${amount}`)),
      ),
    );
    expect(told.map(({ acquisitions }) => acquisitions?.value)).toEqual([5, 5]);
  });
});

describe('lines of cash flows in concepts of the filer', () => {
  const flows = (text: string) => faceCash(linesOf(text));

  it('count with known ones: dividends, equipment, depreciation', () => {
    const told = flows(`ProfitLoss Net income 100
      ownDepreciation Depreciation and amortization 30
      NetCashProvidedByUsedInOperatingActivities Net cash from operating activities 130
      PaymentsToAcquirePropertyPlantAndEquipment Purchases of equipment -20
      ownProperties Additions to real estate properties -15
      NetCashProvidedByUsedInInvestingActivities Net cash used in investing activities -35
      PaymentsOfDividendsPreferredStockAndPreferenceStock Preferred dividends -6
      ownDividends Cash paid for common stock dividends -44
      NetCashProvidedByUsedInFinancingActivities Net cash used in financing activities -50`);
    expect(said(told.depreciationAmortization)).toEqual([30, 'stated']);
    expect(said(told.capitalExpenditure)).toEqual([35, 'summed']);
    expect(said(told.dividendsPaid)).toEqual([50, 'summed']);
  });

  it('do not count as a payment if they are received', () => {
    const told = flows(`ownReceived Dividends received from affiliates 9
      PaymentsOfDividendsCommonStock Dividends paid -44`);
    expect(said(told.dividendsPaid)).toEqual([44, 'stated']);
  });

  it('leave flows open that may be of operations that ended, and add those that are', () => {
    const ofLabel = (label: string) =>
      flows(`NetCashProvidedByUsedInOperatingActivitiesContinuingOperations Continuing 818
      ownFlow ${label} 139`).operatingCashFlow;
    expect(ofLabel('Net cash provided by operating activities')?.value).toBeNull();
    expect(said(ofLabel('Cash from discontinued operating activities'))).toEqual([957, 'summed']);
  });

  it('leave a figure open of which they may be a part', () => {
    const told = flows(`ProfitLoss Net income 100
      NetCashProvidedByUsedInOperatingActivities Net cash from operating activities 130
      PaymentsToAcquireOtherPropertyPlantAndEquipment Other additions -4
      ownUtility Plant and equipment expenditures - utility -60
      ownPatents Acquired intellectual property of plants -5
      NetCashProvidedByUsedInInvestingActivities Net cash used in investing activities -69
      ProceedsFromIssuanceOfLongTermDebt Long-term debt issued 40
      ownCommercial Net change in short-term borrowings 7
      RepaymentsOfLongTermDebt Long-term debt repaid -20
      ownNewly Newly retired debt -3
      NetCashProvidedByUsedInFinancingActivities Net cash from financing activities 24`);
    expect(told.capitalExpenditure).toMatchObject({
      value: null,
      evidence: { reason: '"Plant and equipment expenditures - utility" may be a part of it' },
    });
    expect(told.debtRepaid?.value).toBeNull();
    expect(told.debtIssued?.value).toBe(40);
    // What is left of an issue after its costs is received; the words of a company's own line count.
    const parts = flows(`NetCashProvidedByUsedInOperatingActivities Net cash from operations 130
      PaymentsForCapitalImprovements Capital investments -15
      ownCoke Capital investments - coke plant -43
      NetCashProvidedByUsedInInvestingActivities Net cash used in investing activities -60
      ProceedsFromShortTermDebt Proceeds from borrowings 2
      ownNotes Issuance of notes, net of issuance costs 494
      ownPaper Proceeds from commercial paper, net 7
      NetCashProvidedByUsedInFinancingActivities Net cash from financing activities 24`);
    expect([parts.capitalExpenditure?.value, parts.debtIssued?.value]).toEqual([null, null]);
  });

  it('need no flows of operations that ended where those shown are the change in cash', () => {
    const proved =
      flows(`NetCashProvidedByUsedInOperatingActivitiesContinuingOperations Operating 2683
      NetCashProvidedByUsedInInvestingActivities Investing 1167
      NetCashProvidedByUsedInFinancingActivities Financing -112
      EffectOfExchangeRateOnCashAndCashEquivalents Exchange rates -276
      CashAndCashEquivalentsPeriodIncreaseDecrease Net increase in cash 3462`);
    expect(said(proved.operatingCashFlow)).toEqual([2683, 'proved']);
    const open =
      flows(`NetCashProvidedByUsedInOperatingActivitiesContinuingOperations Operating 2683
      NetCashProvidedByUsedInInvestingActivities Investing 1167
      NetCashProvidedByUsedInFinancingActivities Financing -112
      CashAndCashEquivalentsPeriodIncreaseDecrease Net increase in cash 3462`);
    expect(open.operatingCashFlow).toBeUndefined();
  });

  it('are all that was borrowed and repaid, not what was lent or is net', () => {
    const told =
      flows(`NetCashProvidedByUsedInInvestingActivities Net cash used in investing activities -70
      ProceedsFromIssuanceOfLongTermDebt Proceeds from issuance of long-term debt 40
      ownNotes Proceeds from issuance of senior notes 10
      ProceedsFromRepaymentsOfShortTermDebt Borrowings of short-term debt, net 5
      RepaymentsOfLongTermDebt Repayment of long-term debt -8
      RepaymentsOfShortTermDebt Retirement of short-term debt -30
      ownCosts Payments of debt issuance costs -1
      PaymentsForRepurchaseOfCommonStock Repurchase of common stock (Note 12) -6
      NetCashProvidedByUsedInFinancingActivities Net cash provided by financing activities 10`);
    expect(said(told.debtIssued)).toEqual([50, 'summed']);
    expect(said(told.debtRepaid)).toEqual([38, 'summed']);
  });

  it('hold debt with its leases, as of Verizon, but no leases alone, as of O’Reilly', () => {
    const repaidOf = (label: string) =>
      flows(`NetCashProvidedByUsedInInvestingActivities Net cash used in investing activities -70
        RepaymentsOfSecuredDebt Payments on asset-based debt -208
        RepaymentsOfLongTermDebtAndCapitalSecurities ${label} -2
        NetCashProvidedByUsedInFinancingActivities Net cash used in financing activities -210`)
        .debtRepaid?.value;
    expect(repaidOf('Repayments of long-term borrowings and capital lease obligations')).toBe(210);
    expect(repaidOf('Principal payments on capital leases')).toBe(208);
  });

  it('are open where several may be of it, and their section does not add up', () => {
    const told = flows(`RepaymentsOfLongTermDebt Repayment of long-term debt -8
      RepaymentsOfShortTermDebt Retirement of short-term debt -30
      NetCashProvidedByUsedInFinancingActivities Net cash used in financing activities -50`);
    expect(told.debtRepaid?.value).toBeNull();
  });

  it('take an acquisition that is shown below zero for paid, whatever its sign', () => {
    const told = flows('PaymentsToAcquireBusinessesNetOfCashAcquired Acquisitions -30');
    expect(said(told.acquisitions)).toEqual([30, 'stated']);
  });

  it('have depreciation above zero, whatever its tagged sign', () => {
    const told = flows('DepreciationDepletionAndAmortization Depreciation -30');
    expect(said(told.depreciationAmortization)).toEqual([30, 'stated']);
  });

  it.each<[string, number, lines: string]>([
    ['as of Intel', 1141, 'Depreciation Depreciation 1080\nown Amortization of intangibles 61'],
    [
      'whatever the concepts, as of JPMorgan',
      1198,
      'DepreciationAndAmortization Depreciation and amortization 955\nown Amortization of intangibles -243',
    ],
    [
      'without that of debt',
      30,
      'Depreciation Depreciation 20\nown Amortization 10\nownDebt Amortization of debt issuance costs 3',
    ],
    // One is the total of both.
    [
      'once',
      30,
      'DepreciationAndAmortization Depreciation and amortization 30\nown Amortization 12\nDepreciation Depreciation 18',
    ],
  ])('add lines of depreciation and of amortization %s', (_, expected, text) => {
    const end = 'NetCashProvidedByUsedInOperatingActivities Net cash provided by operations 5000';
    const told = flows(`NetIncomeLoss Net income 900\n${text}\n${end}`);
    expect(told.depreciationAmortization?.value).toBe(expected);
  });

  it('leave depreciation out of a sum with what may be another figure', () => {
    const end = 'NetCashProvidedByUsedInOperatingActivities Net cash provided by operations 5000';
    const told = flows(`Depreciation Depreciation 26\nown Amortization of intangibles 10
      ownCosts Amortization of prepublication costs 26\n${end}`);
    expect(told.depreciationAmortization).toBeUndefined();
  });
});

describe('owners of the profit', () => {
  const owners = (text: string) => {
    const { minorityIncome, netIncomeToCommon } = faceIncome(linesOf(text), {});
    return [minorityIncome?.value, netIncomeToCommon?.value];
  };

  it('have the signs and lines by which the statement leads to what each has', () => {
    const whole = 'ProfitLoss Net income 59';
    const part = 'Net income attributable to noncontrolling interests';
    expect(
      owners(`${whole}\nownPart Less: ${part} -13\nownProfit Net income of the company 46`),
    ).toEqual([13, undefined]);
    expect(
      owners(`NetIncomeLoss Net income before noncontrolling interests 84
        ownPart Preferred dividends of noncontrolling interests 5
        ProfitLoss Net income of the company 79`),
    ).toEqual([5, undefined]);
    expect(
      owners(`ProfitLoss Net income 177\nownDividends Dividends on preferred stock 13
        NetIncomeLoss Net income available for common stock 164`),
    ).toEqual([undefined, 164]);
    for (const label of [
      'Earnings attributable to AEP common shareholders',
      'Loss allocated to units',
    ]) {
      expect(owners(`ProfitLoss Net income 177\nownCommon ${label} 164`)).toEqual([undefined, 164]);
    }
  });
});
