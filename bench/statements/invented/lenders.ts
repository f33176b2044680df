/** Writes banks, insurers, landlords and makers with a captive lender. */

import { type Filer, type Line, own } from './filer.ts';
import { writeFlows } from './flows.ts';
import { writeProfit, writeTaxes } from './income.ts';
import { tradeAssets, writeBalance } from './sheets.ts';

export function writeBank(f: Filer): void {
  const earned = f.amount(900, 1800);
  const paid = f.amount(100, 500);
  const net = earned - paid;
  const style = f.pick(['total', 'lines', 'revenues']);
  f.traits.push(`bank: ${style}`);
  f.add('IS', [
    'InterestAndFeeIncomeLoansAndLeases',
    'Interest and fees on loans',
    Math.round((earned / f.unit) * 0.9) * f.unit,
  ]);
  f.add('IS', [
    'InterestIncomeSecuritiesTaxable',
    'Interest on securities',
    earned - Math.round((earned / f.unit) * 0.9) * f.unit,
  ]);
  f.add('IS', ['InterestAndDividendIncomeOperating', 'Total interest income', earned]);
  f.add('IS', [
    'InterestExpenseDeposits',
    'Interest on deposits',
    Math.round((paid / f.unit) * 0.7) * f.unit,
  ]);
  f.add('IS', [
    'InterestExpenseLongTermDebt',
    'Interest on borrowings',
    paid - Math.round((paid / f.unit) * 0.7) * f.unit,
  ]);
  f.add('IS', ['InterestExpense', 'Total interest expense', paid]);
  f.add('IS', ['InterestIncomeExpenseNet', 'Net interest income', net]);
  const provision = f.amount(10, 90);
  f.add('IS', [
    f.pick(['ProvisionForLoanAndLeaseLosses', 'ProvisionForLoanLeaseAndOtherLosses']),
    'Provision for credit losses',
    provision,
  ]);
  f.add('IS', [
    'InterestIncomeExpenseAfterProvisionForLoanLoss',
    'Net interest income after provision for credit losses',
    net - provision,
  ]);
  const fees = f.amount(50, 250);
  const gains = f.amount(2, 30);
  f.add('IS', [
    'RevenueFromContractWithCustomerIncludingAssessedTax',
    'Service charges and fees',
    fees,
  ]);
  f.add('IS', ['GainsOnSalesOfLoansAndOther', 'Gains on sales of loans', gains, own]);
  f.add('IS', ['NoninterestIncome', 'Total noninterest income', fees + gains]);
  f.truth.revenue = net + fees + gains;
  f.truth.interestExpense = paid;
  if (style === 'revenues') f.note('Revenues', net + fees + gains, 4);
  const people = f.amount(100, 300);
  const rooms = f.amount(20, 90);
  f.add('IS', ['LaborAndRelatedExpense', 'Salaries and employee benefits', people]);
  f.add('IS', ['OccupancyNet', 'Occupancy', rooms]);
  f.add('IS', ['NoninterestExpense', 'Total noninterest expense', people + rooms]);
  f.truth.costOfRevenue = null;
  f.truth.grossProfit = null;
  f.truth.operatingIncome = null;
  writeProfit(f, writeTaxes(f, net - provision + fees + gains - people - rooms));
  // Deposits and repurchase agreements are no borrowings here.
  const advances = f.amount(50, 400);
  const subordinated = f.amount(20, 150);
  const noncurrent: Line[] = [
    [
      f.pick(['AdvancesFromFederalHomeLoanBanks', 'FederalHomeLoanBankAdvancesLongTerm']),
      'Federal Home Loan Bank advances',
      advances,
    ],
    [f.pick(['SubordinatedDebt', 'SubordinatedLongTermDebt']), 'Subordinated notes', subordinated],
  ];
  f.truth.totalDebt = advances + subordinated;
  const deposits: Line[] = [
    ['Deposits', 'Total deposits', f.amount(900, 3000)],
    [
      'SecuritiesSoldUnderAgreementsToRepurchase',
      'Securities sold under agreements to repurchase',
      f.amount(10, 90),
    ],
  ];
  const assets: Line[] = [
    [
      'AvailableForSaleSecuritiesDebtSecurities',
      'Securities available for sale',
      f.amount(300, 900),
    ],
    ['LoansAndLeasesReceivableNetReportedAmount', 'Loans, net', f.amount(3000, 6000)],
  ];
  writeBalance(f, false, assets, deposits, { current: [], noncurrent });
  writeFlows(f);
}

