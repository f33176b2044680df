/** The end of a load, as a person reads it and as a program does. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportLines, type TimedReport } from '../../../src/cli/backfill/report.ts';
import { long } from '../../support/store-runs.ts';
import { writeCandleFile } from '../support/candle-file.ts';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';

let folder: CliFolder;
const quarantined = /^refused 2 rows; lines and reasons are in (.+\.csv)$/;

beforeAll(() => {
  folder = createCliFolder();
});
afterAll(() => folder.remove());

async function linesOf(...args: string[]): Promise<string[]> {
  return linesOfExit(0, ...args);
}

async function linesOfExit(expected: number, ...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await folder.run(...args);
  expect([code, stderr.match(/tapeworks:.*/)]).toEqual([expected, null]);
  return stdout.trimEnd().split('\n');
}

/** Times differ from run to run. */
function untimed(line: string): string {
  return line.replace(/ in \d+(\.\d)? s/, ' in N s');
}

describe('a load of files', () => {
  const input = () => join(folder.dataDir, 'in');

  // It printed "series changed: 2", "rows changed: 0" and a line for each empty file.
  it('ends with bars, symbols, days, what is served, refused and skipped', async () => {
    mkdirSync(input());
    const bars = writeCandleFile(join(input(), 'abc.csv'), '2025-01-02', '2025-03-31');
    const header = 'Date,Open,High,Low,Close,Volume';
    const rows = ['2025-01-02,1,1,1,1,5', '2025-01-03,1,1,2,1,5', '2025-01-06,0,1,0,1,5'];
    writeFileSync(join(input(), 'bad.csv'), [header, ...rows, ''].join('\n'));
    for (const name of 'lmnop') writeFileSync(join(input(), `${name}.csv`), '');
    writeFileSync(join(input(), 'odd.csv'), 'x,y\n1,2\n');
    // One of the files has data and none of them is loaded.
    const lines = await linesOfExit(1, 'backfill', 'files', 'candles', input());
    const path = quarantined.exec(lines.at(5) ?? '')?.[1];
    expect(lines.map(untimed)).toEqual([
      `${bars + 1} daily bars of 2 symbols, 2025-01-02 to 2025-03-31, in N s`,
      'read abc.csv and 1 more: daily bars of 2 symbols by the name of the file, prices as traded, by default: nothing in the file tells, dates as written, decimal point, volume in shares, US dollars',
      '2 series have new or different bars',
      'served before: no bars',
      `served now: ${bars + 1} daily bars of 2 symbols, 2025-01-02 to 2025-03-31 (published as version 1)`,
      `refused 2 rows; lines and reasons are in ${path}`,
      '  1: low is above open or close',
      '  1: open is not above zero',
      'skipped 5 inputs: it has zero bytes (l.csv, m.csv, n.csv and 2 more)',
      'skipped 1 input: no header is recognised; a header is like: date,open,high,low,close,volume (odd.csv)',
      'next: if the file is yours, correct the refused rows and load it again',
      'next: npx tapeworks start, then http://127.0.0.1:0/?symbol=ABC shows it',
      'next: npx tapeworks chart ABC draws it',
      'next: npx tapeworks explain ABC 2025-03-31 shows where a bar comes from',
      "next: curl -H 'X-API-Key: svc_live_…' 'http://127.0.0.1:0/v1/svc/technical/ABC?indicators=sma:20,rsi'",
    ]);
  });

  it('says that nothing is new where all was loaded before', async () => {
    const lines = await linesOfExit(1, 'backfill', 'files', 'candles', input());
    expect(untimed(lines[0])).toBe('nothing new (1 input loaded before), in N s');
    expect(lines[1]).toMatch(
      /^served now: \d+ daily bars of 2 symbols, .+ \(published as version 1\)$/,
    );
  });

  long('tells programs the same', async () => {
    const path = join(folder.dataDir, 'def.csv');
    const bars = writeCandleFile(path, '2025-02-03', '2025-02-28');
    const report = await folder.json('backfill', 'files', 'candles', path);
    const days = { firstDay: '2025-02-03', lastDay: '2025-02-28' };
    expect(report).toMatchObject({
      mode: 'live',
      quarantine: null,
      loaded: [
        { dataset: 'candles', interval: '1d', rows: bars, symbols: 1, ...days, lastSymbol: 'DEF' },
      ],
      seriesChanged: 1,
      readings: [
        {
          ...{ files: 1, first: 'def.csv', symbols: 1, symbol: 'DEF' },
          reading: {
            interval: { words: 'daily bars', facts: [] },
            symbol: { words: 'by the name of the file', facts: [] },
            basis: { words: 'prices as traded, by default: nothing in the file tells', facts: [] },
            dates: { words: 'dates as written', facts: [] },
            decimals: { words: 'decimal point', facts: [] },
            volume: { words: 'volume in shares', facts: [] },
            currency: { words: 'US dollars', facts: [] },
          },
        },
      ],
    });
    const [before] = report.served.before;
    const [after] = report.served.after;
    expect([after.bars - before.bars, after.symbols - before.symbols]).toEqual([bars, 1]);
    expect(report.page).toBe('http://127.0.0.1:0/?symbol=DEF');
    expect(report.rowsPerSecond).toBe(Math.round(bars / report.seconds));
  });

  long('says which bars a correction has changed, though their count has not', async () => {
    const path = join(folder.dataDir, 'def-2.csv');
    writeFileSync(path, 'Date,Open,High,Low,Close,Volume\n2025-02-28,9,9,9,9,9\n');
    const options = ['--symbol', 'DEF', '--as-of', '2025-03-31'];
    const lines = await linesOf('backfill', 'files', 'candles', path, ...options);
    expect(untimed(lines[0])).toBe('1 daily bar of 1 symbol, 2025-02-28, in N s');
    expect(lines[1]).toBe(
      'read def-2.csv: daily bars of DEF by --symbol, prices as traded, by default: nothing in the file tells, dates as written, decimal point, volume in shares, US dollars',
    );
    expect(lines[2]).toBe('1 series has new or different bars');
    expect(lines[3]).toMatch(/^served now: /);
  });
});

