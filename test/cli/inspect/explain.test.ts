import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeCandleFile } from '../support/candle-file.ts';
import { useCliFolder } from '../support/run-cli.ts';

const HEADER = 'Date,Open,High,Low,Close,Volume';
const ACTIONS_HEADER = `${HEADER},Adj Close,Dividends,Stock Splits`;

describe('explain', () => {
  const folder = useCliFolder();
  const path = (name: string) => join(folder.dataDir, name);

  /** A file of rows that have one price all day. */
  function writeRows(name: string, rows: readonly [date: string, price: number][]): void {
    const lines = rows.map(([date, p]) => `${date},${p},${p},${p},${p},1000`);
    writeFileSync(path(name), `${[HEADER, ...lines].join('\n')}\n`);
  }

  beforeAll(async () => {
    const load = (...args: string[]) => folder.json('backfill', 'files', 'candles', ...args);
    writeCandleFile(path('abc.csv'), '2025-01-02', '2025-03-31');
    await load(path('abc.csv'), '--basis', 'all');
    writeCandleFile(path('newer.csv'), '2025-01-02', '2025-03-31', 50);
    await load(path('newer.csv'), '--basis', 'all', '--symbol', 'ABC', '--as-of', '2025-05-01');

    writeRows('first.csv', [
      ['2025-01-02', 10],
      ['2025-01-03', 11],
      ['2025-01-07', 12],
    ]);
    writeRows('second.csv', [
      ['2025-01-03', 11.5],
      ['2025-01-08', 13],
    ]);
    await load(path('second.csv'), '--symbol', 'RAW');
    await load(path('first.csv'), '--symbol', 'RAW');

    const rows = [
      '2025-01-02,40,40,40,40,100,9.9,0,0',
      '2025-01-03,10,10,10,10,400,9.9,0,4',
      '2025-01-06,10,10,10,10,400,10,0.1,0',
    ];
    writeFileSync(path('split.csv'), `${[ACTIONS_HEADER, ...rows].join('\n')}\n`);
    await load(path('split.csv'), '--symbol', 'SPLT', '--basis', 'raw');
  });

  it('names the vintage that is served and the one that lost', async () => {
    const { status, bar, rivals } = await folder.json('explain', 'abc', '2025-01-06');
    expect(status).toBe('served');
    expect(bar).toMatchObject({
      source: 'files',
      basis: 'all',
      asOf: '2025-05-01T00:00:00.000Z',
      factor: 1,
      stored: { close: 50.02, volume: 1002 },
      origin: path('newer.csv'),
      file: { lines: 60, accepted: 60, rejected: 0 },
    });
    expect(rivals).toMatchObject([
      {
        asOf: '2025-03-31T00:00:00.000Z',
        reason: 'older-vintage',
        stored: { close: 100.02 },
        origin: path('abc.csv'),
      },
    ]);
  });

  it('names the raw row that was replaced by a newer file', async () => {
    const { bar, rivals } = await folder.json('explain', 'RAW', '2025-01-03');
    expect(bar).toMatchObject({
      basis: 'raw',
      stored: { close: 11.5 },
      origin: path('second.csv'),
    });
    expect(rivals).toMatchObject([
      { reason: 'older-vintage', stored: { close: 11 }, origin: path('first.csv') },
    ]);
  });

  it('gives the splits and dividends since, and the bar on every basis', async () => {
    const { factors, adjusted, actionsAfter, actionCoverage } = await folder.json(
      ...['explain', 'SPLT', '2025-01-02'],
    );
    expect(actionsAfter).toEqual([
      {
        type: 'split',
        exDate: '2025-01-03',
        numerator: 4,
        denominator: 1,
        amount: null,
        source: 'files',
        inForce: true,
      },
      {
        type: 'dividend',
        exDate: '2025-01-06',
        numerator: null,
        denominator: null,
        amount: 0.1,
        source: 'files',
        inForce: true,
      },
    ]);
    expect(actionCoverage).toEqual([{ source: 'files', from: '2025-01-02', to: '2025-01-06' }]);
    expect(factors).toEqual({ split: 0.25, dividend: 0.99 });
    expect(adjusted.map((row: { adjustment: string; close: number }) => row)).toMatchObject([
      { adjustment: 'raw', close: 40, volume: 100 },
      { adjustment: 'split', close: 10, volume: 400 },
      { adjustment: 'all', close: 9.9 },
    ]);
  });

  it.each([
    ['2025-01-04', 'not-a-session'],
    ['2025-01-06', 'gap'],
    ['2024-12-31', 'before-first-bar'],
    ['2025-01-10', 'after-last-bar'],
  ])('says why there is no bar on %s: %s', async (date, status) => {
    const document = await folder.json('explain', 'RAW', date);
    expect(document).toMatchObject({
      status,
      bar: null,
      adjusted: [],
      rivals: [],
      firstBar: '2025-01-02',
      lastBar: '2025-01-08',
    });
    const hole = { from: '2025-01-06', to: '2025-01-06', sessions: 1 };
    expect(document.hole).toEqual(status === 'gap' ? hole : null);
  });

  it('reads as sentences on a terminal', async () => {
    const { code, stdout } = await folder.run('explain', 'RAW', '2025-01-03');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^RAW 2025-01-03 \(live\): served from files\n {2}source files, basis raw/,
    );
    expect(stdout).toContain('\n1 other stored bar of this day:\n');
    expect(stdout).toContain(
      '- not served: an older file of the same source (its last day is 2025-01-07)\n',
    );
    const { stdout: gap } = await folder.run('explain', 'RAW', '2025-01-06');
    expect(gap).toContain('no bar: none from 2025-01-06 to 2025-01-06, 1 session');
  });

  it('fails for a symbol without bars, and is wrongly used with a day that is none', async () => {
    const unknown = await folder.run('explain', 'NOPE', '2025-01-03', '--json');
    expect([unknown.code, unknown.stdout]).toEqual([1, '']);
    expect(unknown.stderr).toContain('"NOPE"');
    const noDay = await folder.run('explain', 'RAW', '2025-02-30');
    expect([noDay.code, noDay.stdout]).toEqual([2, '']);
    expect(noDay.stderr).toContain('"2025-02-30"');
  });
});