export function writeInsurer(f: Filer): void {
  const premiums = f.amount(1500, 4000);
  const invested = f.amount(100, 500);
  const gains = f.amount(5, 80) * f.pick([-1, 1]);
  const fees = f.amount(10, 90);
  const revenue = premiums + invested + gains + fees;
  f.add('IS', ['PremiumsEarnedNet', 'Net premiums earned', premiums]);
  f.add('IS', ['NetInvestmentIncome', 'Net investment income', invested]);
  f.add('IS', [
    f.pick(['RealizedInvestmentGainsLosses', 'GainLossOnInvestments']),
    'Net realized investment gains (losses)',
    gains,
  ]);
  f.add('IS', ['FeesAndOtherRevenue', 'Fees and other income', fees, own]);
  const isShown = !f.trait('no total of revenue', 0.15);
  if (isShown)
    f.add('IS', [
      f.pick(['Revenues', 'Revenues', 'RevenuesTotalOfCompany']),
      'Total revenues',
      revenue,
      {},
    ]);
  f.truth.revenue = revenue;
  const claims = f.amount(800, 1200);
  const costs = f.amount(200, 300);
  f.add('IS', [
    'PolicyholderBenefitsAndClaimsIncurredNet',
    'Losses and loss adjustment expenses',
    claims,
  ]);
  f.add('IS', ['OtherUnderwritingExpense', 'Underwriting and other expenses', costs]);
  f.add('IS', ['BenefitsLossesAndExpenses', 'Total expenses', claims + costs]);
  f.truth.costOfRevenue = null;
  f.truth.grossProfit = null;
  f.truth.operatingIncome = null;
  writeProfit(f, writeTaxes(f, revenue - claims - costs));
  const reserves: Line[] = [
    ['LiabilityForClaimsAndClaimsAdjustmentExpense', 'Loss reserves', f.amount(500, 1500)],
    ['UnearnedPremiums', 'Unearned premiums', f.amount(100, 500)],
  ];
  const senior = f.amount(50, 400);
  f.truth.totalDebt = senior;
  writeBalance(
    f,
    false,
    [['AvailableForSaleSecuritiesDebtSecurities', 'Fixed maturities', f.amount(1000, 3000)]],
    reserves,
    {
      current: [],
      noncurrent: [
        [
          f.pick([
            'SeniorNotes',
            'LongTermDebt',
            'NotesPayable',
            'DebtLongtermAndShorttermCombinedAmount',
          ]),
          'Debt',
          senior,
        ],
      ],
    },
  );
  writeFlows(f);
}

