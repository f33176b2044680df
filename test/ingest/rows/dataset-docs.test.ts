/** `docs/files.md` and `docs/cli/sql.md` list every column of every dataset. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DatasetColumn } from '../../../src/base/datasets/dataset.ts';
import { rowDatasets } from '../../../src/base/datasets/datasets.ts';
import { tableColumns } from '../../../src/store/duckdb/connection/dataset-columns.ts';

const read = (name: string) =>
  readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');

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

describe.each(rowDatasets.map((dataset) => [dataset.name, dataset] as const))(
  '%s',
  (name, dataset) => {
    it('is in docs/files.md with all columns and its key', () => {
      const section = read('files.md').split(`### \`${name}\``)[1]?.split('\n#')[0] ?? '';
      const expected = dataset.columns.map(lineOf);
      expect(section.split('\n').filter((line) => expected.includes(line))).toEqual(expected);
      const key = dataset.key.map((part) =>
        [part]
          .flat()
          .map((one) => `\`${one}\``)
          .join(' or '),
      );
      expect(section).toContain(`One row for each ${key.join(', ')}.`);
    });

    it('is in docs/cli/sql.md as a table', () => {
      const columns = tableColumns(dataset).map(({ column }) => column.replaceAll('"', ''));
      const own = [...columns, name === 'news' ? 'tickers' : 'ticker', 'segment_seq'];
      expect(read('cli/sql.md')).toContain(`| \`${dataset.table}\` | \`${own.join(', ')}\` |`);
    });
  },
);
