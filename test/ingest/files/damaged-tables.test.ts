/**
 * Real and made tables with a column of symbols, damaged at random: the typed way and the line
 * reader give the same bars, refusals with their lines, and readings.
 */

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { scaled } from '../../faults/scale.ts';
import { hasRealdata, realdata } from '../../support/realdata.ts';
import { bothWays, countOfGroups } from '../support/both-ways.ts';
import { inputFolder } from '../support/input-folder.ts';

const FILE_COUNT = scaled(16, 1_500);
/** Lines of a table that are used. */
const LINES = 90;

const TABLES = [
  ...['dialects/made/01/prices.csv', 'dialects/made/04/IJKL.csv', 'dialects/made/04/MNOP.csv'],
  ...['dialects/made/reuse/reuse.csv', 'dialects/made/13/ABCD.csv', 'dialects/made/14/MNOP.csv'],
  ...['dialects/made/03/ABCD.csv', 'dialects/made/07/ABCD.txt', 'dialects/real/AAPL-pdr.txt'],
  ...['dialects/real/AAPL-shifted.txt', 'dialects/real/HistoricalData_AAPL.csv'],
  ...['dialects/real/yf-adj-AAPL.csv', 'daily/other/SPY_D.pandas-ta.csv'],
  ...['daily/yahoo_csv/brk-b.csv', 'nasty/skender/bad.csv', 'nasty/skender/zeros.csv'],
  ...['nasty/skender/mismatch.csv', 'nasty/yfinance/JENYX-1d-cg-double-count.csv'],
];

/** Returns the first lines of a table, with a column of two symbols if it has none. */
function tableOf(path: string): string {
  const text = readFileSync(realdata(path), 'utf8').replace(/^\ufeff/, '');
  const lines = text.split(/\r?\n/).filter(Boolean).slice(0, LINES);
  if (/tic|symbol/i.test(lines[0])) return `${lines.join('\n')}\n`;
  const delimiter = lines[0].includes('\t') ? '\t' : ',';
  const named = lines.map((line, at) => {
    return line + delimiter + (at === 0 ? 'symbol' : at < lines.length / 2 ? 'AAA' : 'BBB');
  });
  return `${named.join('\n')}\n`;
}

type Damage = (text: string, at: number, other: number, piece: string) => string;

const lineAt = (text: string, at: number): [start: number, end: number] => {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  return [start, end === -1 ? text.length : end + 1];
};

const DAMAGES: Damage[] = [
  (text, at, _, piece) => text.slice(0, at) + piece + text.slice(at),
  (text, at, _, piece) => text.slice(0, at) + piece + text.slice(at + 1),
  (text, at, length) => text.slice(0, at) + text.slice(at + 1 + (length % 4)),
  (text, at, length) => text.slice(0, at) + text.slice(at + 1 + (length % 200)),
  // A line again, somewhere else or at the end.
  (text, at, other) => {
    const line = text.slice(...lineAt(text, at));
    const [to] = lineAt(text, other % text.length);
    return text.slice(0, to) + line + text.slice(to);
  },
  (text, at) => text + text.slice(...lineAt(text, at)),
  (text, at) => text.slice(0, at),
];

const PIECES = [
  ...['0', '9', '-', '.', ',', ';', '\t', ' ', '"', "'", '\n', '\r', '\r\n', '\n\n', '_', 'e', 'E'],
  ...['\u0000', '\u0001', '\u007f', 'é', '\ufeff', 'nan', 'inf', '1e5', '#', '+', '/', ':', 'x'],
];

const damage = fc.tuple(
  fc.constantFrom(...DAMAGES),
  fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  fc.nat(1_000_000),
  fc.constantFrom(...PIECES),
);

const damaged = hasRealdata
  ? fc
      .tuple(fc.constantFrom(...TABLES.map(tableOf)), fc.array(damage, { maxLength: 4 }))
      .map(([table, damages]) =>
        damages.reduce(
          (text, [change, share, other, piece]) =>
            // The header decides how a file is read.
            change(
              text,
              text.indexOf('\n') + 1 + Math.floor(share * text.length * 0.9),
              other,
              piece,
            ),
          table,
        ),
      )
  : fc.constant('');

const input = inputFolder(damaged, FILE_COUNT);

it.skipIf(!hasRealdata)('gives the same of damaged tables both ways', async () => {
  const { folder, context } = input();
  const typed = await bothWays((more) => fetchFiles({ path: folder, ...more }, context), context);
  expect(countOfGroups(typed, true)).toBeGreaterThan(scaled(4, 10));
});
