/** Schemas and examples of statements, made from their datasets. */

import { z } from 'zod';
import { ratios } from '../../../base/datasets/ratios.ts';
import {
  exampleRow,
  figuresOf,
  isPerShare,
  pascalCase,
  type StatementDataset,
  type StatementView,
  statementViews,
} from '../../../base/datasets/statement.ts';
import type { RouteExample } from '../../contract/route.ts';
import { amount, dateTime } from '../../responses/schema-fields.ts';
import { explainedSchema } from './explain.ts';
import { PERIODS } from './query.ts';
import { ADJUSTED, type FILING_FIELDS } from './rows.ts';

const period = z.enum(PERIODS);
const priceDate = z.iso.date().nullable().describe('Day of `price`.');
const lastDay = z.iso.date().describe('Last day of the period.');

const text = z.string().nullable();
const filing = {
  filedAt: dateTime.describe('When the filing was accepted; of twelve months, the newest one.'),
  fiscalYear: z.int().nullable().describe('The company’s own.'),
  currency: text.describe('ISO 4217 code of the amounts.'),
  form: text,
} satisfies Record<(typeof FILING_FIELDS)[number], z.ZodType>;

const onToday = amount.describe('As filed, on the split basis of today.');
const adjusted = Object.fromEntries(Object.values(ADJUSTED).map((name) => [name, onToday]));

function rowSchema(dataset: StatementView) {
  const figures = figuresOf(dataset).map(({ name, shown: { description } }) => [
    name,
    description === undefined ? amount : amount.describe(description),
  ]);
  const priced = dataset.name === ratios.name ? { priceDate } : {};
  return z
    .strictObject({ date: lastDay, period, ...priced, ...Object.fromEntries(figures) })
    .meta({ id: pascalCase(dataset.statement.noun) });
}

/** Schemas of rows, by dataset. */
export const STATEMENT_ROWS: ReadonlyMap<string, z.ZodObject> = new Map(
  statementViews.map((dataset) => [dataset.name, rowSchema(dataset)]),
);

/** Schemas of rows with their filing, by dataset. Events and files have it in other ways. */
export const SERVED_ROWS: ReadonlyMap<string, z.ZodObject> = new Map(
  statementViews.map((dataset) => {
    const row = STATEMENT_ROWS.get(dataset.name)!;
    if (dataset.name === ratios.name) return [dataset.name, row];
    const fields = { ...(isPerShare(dataset) ? adjusted : {}), ...filing };
    const id = `Filed${pascalCase(dataset.statement.noun)}`;
    return [dataset.name, row.extend(fields).meta({ id })];
  }),
);

/** Returns the schema of a response. */
export function statementsSchema({ name, statement: { noun } }: StatementView): z.ZodObject {
  const row = SERVED_ROWS.get(name)!;
  const explained = explainedSchema.optional().describe('With `explain=true`.');
  const shown = row.extend({ explained }).meta({ id: `Explained${pascalCase(noun)}` });
  return z.strictObject({ data: z.array(shown) }).meta({ id: pascalCase(`${noun}s`) });
}

const FILED = {
  filedAt: '2026-04-03T20:31:09.000Z',
  fiscalYear: 2026,
  currency: 'USD',
  form: '10-K',
};

function perShareExample(dataset: StatementDataset): Record<string, unknown> {
  if (!isPerShare(dataset)) return {};
  const row = exampleRow(dataset);
  return Object.fromEntries(
    Object.entries(ADJUSTED).map(([name, own]) => [own, row[name] ?? null]),
  );
}

export function statementsExample(dataset: StatementDataset): RouteExample {
  return {
    title: 'The newest year',
    path: { symbol: 'QXAA' },
    query: { limit: '1' },
    response: { data: [{ ...exampleRow(dataset), ...perShareExample(dataset), ...FILED }] },
  };
}

export const RATIOS_EXAMPLE: RouteExample = {
  title: 'The newest year',
  path: { symbol: 'QXAA' },
  query: { limit: '1' },
  response: {
    data: [
      {
        date: '2026-02-28',
        period: 'annual',
        priceDate: '2026-02-27',
        price: 112.4,
        marketCap: 992379600,
        grossMargin: 0.524,
        operatingMargin: 0.1378,
        netMargin: 0.1089,
        roe: 0.3925,
        roa: 0.1076,
        roic: 0.2568,
        currentRatio: 1.7021,
        quickRatio: 1.327,
        debtToEquity: 1.1231,
        interestCover: 12.06,
        assetTurnover: 0.9887,
        pe: 18.9545,
        ps: 2.0564,
        pb: 7.4142,
        pfcf: 14.8116,
        enterpriseValue: 1063107600,
        evToEbitda: 11.0014,
        evToSales: 2.203,
        fcfYield: 0.0675,
        buybackYield: null,
        payoutRatio: null,
        revenueGrowth1y: 0.0412,
        revenueGrowth3y: 0.0379,
        revenueGrowth5y: null,
        epsGrowth1y: 0.0623,
        epsGrowth3y: 0.0455,
        epsGrowth5y: null,
        shareChange1y: 0.0051,
        piotroski: null,
        altmanZ: 3.5699,
      },
    ],
  },
};
