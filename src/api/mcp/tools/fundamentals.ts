import { z } from 'zod';
import { bounded, type ResultTable, tableOf } from '../tables.ts';
import { asOf, limit, links, symbol, tool } from './tool.ts';

export const getFundamentals = tool({
  title: 'Get fundamentals',
  description:
    'Reads income statements and balance sheets of a company from its SEC filings, newest first, ' +
    'in USD.',
  scopes: ['fundamentals:read'],
  input: z.strictObject({
    symbol,
    period: z.enum(['annual', 'quarterly', 'ttm']).default('annual'),
    limit: limit(4),
    as_of: asOf,
  }),
  async run(values, own) {
    const tables: ResultTable[] = [];
    for (const [name, operation, path] of [
      ['income_statements', 'listStatements', 'statements'],
      ['balance_sheets', 'listBalanceSheets', 'balance-sheet'],
    ]) {
      const { data } = await own.call(operation, { ...values });
      const { symbol, limit: _, ...others } = values;
      const all = `/svc/fundamentals/${encodeURIComponent(symbol)}/${path}`;
      tables.push(tableOf(name, data, links(own, all, others)));
    }
    return bounded(tables, [], 'first');
  },
});
