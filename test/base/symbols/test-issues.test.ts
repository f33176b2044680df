import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isTestIssue } from '../../../src/base/symbols/test-issues.ts';
import { canonicalSymbol } from '../../../src/base/symbols.ts';
import { hasRealdata, realdata } from '../../support/realdata.ts';

it('is known by its name', () => {
  const names = [
    'ZVZZT',
    'ZJZZT',
    'ATEST',
    'CTEST.L',
    'NTEST.A',
    'TEST',
    'ZZZ',
    'Z',
    'ZTS',
    'TESTX',
  ];
  expect(names.filter(isTestIssue)).toEqual(['ZVZZT', 'ZJZZT', 'ATEST', 'CTEST.L', 'NTEST.A']);
});

describe.skipIf(!hasRealdata)("Nasdaq Trader's files", () => {
  const marks = (path: string, symbolAt: number, testAt: number) =>
    readFileSync(realdata(path), 'latin1')
      .trim()
      .split(/\r?\n/)
      .slice(1, -1)
      .map((line) => line.split('|'))
      .map((row) => ({
        symbol: canonicalSymbol(row[symbolAt], 'nasdaq'),
        isMarked: row[testAt] === 'Y',
      }));

  it('mark the same securities, and five with names that companies may have', () => {
    const rows = [
      ...marks('reference/nasdaqtrader/nasdaqlisted.txt', 0, 3),
      ...marks('reference/nasdaqtrader/otherlisted.txt', 7, 6),
    ];
    const known = rows.filter(({ symbol }) => isTestIssue(symbol));
    expect([known.length, known.every(({ isMarked }) => isMarked)]).toEqual([29, true]);
    const others = rows.filter(({ symbol, isMarked }) => isMarked && !isTestIssue(symbol));
    expect(others.map(({ symbol }) => symbol)).toEqual(['CBO', 'CBX', 'IBO', 'IGZ', 'ZVV']);
  });
});
