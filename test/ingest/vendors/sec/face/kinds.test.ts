/** Figures that an accountant reads from invented statements, each of a kind that real ones have. */

import { describe, expect, it } from 'vitest';
import { faceBalance } from '../../../../../src/ingest/vendors/sec/face/balance.ts';
import { faceCash } from '../../../../../src/ingest/vendors/sec/face/cash.ts';
import type { FaceFigure } from '../../../../../src/ingest/vendors/sec/face/figure.ts';
import { faceIncome, type IncomeField } from '../../../../../src/ingest/vendors/sec/face/income.ts';
import { linesOf } from './support/shown-text.ts';

const PRETAX =
  'IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest';

const said = ({ value, evidence }: FaceFigure) => [value, evidence.verdict ?? evidence.reason];

const income = (text: string, field: IncomeField) => said(faceIncome(linesOf(text), {})[field]);

describe('revenue', () => {
  it('of an insurer is the total that the filer shows in a concept of its own', () => {
    const text = `PremiumsEarnedNet Premiums 80
      NetInvestmentIncome Net investment income 15
      OtherIncome Other revenues 5
      allRevenues Total revenues 100
      BenefitsLossesAndExpenses Total expenses 80`;
    expect(income(text, 'revenue')).toEqual([100, 'stated']);
  });

  it('of an insurer has its own lines of income where the result proves them', () => {
    const text = `PremiumsEarnedNet Premiums 80
      NetInvestmentIncome Net investment income 15
      feesAndOthers Fees and other income 5
      PolicyholderBenefitsAndClaimsIncurredNet Losses 50
      BenefitsLossesAndExpenses Total expenses 70`;
    expect(income(`${text}\n ${PRETAX} Income before taxes 30`, 'revenue')).toEqual([
      100,
      'proved',
    ]);
    const open = `${text}\n ${PRETAX} Income before taxes 34`;
    expect(income(open, 'revenue')).toEqual([
      null,
      'the lines of revenue have no total, and the result does not prove their sum',
    ]);
  });

  it('of a bank is not what is left after the provision, nor its other revenue alone', () => {
    const lines = `InterestIncomeExpenseNet Net interest income 180
      ProvisionForLoanLeaseAndOtherLosses Provision for loan losses 105
      NoninterestIncome Total noninterest income 248`;
    const adjusted = `${lines}
      Revenues Adjusted gross income after provision for loan losses 323`;
    expect(income(adjusted, 'revenue')).toEqual([428, 'summed']);
    const broker = `investmentBanking Investment banking 30
      totalOther Total non-interest revenues 113
      netInterest Net interest income 14
      netRevenues Net revenues, including net interest income 127
      NoninterestExpense Total operating expenses 76`;
    expect(income(broker, 'revenue')).toEqual([127, 'stated']);
  });

  it('of a utility is the total that costs and operating income prove, whatever its label', () => {
    const text = `ElectricUtilityRevenue Electric 2006
      GasDomesticRegulatedRevenue Natural gas 96
      CompetitiveEnergyRevenue Competitive businesses 656
      UtilityRevenue TOTAL 2758
      OperatingExpenses TOTAL 2282
      OperatingIncomeLoss OPERATING INCOME 476`;
    expect(income(text, 'revenue')).toEqual([2758, 'stated']);
  });

  it('of a bank is not its interest revenue', () => {
    const text = `InterestAndDividendIncomeOperating Interest revenue 883
      InterestExpense Interest expense 118
      InterestIncomeExpenseNet Net interest revenue 765
      NoninterestExpense Total noninterest expense 2460`;
    expect(income(text, 'revenue')).toEqual([null, 'the income statement shows no revenue']);
  });

  it('is the line of sales whatever its concept', () => {
    const text = `CoalProductsAndServicesRevenue Coal sales 711
      costOfCoal Cost of coal sales 550
      OperatingIncomeLoss Income from operations 32`;
    expect(income(text, 'revenue')).toEqual([711, 'stated']);
  });
});

