/**
 * Total debt from lines that stand side by side: totals, their parts and amounts of notes. The first
 * concept of a list used to count alone, and showed 797 million for 11,439.
 */

import { describe, expect, it } from 'vitest';
import { knownDebt, totalDebt } from '../../../../../src/ingest/vendors/sec/facts/debt.ts';

const gaap = (lines: Record<string, number>) =>
  Object.fromEntries(Object.entries(lines).map(([name, amount]) => [`us-gaap:${name}`, amount]));

const debtOf = (lines: Record<string, number>) => totalDebt(gaap(lines));

describe('total debt', () => {
  it('adds what is due soon to what is due late', () => {
    const lines = { LongTermDebtNoncurrent: 300, LongTermDebtCurrent: 50, ShortTermBorrowings: 40 };
    expect(debtOf(lines)).toBe(390);
    expect(debtOf({ ...lines, DebtCurrent: 90 })).toBe(390);
    expect(debtOf({ LongTermDebt: 350, ShortTermBorrowings: 40 })).toBe(390);
    expect(debtOf({ LongTermDebt: 350, DebtCurrent: 40 })).toBe(390);
    expect(debtOf({ LongTermDebtNoncurrent: 300, LongTermDebt: 350 })).toBe(350);
    expect(debtOf({ ShortTermBorrowings: 4 })).toBe(4);
    expect(debtOf({ LongTermDebtNoncurrent: 30 })).toBe(30);
  });

  it('adds lines of different kinds that no total covers', () => {
    expect(debtOf({ ConvertibleLongTermNotesPayable: 150, LongTermNotesPayable: 100 })).toBe(250);
    expect(debtOf({ LongTermDebtCurrent: 75, OtherLongTermDebtNoncurrent: 380 })).toBe(455);
    expect(debtOf({ OtherShortTermBorrowings: 797, UnsecuredLongTermDebt: 10_642 })).toBe(11_439);
    expect(debtOf({ SecuredDebt: 300, SeniorNotes: 400, LineOfCredit: 110 })).toBe(810);
    expect(
      debtOf({
        ShortTermBorrowings: 87,
        AdvancesFromFederalHomeLoanBanks: 258,
        SubordinatedDebt: 78,
        JuniorSubordinatedDebentureOwedToUnconsolidatedSubsidiaryTrust: 51,
      }),
    ).toBe(474);
    expect(
      debtOf({ CommercialPaper: 20, OtherShortTermBorrowings: 10, LongTermDebtNoncurrent: 200 }),
    ).toBe(230);
  });

  it.each<[string, Record<string, number>, number]>([
    [
      'trusts',
      {
        SeniorLongTermNotes: 300,
        JuniorSubordinatedDebentureOwedToUnconsolidatedSubsidiaryTrustNoncurrent: 50,
      },
      350,
    ],
    ['pollution control', { LongTermPollutionControlBond: 80, SeniorLongTermNotes: 400 }, 480],
    ['banks', { NotesPayableToBankCurrent: 30, NotesPayableToBankNoncurrent: 100 }, 130],
    ['other notes', { OtherNotesPayableCurrent: 40, OtherLongTermNotesPayable: 100 }, 140],
    ['other loans', { OtherLoansPayableCurrent: 10, OtherLoansPayableLongTerm: 250 }, 260],
    ['buildings', { LongTermConstructionLoanCurrent: 30, ConstructionLoanNoncurrent: 150 }, 180],
    ['warehouses', { WarehouseAgreementBorrowings: 310, LongTermDebtNoncurrent: 100 }, 410],
  ])('adds lines of debt for %s', (_, lines, debt) => {
    expect(debtOf(lines)).toBe(debt);
  });

  it('takes debt with leases before debt without them', () => {
    const lines = { LongTermDebtNoncurrent: 3889, LongTermDebtAndCapitalLeaseObligations: 4369 };
    expect(debtOf({ ...lines, LongTermDebtCurrent: 1009 })).toBe(5378);
  });

  it('is unknown where only current debt is given, which holds a portion of other debt', () => {
    expect(debtOf({ DebtCurrent: 101 })).toBeNull();
    expect(debtOf({ DebtCurrent: 0 })).toBe(0);
  });

  it('takes the lines before the total of a note, which is rounded or without discounts', () => {
    const lines = { DebtCurrent: 4545, LongTermDebtNoncurrent: 72_359 };
    expect(debtOf({ ...lines, DebtLongtermAndShorttermCombinedAmount: 76_180 })).toBe(76_904);
    expect(debtOf({ LongTermDebtNoncurrent: 4939, LongTermDebt: 5000 })).toBe(4939);
    expect(
      debtOf({ LongTermDebtNoncurrent: 300, DebtLongtermAndShorttermCombinedAmount: 345 }),
    ).toBe(345);
    expect(debtOf({ DebtAndCapitalLeaseObligations: 39 })).toBe(39);
  });

  it('counts a line once that has two names, and parts of a total not at all', () => {
    const current = { LongTermDebtCurrent: 63_166, ShortTermBorrowings: 63_200 };
    expect(debtOf({ LongTermDebtNoncurrent: 4_484_800, ...current })).toBe(4_548_000);
    // Short-term debt of nearly the same amount may hold the portion, or not.
    const near = { LongTermDebtCurrent: 5059, ShortTermBorrowings: 5089 };
    expect(debtOf({ LongTermDebtNoncurrent: 49_884, ...near })).toBeNull();
    const repeated = { LongTermDebtAndCapitalLeaseObligationsCurrent: 12_227, DebtCurrent: 2787 };
    expect(debtOf({ LongTermDebtAndCapitalLeaseObligations: 12_227, ...repeated })).toBe(15_014);
    const dated = { LongTermNotesPayable: 13_524, DebtCurrent: 2950 };
    expect(debtOf({ ...dated, UnsecuredDebt: 16_500 })).toBe(16_474);
    expect(debtOf({ NotesPayable: 900, SeniorNotes: 500, SecuredDebt: 400 })).toBe(900);
    expect(debtOf({ ShortTermBorrowings: 500, CommercialPaper: 400 })).toBe(500);
    expect(
      debtOf({ LongTermDebtNoncurrent: 600, SeniorLongTermNotes: 500, SecuredLongTermDebt: 95 }),
    ).toBe(600);
  });

  it('adds a part that is greater than the total beside it', () => {
    expect(debtOf({ LongTermDebtNoncurrent: 10, ConvertibleDebtNoncurrent: 140 })).toBe(150);
    expect(debtOf({ ShortTermBankLoansAndNotesPayable: 44, CommercialPaper: 1248 })).toBe(1292);
  });

  it('places a part by a total of the notes, and is unknown without one', () => {
    const lines = { LongTermDebtNoncurrent: 700, ConvertibleDebtNoncurrent: 200 };
    expect(debtOf({ ...lines, LongTermDebtCurrent: 50, LongTermDebt: 750 })).toBe(750);
    expect(debtOf({ ...lines, LongTermDebt: 900 })).toBe(900);
    // The same line under another name proves nothing.
    expect(debtOf({ ...lines, LongTermDebt: 700 })).toBeNull();
    expect(debtOf(lines)).toBeNull();
    expect(debtOf({ LongTermDebt: 3191, ConvertibleDebt: 95 })).toBeNull();
    expect(debtOf({ LongTermDebtCurrent: 456, ConvertibleDebtCurrent: 299 })).toBeNull();
    expect(
      debtOf({
        CommercialPaper: 316,
        LongTermDebtAndCapitalLeaseObligationsCurrent: 4582,
        LongTermDebtAndCapitalLeaseObligations: 48_485,
        OtherLongTermDebtNoncurrent: 315,
        DebtAndCapitalLeaseObligations: 53_067,
      }),
    ).toBe(53_383);
  });

  it('is unknown where a line is known that cannot be placed, or the rest of one is missing', () => {
    expect(debtOf({})).toBeNull();
    expect(debtOf({ LongTermDebtCurrent: 75 })).toBeNull();
    expect(debtOf({ LongTermDebt: 42, LongTermDebtCurrent: 13 })).toBeNull();
    expect(debtOf({ SeniorNotes: 400, SeniorNotesCurrent: 50 })).toBeNull();
    const affiliate = { NotesPayableRelatedPartiesNoncurrent: 27 };
    expect(debtOf({ LongTermDebtNoncurrent: 60, ...affiliate })).toBeNull();
    expect(debtOf(affiliate)).toBe(27);
  });

  it('reads the lines of IFRS', () => {
    expect(totalDebt({ 'ifrs-full:Borrowings': 39 })).toBe(39);
    expect(
      totalDebt({ 'ifrs-full:LongtermBorrowings': 30, 'ifrs-full:ShorttermBorrowings': 9 }),
    ).toBe(39);
  });

  it('keeps what a later filing does not show', () => {
    const first = knownDebt(
      undefined,
      gaap({ LongTermDebtNoncurrent: 30, LongTermDebtCurrent: 5 }),
    );
    const later = (lines: Record<string, number>) => knownDebt(first, gaap(lines)).amount;
    expect(first.amount).toBe(35);
    expect(later({ LongTermDebtNoncurrent: 30 })).toBe(35);
    expect(later({ SeniorLongTermNotes: 20, OtherShortTermBorrowings: 3 })).toBe(35);
    // Restated.
    expect(later({ LongTermDebtNoncurrent: 28, LongTermDebtCurrent: 5 })).toBe(33);
    expect(later({ LongTermDebtNoncurrent: 30, LongTermDebtCurrent: 5, CommercialPaper: 4 })).toBe(
      39,
    );
  });
});
