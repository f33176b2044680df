/** Versions of the schema that stores have: a column that joins one later would be missing there. */

import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { statements } from '../../../../src/base/datasets/filings.ts';
import { datasetStatements } from '../../../../src/store/duckdb/connection/dataset-columns.ts';
import { SCHEMA_VERSIONS } from '../../../../src/store/duckdb/connection/schema-versions.ts';

/** By version, the first digits of the hash of its statements. A new version adds a row. */
const KNOWN = new Map([
  [8, '7d6b164a7996fcb4'],
  [9, 'ab9af75659d9cb23'],
  [10, '75c1710c19f912d6'],
  [11, '6f90c9e35da17b8d'],
  [12, '962eb2c681ec745d'],
  [13, '5b459e8b2ed26ebe'],
  [14, '352bdf3293d94918'],
  [15, '960ddb18ff684ad5'],
  [16, '12289bc59e9cbe4f'],
  [17, 'abe4b7f6d77b2036'],
  [18, 'cdbd6ebf67fbadef'],
  [19, '71adc34d96c564f2'],
  [20, '3dc36c55e3c78678'],
  [21, '335efedf3688dc6a'],
]);

it('a version never changes once stores have it', () => {
  const hashes = [...SCHEMA_VERSIONS].map(([version, lines]) => {
    const hash = createHash('sha256').update(lines.join('\n')).digest('hex');
    return [version, hash.slice(0, 16)];
  });
  expect(new Map(hashes as [number, string][])).toEqual(KNOWN);
});

it('a new table has the columns that other tables of its kind got before', () => {
  const table = { ...statements, table: 'spending', since: 99 };
  const [created, ...others] = datasetStatements([table], 99);
  expect(created).toContain('"read_from" VARCHAR');
  expect(others).toEqual([]);
  expect(datasetStatements([table], 12)).toEqual([]);
});