describe('cost of revenue', () => {
  it('is not what it costs to win customers, whatever its concept', () => {
    const text = `SalesRevenueNet Total revenue 3057
      subscriberExpenses Subscriber-related expenses 1639
      CostOfGoodsAndServicesSold Total subscriber acquisition costs 412
      OperatingIncomeLoss Operating income 457`;
    expect(income(text, 'costOfRevenue')).toEqual([
      null,
      'the line that is tagged so is of winning customers',
    ]);
  });
});

describe('operating income', () => {
  const shoes = (other: number) => `Revenues Revenues 513
    CostOfGoodsAndServicesSold Cost of sales 285
    GrossProfit Gross profit 228
    MarketingAndAdvertisingExpense Demand creation expense 43
    overhead Operating overhead expense 122
    SellingGeneralAndAdministrativeExpense Total selling and administrative expense 165
    InterestIncomeExpenseNonoperatingNet Interest expense (income), net -2
    OtherNonoperatingIncomeExpense Other (income) expense, net ${other}
    ${PRETAX} Income before income taxes 68
    NetIncomeLoss NET INCOME 58`;

  it('is gross profit less the expenses of the business if the statement adds up', () => {
    expect(income(shoes(-3), 'operatingIncome')).toEqual([63, 'proved']);
    const none = [null, 'the income statement shows no line of it'];
    expect(income(shoes(-13), 'operatingIncome')).toEqual(none);
  });

  it('takes expenses that are among income beside the business', () => {
    const text = `Revenues Total revenue 619
      CostOfRevenue Total cost 276
      GrossProfit Gross profit 343
      SellingGeneralAndAdministrativeExpense Selling, general and administrative 190
      ResearchAndDevelopmentExpense Research, development and engineering 68
      custom Intellectual property and custom development income 9!
      OtherNonoperatingIncomeExpense Other (income) and expense 9!
      InterestExpense Interest expense 16
      allOther Total expense and other (income) 256
      ${PRETAX} Income before income taxes 87`;
    expect(income(text, 'operatingIncome')).toEqual([94, 'proved']);
  });

  it('is not guessed of a line of both kinds', () => {
    const text = shoes(-3).replace('Operating overhead expense', 'Restructuring and other');
    expect(income(text, 'operatingIncome')[0]).toBeNull();
  });

  it('is not income before taxes that is tagged so', () => {
    const text = `Revenues Total revenues 631
      BenefitsLossesAndExpenses Total benefits, losses and expenses 578
      OperatingIncomeLoss Income (loss) before income taxes 53
      NetIncomeLoss Net income 32`;
    expect(income(text, 'operatingIncome')).toEqual([
      null,
      'the line that is tagged so is income before or after taxes',
    ]);
    const beside = text.replace('Income (loss) before', 'Income before interest and');
    expect(income(beside, 'operatingIncome')).toEqual([53, 'stated']);
  });
});

describe('a line that is tagged as operating income', () => {
  it.each([
    ['Pretax income from continuing operations', 'is income before or after taxes'],
    ['Income (loss) from operations after income tax', 'is income before or after taxes'],
    ['Earnings before income taxes and noncontrolling interest', 'is income before or after taxes'],
    ['Income before gains and joint ventures', 'stands behind interest'],
  ])('is none: %s', (label, reason) => {
    const text = `Revenues Total revenues 100
      InterestExpense Interest expense 7
      OperatingIncomeLoss ${label} 20`;
    expect(income(text, 'operatingIncome')).toEqual([null, `the line that is tagged so ${reason}`]);
  });

  it.each(['Operating income', 'Income from railway operations'])('counts: %s', (label) => {
    const text = `Revenues Total revenues 100
      InterestExpense Financial services interest expense 7
      OperatingIncomeLoss ${label} 20`;
    expect(income(text, 'operatingIncome')).toEqual([20, 'stated']);
  });
});

