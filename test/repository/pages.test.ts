/** Pages of the documentation match the commands, headings and folders that they name. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function pagesIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

const pages = ['.', 'docs', 'docs/cli', 'bench', 'clients', 'data'].flatMap(pagesIn);

/** Anchors that a page's headings make, as GitHub spells them. */
function anchorsOf(path: string): string[] {
  const text = read(path).replace(/^```[\s\S]*?^```/gm, '');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('links', () => {
  it('lead to headings that exist', () => {
    const broken = pages.flatMap((path) =>
      [...read(path).matchAll(/\]\(([^)#:]*\.md)?#([^)]+)\)/g)]
        .map(([, file, anchor]) => ({ to: file ? join(dirname(path), file) : path, anchor }))
        .filter(({ to, anchor }) => existsSync(join(root, to)) && !anchorsOf(to).includes(anchor))
        .map(({ to, anchor }) => `${path}: ${to}#${anchor}`),
    );
    expect(broken).toEqual([]);
  });
});

describe('docs/cli', async () => {
  const { commands } = await createProgram();
  const verbs = commands.filter((command) => command.name() !== 'pipeline');

  it.each(verbs.map((verb) => [verb.name(), verb] as const))(
    '%s has a page with every option and exit code',
    (name, verb) => {
      const text = read(`docs/cli/${name === 'restore' ? 'backup' : name}.md`);
      const subcommands = verb.commands.length > 0 ? verb.commands : [verb];
      const flags = subcommands
        .flatMap((command) => command.options.map(({ long }) => long as string))
        .filter((long) => long !== '--json');
      expect([...new Set(flags)].filter((flag) => !text.includes(flag))).toEqual([]);
      expect(text).toMatch(/Exit codes/);
    },
  );

  it.each(pagesIn('docs/cli'))('%s names no option that does not exist', (path) => {
    const known = new Set(
      verbs
        .flatMap((verb) => [verb, ...verb.commands])
        .flatMap(({ options }) => options.map(({ long }) => long)),
    );
    const named = read(path).match(/(?<=[`\s|[(])--[a-z][a-z-]+/g) ?? [];
    const unknown = named.filter((flag) => !known.has(flag) && flag !== '--help');
    // Docker has a --restart of its own.
    expect(unknown.filter((flag) => flag !== '--restart')).toEqual([]);
  });
});

it('README takes its ratios from the results of the benchmarks', () => {
  const results = read('bench/README.md');
  const ratios = [...read('README.md').matchAll(/\*\*([\d.]+ ×)\*\*/g)].map(([, ratio]) => ratio);
  expect(ratios.length).toBeGreaterThan(3);
  expect(ratios.filter((ratio) => !results.includes(` ${ratio}`))).toEqual([]);
});

it('the picture shows folders that exist', () => {
  const named = [...read('docs/architecture.svg').matchAll(/class="path"[^>]*>([a-z/]+)</g)];
  expect(named.length).toBeGreaterThan(4);
  expect(named.map(([, path]) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
