/** Checks that the pages of a dataset list every column. */

import type { Dataset, DatasetColumn } from '../../../src/base/datasets/dataset.ts';
import { tableColumns } from '../../../src/store/duckdb/connection/dataset-columns.ts';

const KINDS: Record<DatasetColumn['kind'], string> = {
  symbol: 'ticker',
  symbols: 'tickers',
  text: 'text',
  choice: '',
  flag: '',
  date: 'date',
  moment: 'date-time',
  number: 'number',
  integer: 'whole number',
};

function lineOf({ name, kind, choices, isRequired, meaning, ...rule }: DatasetColumn): string {
  const bounds = [
    rule.above === undefined ? '' : `above ${rule.above}`,
    rule.atLeast === undefined ? '' : `from ${rule.atLeast}`,
    rule.atMost === undefined ? '' : `to ${rule.atMost}`,
  ].filter((text) => text !== '');
  const values = choices ? choices.map((one) => `\`${one}\``).join(', ') : KINDS[kind];
  const value = [values, ...bounds].join(' ');
  return `| ${isRequired ? '**' : ''}\`${name}\`${isRequired ? '**' : ''} | ${value} | ${meaning} |`;
}

/** Returns the lines of a dataset that its section of `docs/files.md` has to have, in order. */
export function linesOfFiles({ columns, key }: Dataset): string[] {
  const named = key.map((part) =>
    [part]
      .flat()
      .map((one) => `\`${one}\``)
      .join(' or '),
  );
  return [...columns.map(lineOf), `One row for each ${named.join(', ')}.`];
}

/** Returns the beginning of the line of a dataset in `docs/cli/sql.md`. */
export function lineOfSql(dataset: Dataset): string {
  const columns = tableColumns(dataset);
  const names = columns.map(({ column }) => column.replaceAll('"', ''));
  const isList = columns.some(({ kind }) => kind === 'symbols');
  const own = [...names, isList ? 'tickers' : 'ticker', 'segment_seq'];
  return `| \`${dataset.table}\` | \`${own.join(', ')}\` |`;
}

/** Returns the lines that the pages lack. */
export function missingLines(dataset: Dataset, filesPage: string, sqlPage: string): string[] {
  const section = filesPage.split(`### \`${dataset.name}\``)[1]?.split('\n#')[0] ?? '';
  return [
    ...linesOfFiles(dataset).filter((line) => !section.includes(line)),
    ...(sqlPage.includes(lineOfSql(dataset)) ? [] : [lineOfSql(dataset)]),
  ];
}
