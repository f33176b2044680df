/** The glossary defines each term once, and the documentation uses its terms. */

import { readdirSync, readFileSync } from 'node:fs';
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
    const [, term, meaning, retired] = line.split('|').map((cell) => cell.trim());
    return {
      term: term.replaceAll('*', ''),
      meaning,
      retired: retired.split(', ').filter(Boolean),
    };
  });

function filesIn(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name));
}

/** Pages that people write; the table of routes is generated, and decisions keep their wording. */
const pages = filesIn('docs', /^(?!decisions)(?!routes|glossary).*\.md$/).concat(
  ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ['bench/README.md', 'clients/README.md', 'data/README.md'],
);

const sources = ['src', 'jobs', 'bench/command'].flatMap((folder) => filesIn(folder, /\.ts$/));

/** Words of persons for machines, and of no field. */
const NEVER = ['anew', 'nobody', 'somebody', 'whoever', 'by themselves', 'beside'];

/** Names in stored files, tables and JSON, and of libraries, that have a retired word. */
const KEPT = new Set([
  ...['landed', 'landings', 'isFolded', 'rival_bars', 'intraday_rival_bars', 'rivals', 'doubtful'],
  ...['children', 'children_by_state', 'num_children', 'Children', 'ComponentChildren'],
  ...['replaceChildren', 'removeChildren', 'removeUnprocessedChildren'],
  ...['getIgnoredChildrenFailures', 'MinorityInterestInNetIncomeLossJointVenturePartners'],
]);

/** Lists of English words, which no reader meets as terms. */
const WORD_LISTS = /(common|finance)-words\.ts$|calendar-rules\.ts$/;

/** The words of a page without code, commands and links. */
function proseOf(path: string): string {
  return read(path)
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`]*`/g, '')
    .replace(/\]\([^)]*\)/g, ']');
}

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

  it('has no term that neither the documentation nor the code uses', () => {
    const text = [...pages, ...sources].map(read).join('\n');
    const unused = rows.filter(({ term }) => !new RegExp(`\\b${term}s?\\b`, 'i').test(text));
    expect(unused.map(({ term }) => term)).toEqual([]);
  });

  it('replaces its retired words on every page', () => {
    const retired = [...rows.flatMap((row) => row.retired), ...NEVER];
    const pattern = new RegExp(`\\b(${retired.join('|')})\\b`, 'gi');
    const found = pages.flatMap((path) =>
      [...proseOf(path).matchAll(pattern)].map(([word]) => `${path}: ${word}`),
    );
    expect(found).toEqual([]);
  });

  it('replaces its retired words in names and comments of the code', () => {
    const retired = new Set(rows.flatMap((row) => row.retired));
    const found = sources
      .filter((path) => !WORD_LISTS.test(path))
      .flatMap((path) => {
        const names = [...new Set(read(path).match(/\w+/g))].filter((name) => !KEPT.has(name));
        const isRetired = (word: string) => retired.has(word.toLowerCase().replace(/s$/, ''));
        return names
          .filter((name) => name.split(/_|(?=[A-Z])/).some(isRetired))
          .map((name) => `${path}: ${name}`);
      });
    expect(found).toEqual([]);
  });

  it('is linked where people begin', () => {
    for (const page of ['README.md', 'docs/README.md']) expect(read(page)).toContain('glossary.md');
  });
});
