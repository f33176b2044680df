/** Writes borrowings in the concepts that filers choose. */

import { type Filer, type Line, own, sum } from './filer.ts';

/** Labels of borrowings in concepts of filers. */
const OWN_LABELS = [
  ...[
    'Term loan, net',
    'Borrowings under credit facility',
    'Loan payable, net of deferred financing costs',
  ],
  ...[
    'Notes payable, net of discounts of $1,234',
    'Senior unsecured notes',
    '4.50% Notes due 2031',
  ],
  ...['Convertible debentures, net of unamortized discount', 'Bank indebtedness', 'PPP loan'],
  ...[
    'Exchangeable notes',
    'Surplus notes',
    'Promissory note - officer',
    'Revolving line of credit',
  ],
  ...[
    'Mortgages and notes payable, less current maturities',
    'Bonds payable',
    'Securitized debt of VIEs',
  ],
  ...['Asset-backed notes, net of issuance costs', 'Notes, net', 'Loan from shareholder'],
];

/** Labels that name borrowings, of lines that are none. */
const OTHER_LABELS = [
  ...[
    'Warrant liability',
    'Embedded conversion option of convertible notes',
    'Accrued interest on notes',
  ],
  ...['Deferred gain on debt exchange', 'Mortgage escrow funds', 'Interest on bonds payable'],
  ...['Exit fees on term loan', 'Interest rate swap on term loan', 'Surety bonds'],
  ...['Derivative liability of senior notes', 'Reserve for loan repurchases', 'Loan commitments'],
];

export interface Debts {
  current: Line[];
  noncurrent: Line[];
}

/** Borrowings in the concepts that filers choose. */
export function debtsOf(f: Filer): Debts {
  const current: Line[] = [];
  const noncurrent: Line[] = [];
  const style = f.pick([
    'plain',
    'plain',
    'parts',
    'own',
    'leases',
    'none',
    'note',
    'mixed',
    'related',
    'beside',
    'turned',
  ]);
  f.traits.push(`debt: ${style}`);
  const long = f.amount(400, 2400);
  const portion = f.amount(20, 190);
  const paper = f.amount(15, 140);
  if (style === 'plain') {
    current.push([
      'LongTermDebtCurrent',
      f.pick(['Current portion of long-term debt', 'Current maturities of long-term debt']),
      portion,
    ]);
    if (f.chance(0.4))
      current.push([
        f.pick(['ShortTermBorrowings', 'CommercialPaper']),
        'Short-term borrowings',
        paper,
      ]);
    noncurrent.push([
      'LongTermDebtNoncurrent',
      f.pick(['Long-term debt', 'Long-term debt, less current portion']),
      long,
    ]);
  } else if (style === 'parts') {
    current.push(['NotesPayableCurrent', 'Notes payable', paper]);
    current.push(['ConvertibleNotesPayableCurrent', 'Convertible notes, current', portion]);
    noncurrent.push(['SeniorLongTermNotes', 'Senior notes', long]);
    noncurrent.push(['LongTermLineOfCredit', 'Revolving credit facility', f.amount(60, 300)]);
  } else if (style === 'own') {
    noncurrent.push(['TermLoanFacilityNetOfIssuanceCosts', f.pick(OWN_LABELS), long, own]);
    current.push(['CurrentPortionOfTermLoan', 'Current portion of term loan', portion, own]);
  } else if (style === 'leases') {
    current.push([
      'LongTermDebtAndCapitalLeaseObligationsCurrent',
      'Current portion of long-term debt and finance leases',
      portion,
    ]);
    noncurrent.push([
      'LongTermDebtAndCapitalLeaseObligations',
      'Long-term debt and finance lease obligations',
      long,
    ]);
  } else if (style === 'note') {
    noncurrent.push(['LongTermDebtNoncurrent', 'Long-term debt', long]);
    f.note('LongTermDebtFairValue', Math.round((long / f.unit) * 1.04) * f.unit);
    f.note('DebtInstrumentFaceAmount', f.amount(100, 900));
  }
  if (style === 'mixed') {
    // What part is borrowed is unknown.
    current.push([
      'NotesPayableAndAccruedExpenses',
      'Notes payable and accrued expenses',
      portion,
      own,
    ]);
    noncurrent.push(['LongTermDebtNoncurrent', 'Long-term debt', long]);
  } else if (style === 'related') {
    current.push([
      'NotesPayableRelatedPartiesClassifiedCurrent',
      'Notes payable to related parties',
      portion,
    ]);
    noncurrent.push([
      'ConvertibleNotesNetOfDiscount',
      'Convertible notes, net of discount',
      long,
      own,
    ]);
  } else if (style === 'beside') {
    noncurrent.push(['LongTermDebtNoncurrent', 'Long-term debt, net', long]);
    current.push(['LongTermDebtCurrent', 'Current portion of long-term debt', portion]);
  } else if (style === 'turned') {
    noncurrent.push([
      f.pick(['LongTermDebtNoncurrent', 'LongTermNotesPayable']),
      'Long-term borrowings',
      long,
    ]);
    current.push([
      f.pick(['LinesOfCreditCurrent', 'BankOverdraftsAndLoans']),
      'Bank borrowings',
      paper,
    ]);
  }
  f.truth.totalDebt =
    style === 'none' || style === 'mixed'
      ? null
      : sum([...current, ...noncurrent].map(([, , value]) => value));
  if (style === 'beside') {
    // Lines that sound like borrowings, and are none.
    current.push(['CustomerDepositsCurrent', 'Customer deposits', f.amount(5, 60)]);
    noncurrent.push([
      'FinanceLeaseLiabilityNoncurrent',
      'Finance lease liabilities',
      f.amount(5, 60),
    ]);
    noncurrent.push(['OtherFinancialLiability', f.pick(OTHER_LABELS), f.amount(5, 60), own]);
    noncurrent.push([
      'DeferredGainOnDebtSwap',
      'Deferred gain on interest rate swaps',
      f.amount(5, 60),
      own,
    ]);
  }
  return { current, noncurrent };
}
