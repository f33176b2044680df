/** Excel writes the dates of a file of findings in the order of its country when it saves the file. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ParameterError, UsageError } from '../../../src/base/errors.ts';
import { dateFromDay, dayFromMicros } from '../../../src/base/time/dates.ts';
import { readRepairs } from '../../../src/cli/store/repair-file.ts';
import { freshFolder } from '../../support/folders.ts';

function datesOf(texts: readonly string[]): string[] {
  const path = join(freshFolder(), 'findings.csv');
  const rows = texts.map((text) => `AAA;${text};9.5\n`);
  writeFileSync(path, `symbol;date;new_low\n${rows.join('')}`);
  return readRepairs(path).requests.map(({ timestampUs }) =>
    dateFromDay(dayFromMicros(timestampUs)),
  );
}

test.each([
  ['2026-02-03', '2026-02-14'],
  ['2/3/2026', '2/14/2026'],
  ['03/02/2026', '14/02/2026'],
  ['3.2.2026', '14.02.2026'],
])('dates %s and %s are read', (...texts) => {
  expect(datesOf(texts)).toEqual(['2026-02-03', '2026-02-14']);
});

test.each([
  ['of either order', ['2/3/2026', '4/5/2026']],
  ['of both orders', ['2/14/2026', '14/2/2026']],
])('dates %s are refused', (_name, texts) => {
  expect(() => datesOf(texts)).toThrow(
    /line 2 of ".+": date must be like 2026-01-31, got "2\/\d+\/2026", and no date/,
  );
});

// A malformed line ended with the exit code of a store that can't be read.
test.each([
  ['date,new_low\n2026-02-03,1', 'has no column "symbol"'],
  ['symbol,date,new_low\nAAA,2026-02-03,1,2', 'line 2 of ".+" has 4 values, and the header 3'],
  ['symbol,date,new_low\nAAA,2026-02-03,x', 'new_low must be a number, got "x"'],
  ['symbol,date,new_low\nAAA,2026-02-30,1', 'date in line 2 of ".+" must be a day of the calendar'],
  ['symbol,date,new_low\nA A!,2026-02-03,1', 'symbol in line 2 of ".+" must be a ticker'],
])('%j is wrong usage', (text, reason) => {
  const path = join(freshFolder(), 'findings.csv');
  writeFileSync(path, text);
  let failure: unknown;
  try {
    readRepairs(path);
  } catch (error) {
    failure = error;
  }
  expect(failure instanceof UsageError || failure instanceof ParameterError).toBe(true);
  expect((failure as Error).message).toMatch(RegExp(reason));
});