export function writeReit(f: Filer): void {
  const rent = f.amount(500, 1500);
  const other = f.amount(10, 80);
  const revenue = rent + other;
  f.truth.revenue = revenue;
  f.add('IS', [
    f.pick([
      'OperatingLeaseLeaseIncome',
      'OperatingLeasesIncomeStatementLeaseRevenue',
      'LeaseIncome',
    ]),
    'Rental revenue',
    rent,
  ]);
  f.add('IS', [
    f.pick(['RevenueFromContractWithCustomerExcludingAssessedTax', 'RealEstateRevenueOther']),
    'Management fees and other',
    other,
  ]);
  f.add('IS', [f.pick(['Revenues', 'RealEstateRevenueNet']), 'Total revenues', revenue]);
  const running = f.amount(100, 250);
  const worn = f.amount(100, 200);
  const general = f.amount(10, 60);
  f.add('IS', [
    'DirectCostsOfLeasedAndRentedPropertyOrEquipment',
    'Property operating expenses',
    running,
  ]);
  f.depreciation = ['DepreciationDepletionAndAmortization', 'Depreciation and amortization', worn];
  f.add('IS', f.depreciation);
  f.add('IS', ['GeneralAndAdministrativeExpense', 'General and administrative', general]);
  f.add('IS', ['CostsAndExpenses', 'Total expenses', running + worn + general]);
  f.truth.costOfRevenue = null;
  f.truth.grossProfit = null;
  const operating = revenue - running - worn - general;
  const shows = f.chance(0.5);
  if (shows) f.add('IS', ['OperatingIncomeLoss', 'Operating income', operating]);
  f.truth.operatingIncome = shows ? operating : null;
  const interest = f.amount(30, 120);
  f.add('IS', ['InterestExpense', 'Interest expense', interest]);
  writeProfit(f, operating - interest);
  const mortgage = f.amount(300, 1200);
  const notes = f.amount(200, 900);
  const revolver = f.amount(20, 200);
  f.truth.totalDebt = mortgage + notes + revolver;
  const noncurrent: Line[] = [
    [
      f.pick(['SecuredDebt', 'NotesPayable', 'MortgageLoansPayableNet']),
      'Mortgage notes payable, net',
      mortgage,
      {},
    ],
    [f.pick(['UnsecuredDebt', 'SeniorNotes']), 'Unsecured senior notes, net', notes],
    ['LineOfCredit', 'Unsecured revolving credit facility', revolver],
  ];
  writeBalance(f, false, [], [], { current: [], noncurrent });
  writeFlows(f);
}

export function writeCaptive(f: Filer): void {
  const goods = f.amount(3000, 8000);
  const finance = f.amount(200, 700);
  const revenue = goods + finance;
  f.truth.revenue = revenue;
  f.add('IS', [
    f.pick([
      'RevenueFromContractWithCustomerExcludingAssessedTax',
      'SalesRevenueGoodsNet',
      'SalesOfMachinery',
    ]),
    'Sales of machinery',
    goods,
    {},
  ]);
  f.add('IS', [
    f.pick(['FinancialServicesRevenue', 'FinancialServicesRevenue', 'RevenuesOfFinancialProducts']),
    'Revenues of financial products',
    finance,
    {},
  ]);
  f.add('IS', ['Revenues', 'Total sales and revenues', revenue]);
  const cost = f.amount(1500, 2500);
  const lent = f.amount(50, 150);
  const sga = f.amount(100, 300);
  f.add('IS', ['CostOfGoodsAndServicesSold', 'Cost of goods sold', cost]);
  f.add('IS', [
    'SellingGeneralAndAdministrativeExpense',
    'Selling, general and administrative expenses',
    sga,
  ]);
  f.add('IS', ['FinancingInterestExpense', 'Interest expense of financial products', lent]);
  f.add('IS', ['CostsAndExpenses', 'Total operating costs', cost + lent + sga]);
  const operating = revenue - cost - lent - sga;
  f.add('IS', ['OperatingIncomeLoss', 'Operating profit', operating]);
  f.truth.operatingIncome = operating;
  // The cost of goods is not that of the finance revenue: either reading is a definition.
  delete f.truth.costOfRevenue;
  delete f.truth.grossProfit;
  const interest = f.amount(30, 120);
  f.add('IS', [
    'InterestExpenseNonoperating',
    'Interest expense excluding financial products',
    interest,
  ]);
  writeProfit(f, writeTaxes(f, operating - interest));
  const shortMachine = f.amount(20, 120);
  const shortFinance = f.amount(100, 400);
  const longMachine = f.amount(200, 900);
  const longFinance = f.amount(400, 1500);
  f.truth.totalDebt = shortMachine + shortFinance + longMachine + longFinance;
  writeBalance(f, true, tradeAssets(f), [], {
    current: [
      ['ShortTermBorrowingsMachinery', 'Short-term borrowings: Machinery', shortMachine, own],
      [
        'ShortTermBorrowingsFinancialProducts',
        'Short-term borrowings: Financial products',
        shortFinance,
        own,
      ],
    ],
    noncurrent: [
      ['LongTermDebtMachinery', 'Long-term debt due after one year: Machinery', longMachine, own],
      [
        'LongTermDebtFinancialProducts',
        'Long-term debt due after one year: Financial products',
        longFinance,
        own,
      ],
    ],
  });
  writeFlows(f);
}