long('a load of rows names them, and no bars', async () => {
  const path = join(folder.dataDir, 'news.csv');
  writeFileSync(path, (await folder.run('template', 'news')).stdout);
  const lines = await linesOf('backfill', 'files', 'news', path);
  expect(lines.map(untimed)).toEqual([
    expect.stringMatching(/^1 row of news for 1 symbol, \d{4}-\d\d-\d\d, in N s$/),
    '1 row is new or different',
    expect.stringMatching(/^published as version \d$/),
    expect.stringMatching(/^next: npx tapeworks start, then .+\/\?symbol=[A-Z]+ shows it$/),
    expect.stringMatching(
      /^next: curl -H 'X-API-Key: svc_live_…' 'http:\/\/127\.0\.0\.1:0\/v1\/svc\/news\/[A-Z]+'$/,
    ),
  ]);
});

it('a load of corporate actions names their days', async () => {
  const path = join(folder.dataDir, 'actions.csv');
  const rows = ['ABC,dividend,2025-02-03,,,0.5', 'ABC,split,2024-12-30,2,1,'];
  writeFileSync(path, ['symbol,type,exDate,numerator,denominator,amount', ...rows, ''].join('\n'));
  const lines = await linesOf('backfill', 'files', 'corporate-actions', path);
  expect(untimed(lines[0])).toBe(
    '2 rows of corporate-actions for 1 symbol, 2024-12-30 to 2025-02-03, in N s',
  );
});