describe('income before taxes', () => {
  it.each([
    ['Net income 24', 30],
    ['IncomeLossFromEquityMethodInvestments Income of affiliates 2\n ProfitLoss Net income 26', 30],
    ['Net income 19', null],
  ])('in a concept of the filer counts if the tax proves it: %s', (result, expected) => {
    const text = `Revenues Total revenues 100
      earningsBeforeTax Earnings before income taxes 30
      CurrentIncomeTaxExpenseBenefit Current 4
      IncomeTaxExpenseBenefit Total provision 6
      ${result.startsWith('Net') ? 'NetIncomeLoss ' : ''}${result}`;
    expect(income(text, 'pretaxIncome')[0]).toBe(expected);
  });
});

describe('revenue beside other income', () => {
  const SALES = `OilAndGasRevenue Sales and other operating revenues 60
    RevenueFromRelatedParties Sales to related parties 5
    RoyaltyRevenue Royalty interest gas sales 3`;
  const OTHERS = `IncomeLossFromEquityMethodInvestments Income from affiliates 8
    gain Net gain on disposals 4`;

  it.each([
    ['before it', `${SALES}\n${OTHERS}\nRevenues Total revenues and other income 80`],
    ['behind it', `Revenues Sales and other income 80\n${SALES}\n${OTHERS}`],
  ])('is the sum of the sales %s', (_, text) => {
    expect(income(`${text}\nCostsAndExpenses Total costs 50`, 'revenue')).toEqual([68, 'proved']);
  });

  it('is null where the total does not add up', () => {
    const text = `Revenues Sales and other income 81\n${SALES}\n${OTHERS}`;
    expect(income(text, 'revenue')).toEqual([null, 'the total of revenue has other income, too']);
  });
});

describe('cost of revenue', () => {
  const lessor = (
    rent: string,
    others = '',
  ) => `OperatingLeasesIncomeStatementLeaseRevenue Site rental 400
    SalesRevenueServicesNet Network services and other 40
    SalesRevenueNet Net revenues 440
    direct ${rent} 110
    CostOfServices Network services and other 25
    SellingGeneralAndAdministrativeExpense General and administrative 40${others}
    CostsAndExpenses Total operating expenses 175
    OperatingIncomeLoss Operating income 265`;

  it('is the sum of lines with the labels of those of revenue', () => {
    expect(income(lessor('Site rental'), 'costOfRevenue')).toEqual([135, 'summed']);
    expect(income(lessor('Site rental'), 'grossProfit')).toEqual([305, 'proved']);
  });

  const BESIDE = 'other lines show the cost of a part of revenue';

  it.each(['costOfRevenue', 'grossProfit'] as const)('of a part leaves no %s', (field) => {
    expect(income(lessor('Site rental and maintenance'), field)).toEqual([null, BESIDE]);
    const plan = `premiums Premiums and fees 450
      SalesRevenueGoodsNet Mail order pharmacy revenues 35
      Revenues Total revenues 485
      PolicyholderBenefitsAndClaimsIncurredHealthCare Medical claims 300
      CostOfGoodsSold Mail order pharmacy cost of goods sold 28
      BenefitsLossesAndExpenses Total benefits and expenses 450
      ${PRETAX} Income before taxes 35`;
    expect(income(plan, field)).toEqual([null, BESIDE]);
  });

  it('counts if little of it stands on other lines', () => {
    const text = `SalesRevenueNet Sales 1500
      cards Credit card revenues 45
      Revenues Total revenues 1545
      CostOfGoodsAndServicesSold Cost of sales 1040
      cardCosts Credit card expenses 28
      CostsAndExpenses Total costs 1068
      OperatingIncomeLoss Operating income 477`;
    expect(income(text, 'costOfRevenue')).toEqual([1040, 'stated']);
  });

  it('is the total of costs that stands before other expenses', () => {
    const text = `RevenueMineralSales Sales of ores 90
      NetOperatingRevenues Net operating revenues 90
      ores Cost of ores sold 40
      metals Cost of metals sold 12
      others Other 3
      DirectOperatingCosts Total costs 55
      SellingGeneralAndAdministrativeExpense Selling and administrative 10
      CostsAndExpenses Total costs and expenses 65
      OperatingIncomeLoss Operating income 25`;
    expect(income(text, 'costOfRevenue')).toEqual([55, 'stated']);
  });

  it('and gross profit are not read of net revenue that is tagged as gross profit', () => {
    const text = `Revenues Total revenues 557
      InterestExpenseTimeDeposits Interest expense on deposits 1
      GrossProfit Net revenues 556
      OperatingExpenses Total operating expenses 318
      OperatingIncomeLoss Net operating income 238`;
    const reason = 'the line that is tagged as gross profit is net revenue';
    expect(income(text, 'grossProfit')).toEqual([null, reason]);
    expect(income(text, 'costOfRevenue')).toEqual([null, reason]);
  });
});

