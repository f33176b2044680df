/** Statements of cash flows. Payments are above zero, as in the names of their lines. */

import { decimalSum } from '../prices/decimals.ts';
import { figure } from './columns.ts';
import type { Dataset, DatasetRow } from './dataset.ts';
import { filing, period, REPORT } from './report.ts';

const FLOWS = ['operatingCashFlow', 'investingCashFlow', 'financingCashFlow'] as const;

const TOTAL = { isTotal: true };
const DRAWN_TOTAL = { isTotal: true, isDrawn: true };

export const cashFlow = {
  ...REPORT,
  name: 'cash-flow',
  title: 'Cash flows',
  table: 'cash_flow',
  since: 11,
  path: 'fundamentals/$/cash-flow?period=ttm',
  statement: { noun: 'cash flow statement', title: 'Cash flow' },
  columns: [
    ...period,
    figure(
      'operatingCashFlow',
      'Operating cash flow',
      'from operations',
      ['111482000000', '53925000000'],
      DRAWN_TOTAL,
    ),
    figure('investingCashFlow', 'Investing cash flow', 'from investments', [
      '15195000000',
      '-4886000000',
    ]),
    figure('financingCashFlow', 'Financing cash flow', 'from owners and lenders', [
      '-120686000000',
      '-39656000000',
    ]),
    figure('exchangeEffect', 'Exchange effect', 'of exchange rates on cash', ['0', '0']),
    figure('changeInCash', 'Change in cash', 'in the period', ['5991000000', '9383000000'], TOTAL),
    figure(
      'unexplainedChange',
      'Unexplained change',
      'change in cash less the three flows and the effect of exchange rates; worked out where it is missing',
      ['0', '0'],
      {
        description: '`changeInCash` less its four parts: 0 if they add up.',
        isDerived: true,
        parts: ['changeInCash', ...FLOWS, 'exchangeEffect'],
      },
    ),
    figure('capitalExpenditure', 'Capital expenditure', 'paid for property and equipment', [
      '12715000000',
      '2373000000',
    ]),
    figure(
      'freeCashFlow',
      'Free cash flow',
      'operatingCashFlow less capitalExpenditure; worked out where it is missing',
      ['98767000000', '51552000000'],
      {
        ...DRAWN_TOTAL,
        description: '`operatingCashFlow` minus `capitalExpenditure`.',
        isDerived: true,
        parts: ['operatingCashFlow', 'capitalExpenditure'],
      },
    ),
    figure('depreciationAmortization', 'Depreciation and amortization', 'added back', [
      '11698000000',
      '3214000000',
    ]),
    figure('stockCompensation', 'Stock compensation', 'added back', ['12863000000', '3594000000']),
    figure('dividendsPaid', 'Dividends paid', 'to owners', ['15421000000', '3921000000']),
    figure('shareRepurchases', 'Share repurchases', 'paid for own shares', [
      '90711000000',
      '24701000000',
    ]),
    figure('shareIssuance', 'Share issuance', 'received for new shares', ['', '']),
    figure('debtIssued', 'Debt issued', 'received from lenders', ['4481000000', '']),
    figure('debtRepaid', 'Debt repaid', 'paid back', ['10932000000', '2164000000']),
    figure('acquisitions', 'Acquisitions', 'paid for companies, less their cash', ['', '']),
    figure('interestPaid', 'Interest paid', 'in cash', ['', '']),
    figure('taxesPaid', 'Taxes paid', 'in cash; refunds below zero', ['43369000000', '3434000000']),
    ...filing,
  ],
  complete(row: DatasetRow) {
    Object.assign(row, withDerivedFlows(row));
  },
} as const satisfies Dataset;

type FlowValues = Readonly<Partial<Record<string, unknown>>>;

/** Returns free cash flow and the unexplained change; null where a part is unknown. */
export function withDerivedFlows(row: FlowValues): {
  freeCashFlow: number | null;
  unexplainedChange: number | null;
} {
  const { operatingCashFlow, capitalExpenditure, changeInCash, exchangeEffect } = row;
  const known = (value: unknown) => value !== null && value !== undefined;
  const flows = [operatingCashFlow, row.investingCashFlow, row.financingCashFlow];
  const free = [operatingCashFlow, capitalExpenditure].every(known)
    ? decimalSum([Number(operatingCashFlow), -Number(capitalExpenditure)])
    : null;
  // Without a line for exchange rates there was no effect.
  const parts = [exchangeEffect ?? 0, ...flows].map((flow) => -Number(flow));
  const gap = [changeInCash, ...flows].every(known)
    ? decimalSum([Number(changeInCash), ...parts])
    : null;
  return {
    freeCashFlow: known(row.freeCashFlow) ? Number(row.freeCashFlow) : free,
    unexplainedChange: known(row.unexplainedChange) ? Number(row.unexplainedChange) : gap,
  };
}
