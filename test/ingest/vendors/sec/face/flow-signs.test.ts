/**
 * Signs and parts in statements of cash flows. Found by comparing all 17 figures of 493 real
 * statements with their lines: Eli Lilly's compensation in shares was -66 m for 66, General
 * Electric's taxes -2,535 m for 2,535, and CA's capital expenditure was what it paid for companies.
 */

import { describe, expect, it } from 'vitest';
import { faceCash } from '../../../../../src/ingest/vendors/sec/face/cash.ts';
import { linesOf } from './support/shown-text.ts';

function figure(field: string, text: string) {
  const found = faceCash(linesOf(text))[field];
  return found && [found.value, found.evidence.reason ?? found.evidence.verdict];
}

const bothOf = (label: string) => [null, `"${label}" is what was received less what was paid`];
const partOf = (label: string) => [null, `"${label}" may be a part of it`];

describe('taxes paid', () => {
  const taxes = (interest: string, line: string) =>
    figure('taxesPaid', `${interest}\nIncomeTaxesPaidNet ${line}`);

  it('are below zero only for refunds', () => {
    const paid = 'InterestPaid Cash paid for interest 40';
    expect(taxes(paid, 'Income taxes paid (refunded) -9')).toEqual([-9, 'stated']);
    expect(taxes(paid, 'Income taxes paid, net of refunds -9!')).toEqual([9, 'stated']);
  });

  it('are above zero in a statement that shows payments of interest below it', () => {
    const net = 'InterestPaidNet Interest, net of amounts capitalized -40';
    const own = 'ownInterest Interest on debt -40';
    for (const interest of ['InterestPaid Interest paid -40', own, net]) {
      expect(taxes(interest, 'Income taxes paid -9')).toEqual([9, 'stated']);
      expect(taxes(interest, 'Income taxes 9')).toEqual([-9, 'stated']);
    }
    const other = 'PaymentsToMinorityShareholders Paid to non-controlling interest -40';
    expect(taxes(other, 'Income taxes paid 9')).toEqual([9, 'stated']);
    expect(taxes('ownPart Interest capitalized -4', 'Income taxes paid 9')).toEqual([9, 'stated']);
  });
});

it('amounts that are added back or received have the sign that is shown', () => {
  expect(figure('stockCompensation', 'ShareBasedCompensation Share-based awards -66!')).toEqual([
    66,
    'stated',
  ]);
  const flows = 'NetCashProvidedByUsedInInvestingActivities Investing -5';
  const shares = (line: string) =>
    figure(
      'shareIssuance',
      `${flows}\n ProceedsFromStockOptionsExercised ${line}
       NetCashProvidedByUsedInFinancingActivities Financing 8`,
    );
  expect(shares('Proceeds from stock options -8!')).toEqual([8, 'stated']);
  const net = 'Net payments from employee stock plans';
  expect(shares(`${net} -8`)).toEqual(bothOf(net));
});

it.each([
  ['debtRepaid', 'RepaymentsOfNotesPayable', 'Change in notes payable, net', '-8'],
  ['debtRepaid', 'RepaymentsOfLinesOfCredit', 'Net borrowings under the facility', '-8'],
  ['debtIssued', 'ProceedsFromIssuanceOfLongTermDebt', 'Borrowings (repayments) of debt, net', '8'],
  ['debtIssued', 'ProceedsFromLongTermLinesOfCredit', '(Payments of) proceeds from loans', '-8'],
])('%s is not the line "%3$s"', (field, concept, label, amount) => {
  const lines = (one: string) => `NetCashProvidedByUsedInInvestingActivities Investing -5
    ${concept} ${one} ${amount}
    NetCashProvidedByUsedInFinancingActivities Financing ${amount}`;
  expect(figure(field, lines(label))).toEqual(bothOf(label));
});

describe('capital expenditure in the concept of a total', () => {
  const total = 'PaymentsToAcquireProductiveAssets';
  const spent = (...lines: string[]) =>
    figure(
      'capitalExpenditure',
      `NetCashProvidedByUsedInOperatingActivities Operating 90
      ${lines.join('\n')}
      NetCashProvidedByUsedInInvestingActivities Investing -30`,
    );

  it('is all of it only if its label speaks of property and no other line stands beside it', () => {
    const property = 'PaymentsToAcquirePropertyPlantAndEquipment Purchases of equipment -20';
    expect(spent(`${total} Additions to properties -30`)).toEqual([30, 'stated']);
    expect(spent(property, `${total} Acquisition of intangibles -10`)).toEqual([20, 'stated']);
    expect(spent(property, `${total} Capital expenditure of others -10`)).toEqual([30, 'summed']);
    expect(spent(`${total} Renewals -30`)).toEqual(partOf('Renewals'));
  });
});

it('dividends of one class of units are a part where other lines pay the other ones', () => {
  const paid = (other: string) =>
    figure(
      'dividendsPaid',
      `NetCashProvidedByUsedInInvestingActivities Investing -5
      PaymentsOfDividendsCommonStock Common units -20
      ${other}
      NetCashProvidedByUsedInFinancingActivities Financing -30`,
    );
  expect(paid('ownGeneralPartner General Partner -10')).toEqual(partOf('General Partner'));
  expect(paid('ownTax Tax withholding on restricted stock units -10')).toEqual([20, 'stated']);
});
