/** Names and figures of statements, as they follow from their datasets. */

import type { Dataset, DatasetColumn, DatasetRow, ShownFigure, Statement } from './dataset.ts';
import { listedDatasets } from './datasets.ts';

export type StatementDataset = (typeof listedDatasets)[number] & { statement: Statement };

export const statementDatasets = listedDatasets.filter(
  (dataset): dataset is StatementDataset => dataset.statement !== undefined,
);

/** Returns the figures that a statement shows, in its order. */
export function figuresOf({ columns }: Dataset): (DatasetColumn & { shown: ShownFigure })[] {
  return columns.filter((column) => column.shown) as (DatasetColumn & { shown: ShownFigure })[];
}

/** Returns true if a statement has figures per share, which splits change. */
export function isPerShare(dataset: Dataset): boolean {
  return figuresOf(dataset).some(({ shown }) => shown.unit === 'usdPerShare');
}

/** Returns the plural by which operations and widgets name a statement: `balance sheets`. */
export function listedName({ statement: { noun, listed } }: StatementDataset): string {
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
