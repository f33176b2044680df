/** Pages of the documentation match the commands and folders that they name. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

describe('docs/cli', async () => {
  const { commands } = await createProgram();
  const verbs = commands.filter((command) => command.name() !== 'pipeline');

  it.each(verbs.map((verb) => [verb.name(), verb] as const))(
    '%s has a page with every option and exit code',
    (name, verb) => {
      const text = read(`docs/cli/${name === 'restore' ? 'backup' : name}.md`);
      const subcommands = verb.commands.length > 0 ? verb.commands : [verb];
      const flags = subcommands
        .flatMap((command) => command.options.map(({ long }) => long))
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

it('the picture shows folders that exist', () => {
  const named = [...read('docs/architecture.svg').matchAll(/class="path"[^>]*>([a-z/]+)</g)];
  expect(named.length).toBeGreaterThan(4);
  expect(named.map(([, path]) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
