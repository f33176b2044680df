import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder } from '../support/folders.ts';

test('a report of the tests gives its counts, and each failed test with its file', () => {
  const report = join(freshFolder(), 'report.json');
  const at = (file: string) => join(process.cwd(), 'test', file);
  const failure =
    'AssertionError: 1 is not 2\n    at /x/node_modules/y.js:1:1\n    at file:///x/test/a.test.ts:3:4';
  const testResults = [
    {
      name: at('a.test.ts'),
      status: 'failed',
      message: '',
      assertionResults: [
        { status: 'passed', fullName: 'adds', failureMessages: [] },
        { status: 'failed', fullName: 'counts', failureMessages: [failure] },
      ],
    },
    { name: at('b.test.ts'), status: 'failed', message: 'no start', assertionResults: [] },
    { name: at('c.test.ts'), status: 'passed', message: '', assertionResults: [] },
  ];
  writeFileSync(report, JSON.stringify({ numPassedTests: 1, testResults }));
  expect(
    execFileSync(process.execPath, ['.ci/failed-tests.js', report], { encoding: 'utf8' }),
  ).toBe(
    [
      '1 2',
      'test/a.test.ts\tcounts: AssertionError: 1 is not 2 at file:///x/test/a.test.ts:3:4',
      'test/b.test.ts\tno start',
      '',
    ].join('\n'),
  );
});
