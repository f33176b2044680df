/** The index of docs/decisions names each page once, and pages that must be read stay few. */

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const folder = fileURLToPath(new URL('../../docs/decisions/', import.meta.url));
const LIVING_MAX = 45;

const pagesIn = (path: string) => readdirSync(path).filter((name) => /^\d{4}-.*\.md$/.test(name));
const living = pagesIn(folder);
const archived = pagesIn(`${folder}archive`).map((name) => `archive/${name}`);

it('the index of decisions names each page once', () => {
  const index = readFileSync(`${folder}README.md`, 'utf8');
  const named = [...index.matchAll(/^\| \[(\d{4})\]\((\S+)\) \|/gm)];
  expect(named.map(([, , path]) => path).sort()).toEqual([...living, ...archived].sort());
  for (const [, number, path] of named) expect(path).toContain(`${number}-`);
});

it('a number belongs to one decision', () => {
  const numbers = [...living, ...archived].map((path) => path.replace('archive/', '').slice(0, 4));
  expect(numbers).toHaveLength(new Set(numbers).size);
});

it(`at most ${LIVING_MAX} decisions are to be read`, () => {
  expect(living.length).toBeLessThanOrEqual(LIVING_MAX);
});
