/** `npm run bench` with names. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const run = fileURLToPath(new URL('../../bench/run.ts', import.meta.url));

function bench(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [run, ...args]);
  return { status, stdout: stdout.toString(), stderr: stderr.toString() };
}

// `--quick kernels` went to all of them as an unknown argument: 21 stack traces.
it('runs the benchmarks that are named, once each, in their own order', () => {
  const { status, stdout } = bench('--smoke', 'screener', 'sentiment', 'screener');
  expect(stdout.match(/^## .*$/gm)).toEqual(['## sentiment', '## screener']);
  expect(stdout).toContain('2 benchmarks right, 0 wrong');
  expect(status).toBe(0);
});

it.each([
  [['--quick', 'nope'], /^bench: "nope" is no benchmark; known ones: kernels, accuracy, .*\n$/],
  [['--fast'], /^bench: Unknown option '--fast'.*\n$/],
])('refuses %s in a line', (args, line) => {
  const { status, stdout, stderr } = bench(...args);
  expect(stderr).toMatch(line);
  expect([status, stdout]).toEqual([2, '']);
});
