import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { freshFolder, sharedFolder } from '../support/folders.ts';
import { lackOf, skippedTests } from './skipped-tests.ts';

const TOOLS = {
  redisServer: [undefined, 'tests of jobs on Redis', 'apt-get install redis-server'],
  python: ['python3', 'tests of Arrow files', 'apt-get install python3'],
} satisfies Parameters<typeof lackOf>[1];

const folder = sharedFolder();

it('leaves the folders of a file whose tests are all skipped to the end of the run', () => {
  // Six empty folders stayed in /dev/shm after each run: `afterAll` of such a file is never called.
  expect([dirname(folder), dirname(freshFolder())]).toEqual(Array(2).fill(inject('runFolder')));
});

it('names the tools that a file of tests lacks, and how to get them', () => {
  const source = "import { python, redisServer } from '../support/tools.ts';";
  expect(lackOf(source, TOOLS)).toBe('redisServer is missing (apt-get install redis-server)');
});

it('names the conditions of tests that lack no tool', () => {
  const source = "it.skipIf(!hasRealdata)('a', run);\nit.runIf(isRoot)('b', run);";
  expect(lackOf(source, TOOLS)).toBe('skipIf(!hasRealdata), runIf(isRoot)');
});

it('counts the skipped tests of each file of a report', () => {
  const root = freshFolder();
  const name = join(root, 'a.test.ts');
  writeFileSync(name, "it.skipIf(!disk)('a', run);");
  const results = (...all: string[]) => all.map((status) => ({ status }));
  const report = {
    testResults: [
      { name, assertionResults: results('skipped', 'pending', 'passed') },
      { name: join(root, 'b.test.ts'), assertionResults: results('passed', 'failed') },
    ],
  };
  expect(skippedTests(report, root)).toEqual(['a.test.ts: 2 of 3 skipped: skipIf(!disk)']);
});
