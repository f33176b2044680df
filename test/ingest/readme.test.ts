import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BASIS_RULES } from '../../src/ingest/candle-basis.ts';
import { sources } from '../../src/ingest/sources.ts';

const folder = fileURLToPath(new URL('../../src/ingest/', import.meta.url));
const readme = readFileSync(`${folder}README.md`, 'utf8');

describe('the README of ingest', () => {
  it('names every file', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
    expect(files.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });

  it('tells the basis of every kind of header, in the order in which they are tried', () => {
    const cells = readme.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    const table = cells.filter(([, , basis]) => ['raw', 'split', 'all'].includes(basis));
    expect(table.map(([, , basis, writers]) => ({ basis, writers }))).toEqual(
      BASIS_RULES.map(({ basis, writers }) => ({ basis, writers })),
    );
  });
});

it('every source has a file of its own', () => {
  const files = readdirSync(`${folder}sources`);
  expect(sources.filter(({ id }) => !files.includes(`${id}.ts`))).toEqual([]);
});
