/** Names and figures of statements, as they follow from their datasets. */

import type { Dataset, DatasetColumn, DatasetRow, ShownFigure, Statement } from './dataset.ts';
import { listedDatasets } from './datasets.ts';
import { ratios } from './ratios.ts';

export type StatementDataset = (typeof listedDatasets)[number] & { statement: Statement };

/** A statement as it is shown, whether rows of a dataset or computed when they are requested. */
export type StatementView = Pick<Dataset, 'name' | 'columns'> & { statement: Statement };

export const statementDatasets = listedDatasets.filter(
  (dataset): dataset is StatementDataset => dataset.statement !== undefined,
);

/** All statements of companies that the API serves. */
export const statementViews: readonly StatementView[] = [...statementDatasets, ratios];

/** Returns the figures that a statement shows, in its order. */
export function figuresOf({
  columns,
}: Pick<Dataset, 'columns'>): (DatasetColumn & { shown: ShownFigure })[] {
  return columns.filter((column) => column.shown) as (DatasetColumn & { shown: ShownFigure })[];
}

/** Returns true if a statement has figures per share, which splits change. */
export function isPerShare(dataset: Pick<Dataset, 'columns'>): boolean {
  return figuresOf(dataset).some(({ shown }) => shown.unit === 'usdPerShare');
}

/** Returns the plural by which operations and widgets name a statement: `balance sheets`. */
export function listedName({ statement: { noun, listed } }: StatementView): string {
  return listed ?? `${noun}s`;
}

/** `balance sheets` → `BalanceSheets`. */
export function pascalCase(words: string): string {
  return words.replace(/(?:^|[ -])([a-z])/g, (_, letter) => letter.toUpperCase());
}

/** Returns a row for the API reference. */
export function exampleRow(dataset: StatementDataset): DatasetRow {
  const { statement, columns } = dataset;
  if (statement.example) return statement.example;
  const texts = new Map(columns.map(({ name, examples }) => [name, examples[0]]));
  const figures = figuresOf(dataset).map(({ name }) => [name, Number(texts.get(name))]);
  return { date: texts.get('date')!, period: texts.get('period')!, ...Object.fromEntries(figures) };
}
