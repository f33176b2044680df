/** A machine without the tools of the tests: nothing is skipped in silence. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { TOOLS } from '../support/tools.ts';

const setup = fileURLToPath(new URL('../support/global-setup.ts', import.meta.url));
const ciRun = readFileSync(new URL('../../.ci/run', import.meta.url), 'utf8');

/** The setup of a run where no program can be found. */
function setUpWithout(env: Record<string, string>) {
  const program = `const { default: setup } = await import(process.argv[1]);
    setup({ provide() {} })();`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', program, setup], {
    env: { PATH: '', TMPDIR: tmpdir(), ...env },
    encoding: 'utf8',
  });
}

it('each missing tool has a line that says what is skipped and how to install it', () => {
  const { status, stderr } = setUpWithout({});
  expect(status).toBe(0);
  const lines = stderr.trim().split('\n');
  expect(lines.length).toBeGreaterThanOrEqual(5);
  for (const line of lines) expect(line).toMatch(/^skipped: .+ \(install: .+\)$/);
});

it('in CI a missing tool is an error', () => {
  const { status, stderr } = setUpWithout({ CI: 'true' });
  expect(status).toBe(1);
  expect(stderr).toContain('CI must have every tool installed');
});

it('CI installs every Debian package that is named, apart from npm, which runs it', () => {
  const names = TOOLS.flatMap(
    ([, , install]) => /^apt-get install (\S+)$/.exec(install)?.[1] ?? [],
  );
  expect(names).toContain('nginx-light');
  for (const name of names.filter((one) => one !== 'npm')) {
    expect(ciRun).toMatch(new RegExp(`wanted\\+=\\(${name}\\)`));
  }
});
