/** Tests that the glossary defines each term once and can be found. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

const rows = read('docs/glossary.md')
  .split('\n')
  .filter((line) => line.startsWith('| **'))
  .map((line) => {
    const [, term, meaning] = line.split('|').map((cell) => cell.trim());
    return { term: term.replaceAll('*', ''), meaning };
  });

describe('the glossary', () => {
  it('defines each term once, in order', () => {
    const terms = rows.map(({ term }) => term);
    expect(terms.length).toBeGreaterThan(40);
    expect(terms).toEqual([...new Set(terms)].sort());
  });

  it('explains each term in sentences that begin with a noun', () => {
    const wrong = rows.filter(({ meaning }) => !/^[A-Z][^|]+\.$/.test(meaning));
    expect(wrong).toEqual([]);
  });

  it('is linked where people begin', () => {
    for (const page of ['README.md', 'docs/README.md']) expect(read(page)).toContain('glossary.md');
  });
});