describe('net income', () => {
  it('is the line behind the minorities, where concepts are the wrong way round', () => {
    const text = `Revenues Total revenue 1348
      NetIncomeLoss Net income before attribution of noncontrolling interests 836
      preferred Less: Dividends of subsidiaries attributable to noncontrolling interests 46
      ProfitLoss Example Inc. net income 790
      CostsAndExpenses Total costs 500`;
    expect(income(text, 'netIncome')).toEqual([790, 'stated']);
  });

  it.each([
    ['Net income attributable to noncontrolling interests -2', 20, 24],
    ['Net loss attributable to noncontrolling interests -2!', 24, 28],
  ])('is what leaves the income of common shares: %s', (minority, common, expected) => {
    const text = `Revenues Total revenues 105
      CostsAndExpenses Total expenses 79
      ProfitLoss Net income 26
      NetIncomeLossAttributableToNoncontrollingInterest ${minority}
      preferred Preferred distributions 4
      NetIncomeLossAvailableToCommonStockholdersBasic Net income attributable to common stockholders ${common}`;
    expect(income(text, 'netIncome')).toEqual([expected, 'proved']);
  });

  it('is not what preferred shares leave, which is tagged so', () => {
    const text = `Revenues Total revenues 689
      CostsAndExpenses Total costs 512
      ProfitLoss Net income 177
      preferred Dividends on preferred stock 13
      NetIncomeLoss Net income available for common stock 164`;
    expect(income(text, 'netIncome')).toEqual([177, 'stated']);
  });

  it.each(['NetIncomeLossAvailableToCommonStockholdersBasic', 'consolidatedProfit'])(
    'is the line of that name in the concept %s',
    (concept) => {
      const text = `Revenues Total revenues 689
        CostsAndExpenses Total costs 642
        ${PRETAX} Income before taxes 47
        ${concept} Net income 34`;
      expect(income(text, 'netIncome')).toEqual([34, 'stated']);
    },
  );
});

