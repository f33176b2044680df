/**
 * Layouts of other engines, read here as their formats say. Those of zipline and qlib are read by
 * the engines themselves in layouts.long.test.ts.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { long } from '../../support/store-runs.ts';
import { useCliFolder } from '../support/run-cli.ts';
import { loadLayoutBars, SESSIONS } from './support/layout-bars.ts';

const folder = useCliFolder();
const again = useCliFolder();
const placeOf = (name: string) => join(folder.dataDir, name);
const read = (name: string) => readFileSync(placeOf(name), 'utf8');
const exported = (layout: string) =>
  folder.json('export', 'candles', '--layout', layout, '--out', placeOf(layout));

const [SPLIT_DAY, DIVIDEND_DAY] = [SESSIONS[50], SESSIONS[60]];

beforeAll(() => loadLayoutBars(folder));

describe('zipline', () => {
  it('has prices as traded, actions, and a row for each session', async () => {
    expect(await exported('zipline')).toMatchObject({
      ...{ symbols: 6, filled: 5, rounded: 0, tooLarge: 1, asStored: [], unlisted: [] },
    });
    const rows = read('zipline/daily/SPLT.csv').trimEnd().split('\n');
    expect(rows[0]).toBe('date,open,high,low,close,volume,dividend,split');
    expect(rows).toHaveLength(SESSIONS.length + 1);
    expect(rows[50]).toBe(`${SESSIONS[49]},100,101,99,100.5,1049,0,1`);
    expect(rows[51]).toBe(`${SPLIT_DAY},50,50.5,49.5,50.25,1050,0.25,2`);
    expect(rows[61]).toBe(`${DIVIDEND_DAY},50,50.5,49.5,50.25,1060,0.5,1`);
  });

  it('repeats the last close in a hole, without volume', () => {
    const rows = read('zipline/daily/HOLE.csv').trimEnd().split('\n');
    expect(rows).toHaveLength(SESSIONS.length + 1);
    expect(rows[11]).toBe(`${SESSIONS[10]},100.5,100.5,100.5,100.5,0,0,1`);
  });

  it('has no dot in a name, where zipline cuts it', () => {
    expect(readdirSync(placeOf('zipline/daily')).sort()).toEqual(
      ['BRK-B', 'CON', 'HOLE', 'LARGE', 'NA', 'SPLT'].map((name) => `${name}.csv`),
    );
  });
});

describe('qlib', () => {
  const values = (path: string) => {
    const bytes = readFileSync(placeOf(`qlib/features/${path}.day.bin`));
    return [...new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)];
  };

  it('has a calendar, its instruments and a place in the calendar', async () => {
    expect(await exported('qlib')).toMatchObject({ symbols: 6, filled: 5, unlisted: ['NA'] });
    expect(read('qlib/calendars/day.txt').trimEnd().split('\n')).toEqual(SESSIONS);
    const [first, last] = [SESSIONS[0], SESSIONS.at(-1)];
    const lines = read('qlib/instruments/all.txt').trimEnd().split('\n');
    expect(lines).toContain(`BRK.B\t${first}\t${last}`);
    expect(lines).toContain(`LARGE\t${SESSIONS[20]}\t${last}`);
    expect(lines.some((line) => line.startsWith('NA\t'))).toBe(false);
    expect(values('large/close')[0]).toBe(20);
    expect(existsSync(placeOf('qlib/features/_qlib_con/close.day.bin'))).toBe(true);
    expect(existsSync(placeOf('qlib/features/na/close.day.bin'))).toBe(true);
  });

  it('has adjusted prices, and the factor that gives the traded ones', () => {
    const dividendFactor = 1 - 0.5 / 50.25;
    const sameDay = 1 - 0.25 / (100.5 / 2);
    const factor = values('splt/factor').slice(1);
    expect(factor[60]).toBe(1);
    expect(factor[59]).toBeCloseTo(dividendFactor, 6);
    expect(factor[49]).toBeCloseTo((dividendFactor * sameDay) / 2, 6);
    const close = values('splt/close').slice(1);
    for (const row of [0, 49, 50, 59, 60]) {
      expect(close[row] / factor[row]).toBeCloseTo(row < 50 ? 100.5 : 50.25, 4);
      expect(values('splt/volume')[row + 1] * factor[row]).toBeCloseTo(1000 + row, 2);
    }
    expect(values('hole/close').slice(11, 16)).toEqual(Array(5).fill(Number.NaN));
  });
});

describe('LEAN', () => {
  it('has factors up to the day before an ex-date, and its tickers', async () => {
    expect(await exported('lean')).toMatchObject({ symbols: 6, filled: 0, rounded: 0 });
    const factors = read('lean/equity/usa/factor_files/splt.csv').split('\n');
    const compact = (day: string) => day.replaceAll('-', '');
    const [sameDay, dividend] = [1 - 0.25 / (100.5 / 2), 1 - 0.5 / 50.25];
    const shown = (factor: number) => Number(factor.toFixed(12));
    expect(factors).toEqual([
      `${compact(SESSIONS[0])},${shown(sameDay * dividend)},0.5,1`,
      `${compact(SESSIONS[49])},${shown(sameDay * dividend)},0.5,100.5`,
      `${compact(SESSIONS[59])},${shown(dividend)},1,50.25`,
      '20501231,1,1,0',
    ]);
    const maps = read('lean/equity/usa/map_files/brk.b.csv').split('\n');
    expect(maps).toEqual([`${compact(SESSIONS[0])},brk.b`, '20501231,brk.b']);
  });

  long('loads again as the same bars', async () => {
    const bars = 'SELECT symbol, ts, open, high, low, close, volume FROM candles ORDER BY ALL';
    await again.json('backfill', 'files', 'candles', placeOf('lean/equity/usa/daily'));
    expect(await again.json('sql', bars)).toEqual(await folder.json('sql', bars));
  });
});

describe('a folder', () => {
  it('that has files is refused, and an option that a layout has no use for', async () => {
    const refused = async (...options: string[]) => {
      const result = await folder.run('export', 'candles', '--layout', 'lean', ...options);
      expect(result.code).toBe(2);
      return result.stderr;
    };
    expect(await refused('--out', placeOf('lean'))).toContain(
      '--out must be a new or an empty folder',
    );
    const out = ['--out', placeOf('other')];
    expect(await refused(...out, '--format', 'csv')).toContain('--format has no meaning');
    expect(await refused(...out, '--adjustment', 'all')).toContain('--adjustment has no meaning');
    expect(await refused(...out, '--symbols', 'ZZZZ')).toContain('--symbols are unknown: ZZZZ');
    expect(existsSync(placeOf('other'))).toBe(false);
  });
});
