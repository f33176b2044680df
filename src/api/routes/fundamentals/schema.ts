/** Schemas and examples of statements, made from their datasets. */

import { z } from 'zod';
import {
  exampleRow,
  figuresOf,
  pascalCase,
  type StatementDataset,
  statementDatasets,
} from '../../../base/datasets/statement.ts';
import type { RouteExample } from '../../contract/route.ts';
import { amount } from '../../responses/schema-fields.ts';

const period = z.enum(['annual', 'quarterly', 'ttm']);
const lastDay = z.iso.date().describe('Last day of the period.');

function rowSchema(dataset: StatementDataset) {
  const figures = figuresOf(dataset).map(({ name, shown: { description } }) => [
    name,
    description === undefined ? amount : amount.describe(description),
  ]);
  return z
    .strictObject({ date: lastDay, period, ...Object.fromEntries(figures) })
    .meta({ id: pascalCase(dataset.statement.noun) });
}

/** Schemas of rows, by dataset. */
export const STATEMENT_ROWS: ReadonlyMap<string, z.ZodObject> = new Map(
  statementDatasets.map((dataset) => [dataset.name, rowSchema(dataset)]),
);

/** Returns the schema of a response. */
export function statementsSchema({ name, statement: { noun } }: StatementDataset): z.ZodObject {
  return z
    .strictObject({ data: z.array(STATEMENT_ROWS.get(name)!) })
    .meta({ id: pascalCase(`${noun}s`) });
}

export function statementsExample(dataset: StatementDataset): RouteExample {
  return {
    title: 'The newest year',
    path: { symbol: 'QXAA' },
    query: { limit: '1' },
    response: { data: [exampleRow(dataset)] },
  };
}