describe('a balance sheet', () => {
  const balance = (text: string, known: Record<string, number | null> = {}) =>
    faceBalance(linesOf(text), known);

  it('has the cash of its line, whatever its concept and what it includes', () => {
    const sheet = (cash: string) => `${cash} 31
      AccountsReceivableNetCurrent Receivables 60
      Assets Total assets 91`;
    for (const line of [
      'cash Cash and cash equivalents, including temporary investments of $25',
      'CashCashEquivalentsAndShortTermInvestments Cash and cash equivalents',
    ]) {
      expect(balance(sheet(line)).cash?.value).toBe(31);
    }
    const both = 'CashCashEquivalentsAndShortTermInvestments Cash and short-term investments';
    expect(balance(sheet(both)).cash).toBeUndefined();
  });

  it.each([
    ['Common equity', 64],
    ["Common stockholders' equity", 64],
    ['Common stock', undefined],
  ])('has the equity of a capitalization whose only line is %s', (label, equity) => {
    const text = `Assets Total assets 200
      CommonStockValue ${label} 64
      PreferredStockValue Preferred stock of subsidiary 3
      LongTermDebtNoncurrent Long-term debt 90
      capitalization Total capitalization 157
      LiabilitiesAndStockholdersEquity Total capitalization and liabilities 200`;
    expect(balance(text).totalEquity?.value).toBe(equity);
    expect(balance(text, { totalEquity: 70 }).totalEquity?.value).toBeUndefined();
  });

  it('has the cash of a bank that holds its cash and due from banks', () => {
    const text = `CashAndDueFromBanks Cash and due from banks 29
      funds Federal funds sold 5
      CashCashEquivalentsAndFederalFundsSold Cash and cash equivalents 34
      Assets Total assets 34`;
    expect(balance(text).cash?.value).toBe(34);
  });

  it('has borrowed funds without securities that were sold, and no other payables', () => {
    const bank = `Assets Total assets 100
      Deposits Total deposits 50
      sold Federal funds purchased and securities sold under agreements to repurchase 6
      OtherShortTermBorrowings Other short-term borrowings 4
      ShortTermBorrowings Total short-term borrowings 10
      LongTermDebt Long-term borrowings 20
      DebtAndCapitalLeaseObligations Total borrowed funds 30
      Liabilities Total liabilities 80
      StockholdersEquity Total equity 20
      LiabilitiesAndStockholdersEquity Total 100`;
    expect(balance(bank).totalDebt?.value).toBe(24);
    const maker = `Assets Total assets 100
      LongTermDebtNoncurrent Long-term debt 30
      OtherLoansPayableLongTerm Long-term other payables 20
      Liabilities Total liabilities 50
      StockholdersEquity Total equity 50
      LiabilitiesAndStockholdersEquity Total 100`;
    expect(said(balance(maker).totalDebt!)).toEqual([
      null,
      '"Long-term other payables" is tagged as borrowings, and its label names payables',
    ]);
  });

  const owed = `Assets Total assets 300
    current Current portion of long-term debt, financing and capital lease obligations 24
    AccountsPayableCurrent Accounts payable 56
    LiabilitiesCurrent Total current liabilities 80
    LongTermDebtAndCapitalLeaseObligations Long-term debt, financing and leases 120
    Liabilities Total liabilities 200`;

  it('has borrowings that stand beside leases in a line of the filer', () => {
    const text = `${owed}
      StockholdersEquity Total equity 100
      LiabilitiesAndStockholdersEquity Total 300`;
    expect(balance(text).totalDebt?.value).toBe(144);
  });

  it('has preferred shares that are due among its liabilities', () => {
    const text = `Assets Total assets 300
      DebtCurrent Loans payable 38
      PreferredStockValue Mandatory convertible preferred stock 2
      LiabilitiesCurrent Total current liabilities 40
      LongTermDebtNoncurrent Long-Term Debt 60
      CommonStockValue Common stock 250
      TreasuryStockValue Less treasury stock 50
      StockholdersEquity Total equity 200
      LiabilitiesAndStockholdersEquity Total 300`;
    expect(balance(text).totalDebt?.value).toBe(98);
  });

  it.each([
    [
      'a first line of the filer',
      'own Payables and others 60',
      'CommonStockValue Common stock 200',
    ],
    [
      'equity of the filer first',
      'AccountsPayableCurrent Payables 60',
      'ownUnits Restricted units 50\n CommonStockValue Common stock 150',
    ],
  ])('has its borrowings beside %s', (_, first, equity) => {
    const text = `Assets Total assets 300
      ${first}
      LongTermDebtNoncurrent Long-term debt 40
      ${equity}
      StockholdersEquity Total equity 200
      LiabilitiesAndStockholdersEquity Total 300`;
    expect(balance(text).totalDebt?.value).toBe(40);
  });

  it('has its borrowings where a liability names equity', () => {
    const text = `Assets Total assets 300
      DebtAndCapitalLeaseObligations Mortgages and other indebtedness 170
      ventures Cash distributions and losses in joint ventures, at equity 30
      Liabilities Total liabilities 200
      CommonStockValue Common stock 120
      TreasuryStockValue Treasury stock 20
      StockholdersEquity Total equity 100
      LiabilitiesAndStockholdersEquity Total 300`;
    expect(balance(text).totalDebt?.value).toBe(170);
  });

  it.each([
    [
      'a total of partners that holds the minorities above it',
      `partners Total partners' capital of the firm 93
      MinorityInterest Noncontrolling interests 7
      PartnersCapital Total Partners' Capital 100`,
      107,
      100,
    ],
    [
      'redeemable minorities above it, which are none',
      `MinorityInterest Redeemable noncontrolling interest 9
      RetainedEarningsAccumulatedDeficit Retained earnings 91
      StockholdersEquity Total stockholders' equity 91`,
      100,
      91,
    ],
    [
      'a total in a concept of the filer, with minorities',
      `PartnersCapital Total partners' capital 94
      partlyOwned Noncontrolling interests 6
      allCapital Total capital 100`,
      94,
      100,
    ],
    [
      'only a total in a concept of the filer',
      "ownEquity Total common shareholders' equity 100",
      null,
      100,
    ],
  ])('has the equity of all owners: %s', (_, equity, known, expected) => {
    const text = `${owed}
      ${equity}
      LiabilitiesAndStockholdersEquity Total liabilities and equity 300`;
    expect(balance(text, { totalEquity: known }).totalEquity?.value).toBe(expected);
  });
});

