/**
 * Prints "PASSED FAILED" of a report of the tests, then what failed: its file, a tab, its name and
 * reason, a line each. A file that could not begin counts as one.
 */

import { readFileSync } from 'node:fs';

const { numPassedTests, testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
/** The first line of a message, and the first place in the tests that it names. */
const reason = (message) => {
  const lines = message.split('\n').map((line) => line.trim());
  const place = lines.find((line) => line.startsWith('at ') && line.includes('/test/'));
  return [lines[0], place].filter(Boolean).join(' ');
};

const lines = testResults.flatMap(({ name, message, status, assertionResults }) => {
  const file = name.slice(process.cwd().length + 1);
  const failed = assertionResults.filter((result) => result.status === 'failed');
  if (status === 'failed' && failed.length === 0) return `${file}\t${reason(message)}`;
  return failed.map(
    ({ fullName, failureMessages }) => `${file}\t${fullName}: ${reason(failureMessages[0] ?? '')}`,
  );
});
console.log(numPassedTests, lines.length);
for (const line of lines) console.log(line);
