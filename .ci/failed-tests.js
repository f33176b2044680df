/** Prints "PASSED FAILED" of a report of the tests, then what failed with its reason, a line each. */

import { readFileSync } from 'node:fs';

const { numPassedTests, numFailedTests, testResults } = JSON.parse(
  readFileSync(process.argv[2], 'utf8'),
);
console.log(numPassedTests, numFailedTests);
/** The first line of a message, and the first place in the tests that it names. */
const reason = (message) => {
  const lines = message.split('\n').map((line) => line.trim());
  const place = lines.find((line) => line.startsWith('at ') && line.includes('/test/'));
  return [lines[0], place].filter(Boolean).join(' ');
};

for (const { name, message, status, assertionResults } of testResults) {
  const file = name.slice(process.cwd().length + 1);
  const failed = assertionResults.filter((result) => result.status === 'failed');
  for (const { fullName, failureMessages } of failed) {
    console.log(`${file}: ${fullName}: ${reason(failureMessages[0] ?? '')}`);
  }
  // A file that could not begin has no tests.
  if (status === 'failed' && failed.length === 0) console.log(`${file}: ${reason(message)}`);
}
