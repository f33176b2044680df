import { z } from 'zod';
import { listedName, pascalCase, statementViews } from '../../../base/datasets/statement.ts';
import { PERIODS } from '../../routes/fundamentals/query.ts';
import { bounded, type ResultTable, tableOf } from './tables.ts';
import { asOf, limit, links, symbol, tool } from './tool.ts';

const nouns = statementViews.map(({ statement }) => `${statement.noun}s`);

export const getFundamentals = tool({
  title: 'Get fundamentals',
  description:
    `Reads ${nouns.join(', ').replace(/, ([^,]+)$/, ' and $1')} of a company from its SEC ` +
    'filings, newest first, in USD.',
  scopes: ['fundamentals:read'],
  input: z.strictObject({
    symbol,
    period: z.enum(PERIODS).default('annual'),
    limit: limit(4),
    as_of: asOf,
  }),
  async run(values, own) {
    const tables: ResultTable[] = [];
    for (const dataset of statementViews) {
      const operation = `list${pascalCase(listedName(dataset))}`;
      const { data } = await own.call(operation, { ...values });
      const { symbol, limit: _, ...others } = values;
      const all = `/svc/fundamentals/${encodeURIComponent(symbol)}/${dataset.name}`;
      const name = `${dataset.statement.noun}s`.replaceAll(' ', '_');
      tables.push(tableOf(name, data, links(own, all, others)));
    }
    return bounded(tables, [], 'first');
  },
});
