import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BASIS_RULES } from '../../../src/ingest/files/dialect.ts';

const readme = new URL('../../../src/ingest/files/README.md', import.meta.url);

it('lists the basis of every kind of header in the README, in the order they are tried', () => {
  const lines = readFileSync(readme, 'utf8').split('\n');
  const cells = lines.map((line) => line.split('|').map((cell) => cell.trim()));
  const table = cells.filter(([, , basis]) => ['raw', 'split', 'all'].includes(basis));
  expect(table.map(([, , basis, writers]) => ({ basis, writers }))).toEqual(
    BASIS_RULES.map(({ basis, writers }) => ({ basis, writers })),
  );
});
