/** A day of many symbols of which two look wrong: these are held, the others are served. */

import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { readHeld } from '../../../jobs/load/held-records.ts';
import { long } from '../../support/store-runs.ts';
import { useCliFolder } from '../support/run-cli.ts';

const cli = useCliFolder();

const DAYS = ['2025-11-10', '2025-11-11', '2025-11-12', '2025-11-13', '2025-11-14'];
const MONDAY = '2025-11-17';
const SYMBOLS = Array.from({ length: 40 }, (_, i) => `S${10 + i}`);

function write(name: string, days: readonly string[], closeOf: (symbol: string) => number): string {
  const path = join(cli.dataDir, name);
  const rows = SYMBOLS.flatMap((symbol) =>
    days.map((date) => {
      const close = closeOf(symbol);
      return `${symbol},${date},${close},${close},${close},${close},1000,0`;
    }),
  );
  writeFileSync(path, ['Symbol,Date,Open,High,Low,Close,Volume,OpenInt', ...rows, ''].join('\n'));
  return path;
}

const load = (path: string, ...options: string[]) =>
  cli.run('backfill', 'files', 'candles', path, '--basis', 'all', ...options);

async function closesOf(symbol: string): Promise<number[]> {
  const sql = `SELECT close FROM candles WHERE symbol = '${symbol}' ORDER BY ts`;
  return (await cli.json('sql', sql)).map(({ close }: { close: number }) => close);
}

const PRICES: Record<string, number> = { S12: 50.6, S30: 10, S14: 80 };

it('holds two symbols, loads the others, and accepts one at a time', async () => {
  await load(write('history.csv', DAYS, () => 100));
  const day = write('day.csv', [MONDAY], (symbol) => PRICES[symbol] ?? 101);
  const held = await load(day);
  expect(held.code).toBe(1);
  expect(held.stderr).toMatch(
    /2 symbols are held .* the other 38 of .*day\.csv are published: 2 series go on at another price level .*: S12 from 100 on 2025-11-14 to 50\.6/,
  );
  expect(held.stderr).toContain('--accept S12');
  // The note was lost where another symbol is held.
  expect(held.stderr).toContain('small split: S14 from 100 on 2025-11-14 to 80 on 2025-11-17. If');
  expect(await closesOf('S11')).toEqual([100, 100, 100, 100, 100, 101]);
  expect(await closesOf('S12')).toEqual([100, 100, 100, 100, 100]);
  const list = await cli.json('segments', 'list');
  expect(list.held).toMatchObject([{ symbols: [{ symbol: 'S12' }, { symbol: 'S30' }] }]);
  expect(list.segments).toMatchObject([{ accepted: 38 }, { accepted: 200 }]);

  expect((await load(day)).code).toBe(1);
  // The count was that of all held symbols, also of the accepted one.
  expect((await load(day, '--accept', 'S12')).stderr).toMatch(
    /1 symbol is held .*: 1 series goes on .*: S30 from 100/,
  );
  expect(await closesOf('S12')).toEqual([100, 100, 100, 100, 100, 50.6]);
  expect(await closesOf('S30')).toHaveLength(5);
  const [dead] = await cli.json('jobs', 'list', '--dead');
  expect((await cli.run('jobs', 'retry', dead.id)).code).toBe(1);
  expect((await cli.run('jobs', 'retry', dead.id, '--accept', 'S30')).code).toBe(0);
  expect(await closesOf('S30')).toEqual([100, 100, 100, 100, 100, 10]);
  expect((await cli.json('segments', 'list')).held).toEqual([]);
  expect((await load(day)).stdout).toContain('nothing new');
});

// What was left of the file was judged by its one refused row.
long('loads a held symbol that a file has explained, also with a refused row', async () => {
  const day = write('tuesday.csv', ['2025-11-18'], (symbol) =>
    symbol === 'S13' ? 50.6 : (PRICES[symbol] ?? 102),
  );
  appendFileSync(
    day,
    readFileSync(day, 'utf8')
      .split('\n')
      .find((line) => line.startsWith('S13'))!,
  );
  expect((await load(day)).stderr).toContain('S13 from 101 on 2025-11-17 to 50.6');
  const rows = [...DAYS, MONDAY].map((date) => {
    const half = date === MONDAY ? 50.5 : 50;
    return `S13,${date},${half},${half},${half},${half},2000,0`;
  });
  const path = join(cli.dataDir, 'fresh.csv');
  writeFileSync(path, `Symbol,Date,Open,High,Low,Close,Volume,OpenInt\n${rows.join('\n')}\n`);
  expect(await load(path)).toMatchObject({ code: 0 });
  const again = await load(day);
  expect(again.code === 0 ? '' : again.stderr).toBe('');
  expect((await closesOf('S13')).slice(-2)).toEqual([50.5, 50.6]);
});

