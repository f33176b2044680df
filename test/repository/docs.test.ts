/** Documentation is complete: all that exists is documented, and all that is documented exists. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { CLIENT_SETTING_NAMES, SETTING_NAMES } from '../../src/base/config/config.ts';
import { createProgram } from '../../src/cli.ts';
import { SCOPES } from '../../src/store/accounts/keys/scopes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

const SKIPPED = /(^|\/)(node_modules|dist|\.venv|\.git)\/|^data\/(live|sandbox)/;

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (path) => !SKIPPED.test(path),
);

const markdownFiles = files.filter((path) => path.endsWith('.md'));

describe('documentation', () => {
  it('names every setting and no other', () => {
    const named = read('docs/settings.md').match(/`TAPEWORKS_[A-Z_]+`/g) ?? [];
    const unique = [...new Set(named.map((name) => name.slice(1, -1)))];
    expect(unique.sort()).toEqual([...SETTING_NAMES, ...CLIENT_SETTING_NAMES].sort());
  });

  it('names every scope that can be granted', () => {
    const text = read('docs/api.md');
    const missing = Object.keys(SCOPES).filter((scope) => !text.includes(`| \`${scope}\` |`));
    expect(missing).toEqual([]);
  });

  it('names every verb of the command line', async () => {
    const text = read('docs/cli.md');
    const { commands } = await createProgram();
    const leaves = commands.flatMap((command) =>
      command.commands.length > 0
        ? command.commands.map((sub) => `${command.name()} ${sub.name()}`)
        : [command.name()],
    );
    const missing = leaves.filter((verb) => verb !== 'pipeline' && !text.includes(`\`${verb}`));
    expect(missing).toEqual([]);
  });

  it('names every script that people run', () => {
    const text = read('README.md') + read('CONTRIBUTING.md');
    const scripts = Object.keys(packageJson.scripts).filter((name) => name !== 'prepack');
    const missing = scripts.filter(
      (name) => !text.includes(`npm run ${name}`) && !text.includes(`npm ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('has no link to a file that is not there', () => {
    const broken = markdownFiles.flatMap((path) =>
      [...read(path).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]
        .map((match) => match[1])
        .filter((target) => !existsSync(join(root, dirname(path), target)))
        .map((target) => `${path}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  // Fourteen names in bench/README.md and five elsewhere outlived the files that they named.
  it('names only source files that exist, from its folder or from the root', () => {
    const guides = markdownFiles.filter((path) => /(^|\/)(README|CONTRIBUTING)\.md$/.test(path));
    const wrong = guides.flatMap((path) => {
      const near = files.filter((file) => file.startsWith(path.replace(/[^/]*$/, '')));
      return [...read(path).matchAll(/`([\w./-]+\.[jt]s)`/g)]
        .map(([, name]) => name)
        .filter((name) => !files.includes(name))
        .filter((name) => !near.some((file) => file.endsWith(`/${name}`)))
        .map((name) => `${path}: ${name}`);
    });
    expect(guides.length).toBeGreaterThan(40);
    expect(wrong).toEqual([]);
  });
});