describe('cash flows', () => {
  const flows = (text: string) =>
    Object.values(faceCash(linesOf(text)))
      .slice(0, 3)
      .map((figure) => figure?.value);

  it('have the sign that the statement shows if only so they are the change in cash', () => {
    const text = `NetCashProvidedByUsedInOperatingActivities Net cash from operations 100
      NetCashProvidedByUsedInInvestingActivities Net cash used in investing 60!
      NetCashProvidedByUsedInFinancingActivities Net cash used in financing 30!
      CashAndCashEquivalentsPeriodIncreaseDecrease Change in cash 10`;
    expect(flows(text)).toEqual([100, -60, -30]);
  });

  it('have totals in concepts of the filer, and none of parts', () => {
    const text = `flow Net cash provided by operating activities 100
      invested Net cash used in investing activities -60
      part Net cash used in financing activities of continuing operations -30
      CashAndCashEquivalentsPeriodIncreaseDecrease Change in cash 10`;
    const { operatingCashFlow, investingCashFlow, financingCashFlow } = faceCash(linesOf(text));
    const values = [operatingCashFlow?.value, investingCashFlow?.value];
    expect([...values, financingCashFlow]).toEqual([100, -60, undefined]);
  });
});

describe('borrowings in concepts of the filer', () => {
  const debt = (label: string) => {
    const lines = linesOf(`CashAndCashEquivalentsAtCarryingValue Cash 100
      Assets Total assets 100
      someLine ${label} 30
      AccountsPayableCurrent Accounts payable 10
      Liabilities Total liabilities 40
      StockholdersEquity Total equity 60
      LiabilitiesAndStockholdersEquity Total liabilities and equity 100`);
    return faceBalance(lines, {}).totalDebt!.value;
  };

  it.each([
    'Term loan, net of deferred financing costs',
    'Convertible notes, net of unamortized discount',
    'Notes payable, net of $4 discount',
    'Bank indebtedness',
    '4.50% Notes due 2031',
    'Surplus notes',
    'Asset-backed notes, net of issuance costs',
    'Notes payable - insurance premium financing',
    'Short-term notes payable - accounts receivable agreement',
  ])('count: %s', (label) => {
    expect(debt(label)).toBe(30);
  });

  it.each([
    'Embedded conversion option of convertible notes',
    'Mortgage escrow funds',
    'Interest on bonds payable',
    'Exit fees on term loan',
    'Interest rate swap on term loan',
    'Surety bonds',
  ])('are not: %s', (label) => {
    expect(debt(label)).toBeNull();
  });

  const owed = (lines: string, debt: number) =>
    faceBalance(
      linesOf(`Assets Total assets 100
      AccountsPayableCurrent Accounts payable 10
      ${lines}
      Liabilities Total liabilities ${10 + debt}
      StockholdersEquity Total equity ${90 - debt}
      LiabilitiesAndStockholdersEquity Total liabilities and equity 100`),
      {},
    ).totalDebt;

  it('are the total of them, whatever its parts are called', () => {
    const parts = `ownNotes Senior notes 20
      ownOther Other 5
      ownTotal Total long-term debt 25`;
    expect(owed(parts, 25)?.value).toBe(25);
  });

  it('are open beside obligations that may be debt', () => {
    const some = `DebtCurrent Current maturities of long-term obligations 5
      ownObligations Long-term obligations 25`;
    expect(owed(some, 30)).toMatchObject({
      value: null,
      evidence: { reason: '"Long-term obligations" holds borrowings beside other liabilities' },
    });
    const others = `DebtCurrent Short-term debt 5
      ownObligations Other long-term obligations 25`;
    expect(owed(others, 30)?.value).toBe(5);
  });
});