// A file of 40 symbols was held as a whole, because the rows of one stood twice.
long('holds the symbol that has most of the rejected rows', async () => {
  const path = join(cli.dataDir, 'many.csv');
  const rows = Array.from({ length: 1000 }, (_, i) => {
    const [symbol, day] = [
      `T${100 + (i % 40)}`,
      new Date(Date.UTC(2025, 0, 6 + Math.floor(i / 40))),
    ];
    return `${symbol},${day.toISOString().slice(0, 10)},50,50,50,50,1000,0`;
  });
  const twice = rows.filter((row) => row.startsWith('T107'));
  const bad = 'T108,2025-03-03,0,50,50,50,1000,0';
  const text = ['Symbol,Date,Open,High,Low,Close,Volume,OpenInt', ...rows, ...twice, bad, ''];
  writeFileSync(path, text.join('\n'));
  const held = await load(path, '--interval', '1d');
  expect(held.code).toBe(1);
  expect(held.stderr).toContain('many of their rows were rejected: T107 25 of 50');
  // What is left of the file has few rows, and was loaded by the second try.
  expect((await load(path, '--interval', '1d')).stderr).toContain('T107 25 of 50');
  expect(await closesOf('T107')).toEqual([]);
  expect(await closesOf('T108')).toHaveLength(25);
  // The reasons of the whole file stood in the report of each part.
  const { stdout } = await load(path, '--interval', '1d', '--accept', 'T107', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    rejected: 25,
    rejectedByReason: { 'a newer line has the same date': 25 },
  });
  expect(await closesOf('T107')).toHaveLength(25);
});

// It stayed in the list for ever, beside the bars of the file that mended it.
long('ends the hold of a symbol that another file mends', async () => {
  const file = (
    name: string,
    symbols: readonly string[],
    days: readonly string[],
    close: number,
  ) => {
    const path = join(cli.dataDir, name);
    const rows = symbols.flatMap((symbol) =>
      days.map((date) => `${symbol},${date},${close},${close},${close},${close},1000,0`),
    );
    writeFileSync(path, ['Symbol,Date,Open,High,Low,Close,Volume,OpenInt', ...rows, ''].join('\n'));
    return path;
  };
  const origins = async () =>
    (await cli.json('segments', 'list')).held
      .map(({ origin }: { origin: string }) => origin)
      .filter((origin: string) => /mend|lone/.test(origin));
  await load(file('mend-history.csv', ['MNDA', 'MNDB', 'MNDC'], DAYS, 100));
  const day = file('mend-day.csv', ['MNDA', 'MNDB'], [MONDAY], 101);
  appendFileSync(day, `MNDC,${MONDAY},50.2,50.2,50.2,50.2,2000,0\n`);
  await load(day);
  await load(file('lone-day.csv', ['MNDC'], [MONDAY], 50.2));
  expect(await origins()).toEqual([
    expect.stringContaining('lone'),
    expect.stringContaining('mend'),
  ]);
  const mended = file('mended.csv', ['MNDC'], [...DAYS.slice(2), MONDAY], 50);
  expect((await load(mended)).code).toBe(0);
  expect(await origins()).toEqual([]);
  expect(await closesOf('MNDC')).toEqual([50, 50, 50, 50, 50, 50]);
});

// It stayed in the list after a repair, and after the file was corrected.
long('ends the hold of bars that are served now, or whose file has a newer content', async () => {
  const loaded = async (name: string, closes: readonly number[]) => {
    const path = join(cli.dataDir, name);
    const rows = closes.map((close, i) => `${DAYS[i]},${close},${close},${close},${close},1000`);
    writeFileSync(path, ['Date,Open,High,Low,Close,Volume', ...rows, ''].join('\n'));
    return (await load(path)).code;
  };
  const held = () =>
    readHeld({ segments: join(cli.dataDir, 'live', 'segments') })
      .map(({ origin }) => basename(origin))
      .filter((name) => name.startsWith('SET'));
  expect(await loaded('SETA.csv', [100, 101, 102, 103, 104])).toBe(0);
  expect(await loaded('SETA.csv', [100, 1010, 102, 103, 104])).toBe(1);
  expect(held()).toEqual(['SETA.csv']);
  expect(await loaded('SETA.csv', [100, 101.5, 102, 103, 104])).toBe(0);
  expect(held()).toEqual([]);
  expect(await loaded('SETA.csv', [100, 1010, 102, 103, 104.5])).toBe(1);
  expect(held()).toEqual(['SETA.csv']);
  await cli.json('repair', 'SETA', '2025-11-11', '--close', '1010', '--high', '1010');
  expect(held()).toEqual([]);
  // Nothing of the symbol was served when it was held.
  expect(await loaded('SETC.csv', [100, 101, 1.02, 1.03, 1.04])).toBe(1);
  expect(await loaded('SETC.csv', [100, 101, 1.03, 1.03, 1.04])).toBe(1);
  expect(held()).toEqual(['SETC.csv']);
  expect(await loaded('SETC.csv', [100, 101, 102, 103, 104])).toBe(0);
  expect(held()).toEqual([]);
});