long('the sandbox is told dataset by dataset, on one screen', async () => {
  const lines = await linesOf('backfill', 'sandbox', '--stocks', '3', '--from', '2026-09-01');
  expect(lines.length).toBeLessThanOrEqual(24);
  expect(untimed(lines[0])).toMatch(/^[\d,]+ rows in N s( \([\d,]+ rows\/s\))?:$/);
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}and \d+ more datasets$/));
  expect(lines.at(-2)).toMatch(/^next: .+ --mode sandbox shows where a bar comes from$/);
  expect(lines.at(-1)).toMatch(/^next: curl -H 'X-API-Key: svc_test_…' '.+\/technical\/Q/);
});

it('has at most 31 lines, whatever went wrong', () => {
  const dataset = (n: number) => ({
    ...{ dataset: `dataset-${n}`, interval: null, rows: n, symbols: 1 },
    ...{ firstDay: null, lastDay: null, lastSymbol: null },
  });
  const bars = { ...dataset(9), dataset: 'candles', interval: '1d', lastSymbol: 'A' };
  const report: TimedReport = {
    ...{ plan: 'p', mode: 'live', plannedMs: 0, segments: 99, alreadyLoaded: 9, accepted: 9 },
    rejected: 99,
    rejectedByReason: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`reason ${i}`, i])),
    quarantine: '/quarantine',
    skipped: Array.from({ length: 400 }, (_, i) => ({
      name: `${i}.csv`,
      reason: i < 300 ? `a copy of "${i}.txt"` : `reason ${'x'.repeat(i % 50)}`,
    })),
    notes: Array.from({ length: 40 }, (_, i) => `decided ${i}`),
    readings: Array.from({ length: 40 }, (_, i) => ({
      ...{ files: i, first: `${i}.csv`, symbols: i, symbol: null },
      reading: { interval: { words: 'daily bars', facts: [] } },
    })),
    loaded: [bars, ...Array.from({ length: 12 }, (_, i) => dataset(i))],
    ...{ seriesChanged: 1, rowsChanged: 1, publishedVersion: 2, deadJobs: [] },
    served: {
      before: [],
      after: [
        { interval: '1d', bars: 9, symbols: 1, firstDay: '2025-01-02', lastDay: '2025-01-03' },
      ],
    },
    ...{ seconds: 1, rowsPerSecond: 9, page: null },
  };
  const lines = reportLines(report, { address: 'http://127.0.0.1:8787', isRunning: true });
  expect(lines.length).toBeLessThanOrEqual(31);
  expect(lines).toContain(
    `skipped 300 inputs: ${report.skipped[0].reason} (0.csv; likewise 1.csv, 2.csv and 297 more)`,
  );
  expect(lines).toContain('  and 37 more reasons (--json)');
});

// They were counted as refused, with the advice to correct them.
long('counts rows that fill a day without a session as left out', async () => {
  const path = join(folder.dataDir, 'fill.csv');
  const days = ['02', '03', '06', '07', '08', '10', '13', '14'].map((day) => `2025-01-${day}`);
  const bars = days.map((day, i) => `${day},10,11,9,10.${i},5`);
  bars.splice(2, 0, '2025-01-04,10.1,10.1,10.1,10.1,0', '2025-01-05,10.1,10.1,10.1,10.1,0');
  writeFileSync(path, ['date,open,high,low,close,volume', ...bars, ''].join('\n'));
  const lines = await linesOf('backfill', 'files', 'candles', path);
  expect(lines).toContain('left out 2 rows that only fill a day without a session');
  expect(lines.filter((line) => /refused/.test(line))).toEqual([]);
});

it('ends with 1 where all dates are in the future', async () => {
  const path = join(folder.dataDir, 'late.csv');
  writeFileSync(
    path,
    'date,open,high,low,close,volume\n2034-01-03,1,1,1,1,1\n2034-01-04,1,1,1,1,1\n',
  );
  const lines = await linesOfExit(1, 'backfill', 'files', 'candles', path);
  expect(lines).toContain('  2: date is in the future');
});