describe('a balance sheet', () => {
  const SHEET = `Assets Total assets 100
    AccountsPayableCurrent Accounts payable 40
    redeemableSeriesB Redeemable convertible preferred stock 15
    StockholdersEquity Total equity 45
    LiabilitiesAndStockholdersEquity Total liabilities and equity 100`;

  it('has redeemable shares in a concept of the filer between liabilities and equity', () => {
    const known = { totalAssets: 100, totalEquity: 45, totalLiabilities: 55 };
    const { totalLiabilities, temporaryEquity } = faceBalance(linesOf(SHEET), known);
    expect([totalLiabilities, temporaryEquity].map((one) => said(one!))).toEqual([
      [40, 'proved'],
      [15, 'proved'],
    ]);
  });

  const SIDES = `Assets Total assets 100
    Liabilities Total liabilities 60`;
  it.each([
    ['preferredOfSubsidiary Preferred stock of a subsidiary 7', 7],
    [
      `limitedPartners Preferred interest of limited partners 4
      PreferredStockValue Series I perpetual preferred stock 3`,
      7,
    ],
    ['OtherInterests Interests of others 2', undefined],
  ])(
    'has lines between liabilities and equity if they are all that is left: %s',
    (lines, found) => {
      const text = `${SIDES}
      ${lines}
      CommonStockValue Common stock 33
      StockholdersEquity Total stockholders' equity 33`;
      const known = { totalAssets: 100, totalEquity: 33, totalLiabilities: 60 };
      expect(faceBalance(linesOf(text), known).temporaryEquity?.value).toBe(found);
    },
  );

  it('has liabilities that are the rest of assets, less all equity that it shows', () => {
    const text = `Assets Total assets 100
      AccountsPayableCurrent Accounts payable 60
      PartnersCapital Partners' equity 30
      minorities Noncontrolling interest 10
      wholeEquity Total equity 40`;
    const known = { totalAssets: 100, totalEquity: 30, totalLiabilities: 70 };
    const { totalLiabilities, totalEquity } = faceBalance(linesOf(text), known);
    expect([totalLiabilities?.value, totalEquity?.value]).toEqual([60, 40]);
  });
});

describe('equity of the parent in a concept of the filer', () => {
  const equity = (minorities: string) =>
    faceBalance(
      linesOf(`Assets Total assets 100
      AccountsPayableCurrent Accounts payable 45
      ownEquity Total Acme shareholders' equity 50
      ${minorities}LiabilitiesAndStockholdersEquity Total liabilities, noncontrolling interests and equity 100`),
      { totalEquity: null },
    ).totalEquity?.value;

  it('is not all of it if minorities stand behind it', () => {
    expect(equity('ownMinorities Noncontrolling interests 5\n')).toBe(55);
    expect(equity('')).toBe(50);
  });
});
