/** A machine without the tools of the tests: nothing is skipped in silence. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { TOOLS } from '../support/tools.ts';

const setup = fileURLToPath(new URL('../support/global-setup.ts', import.meta.url));
const ciRun = readFileSync(new URL('../../.ci/run', import.meta.url), 'utf8');

it('each missing tool has a line that says what is skipped and how to install it, and is an error in CI', () => {
  const program = `const { default: setup } = await import(process.argv[1]);
    setup({ provide() {} })();
    process.env.CI = 'true';
    setup({ provide() {} });`;
  const run = ['--input-type=module', '-e', program, setup];
  const env = { PATH: '', TMPDIR: tmpdir() };
  const { status, stderr } = spawnSync(process.execPath, run, { env, encoding: 'utf8' });
  const lines = stderr.split('\n').filter((line) => line.startsWith('skipped: '));
  expect(lines.length).toBeGreaterThanOrEqual(5);
  for (const line of lines) expect(line).toMatch(/^skipped: .+ \(install: .+\)$/);
  // Said twice, and the second time as an error.
  expect(new Set(lines).size).toBe(lines.length / 2);
  expect(stderr).toContain('CI must have every tool installed');
  expect(status).toBe(1);
});

it('CI installs every Debian package that is named, apart from npm, which runs it', () => {
  const names = Object.values(TOOLS).flatMap(
    ([, , install]) => /^apt-get install (\S+)$/.exec(install)?.[1] ?? [],
  );
  expect(names).toContain('nginx-light');
  for (const name of names.filter((one) => one !== 'npm')) {
    expect(ciRun).toMatch(new RegExp(`wanted\\+=\\(${name}\\)`));
  }
});
