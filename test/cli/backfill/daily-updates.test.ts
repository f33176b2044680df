/** A universe that its owner updates day by day: by files of every basis, and by a vendor. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startVendorServer, type VendorServer } from '../../ingest/support/vendor-server.ts';
import { long, someOf } from '../../support/store-runs.ts';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';

/** Sessions of November 2025; the 27th is Thanksgiving. */
const HISTORY = ['2025-11-10', '2025-11-11', '2025-11-12', '2025-11-13', '2025-11-14'];
const MONDAY = '2025-11-17';
const TUESDAY = '2025-11-18';

const folders: CliFolder[] = [];
afterAll(async () => {
  for (const folder of folders) await folder.remove();
});

function newFolder(env: Record<string, string> = {}): CliFolder {
  const folder = createCliFolder(env);
  folders.push(folder);
  return folder;
}

type Closes = Record<string, number>;

/** Closes that rise by 1 a day. */
function rising(dates: readonly string[], first: number, step = 1): Closes {
  return Object.fromEntries(dates.map((date, i) => [date, first + i * step]));
}

/** Writes a file a symbol in the layout of universes: adjusted for everything, unless --basis. */
function writeHistory(folder: CliFolder, closes: Record<string, Closes>): string {
  const path = join(folder.dataDir, 'universe');
  mkdirSync(path, { recursive: true });
  for (const [symbol, own] of Object.entries(closes)) {
    const rows = Object.entries(own).map(([date, c]) => `${date},${c},${c},${c},${c},1000,0`);
    const text = ['Date,Open,High,Low,Close,Volume,OpenInt', ...rows, ''].join('\n');
    writeFileSync(join(path, `${symbol.toLowerCase()}.us.txt`), text);
  }
  return path;
}

/** Writes one file with days of several symbols, in the same layout. */
function writeDays(folder: CliFolder, name: string, closes: Record<string, Closes>): string {
  const path = join(folder.dataDir, name);
  const rows = Object.entries(closes).flatMap(([symbol, own]) =>
    Object.entries(own).map(([date, c]) => `${symbol},${date},${c},${c},${c},${c},1000,0`),
  );
  writeFileSync(path, ['Symbol,Date,Open,High,Low,Close,Volume,OpenInt', ...rows, ''].join('\n'));
  return path;
}

async function served(folder: CliFolder, symbol: string): Promise<Closes> {
  const sql = `SELECT ts::DATE::VARCHAR AS day, round(close, 6) AS close FROM candles
    WHERE symbol = '${symbol}' AND interval = '1d' ORDER BY ts`;
  const rows: { day: string; close: number }[] = await folder.json('sql', sql);
  return Object.fromEntries(rows.map(({ day, close }) => [day, close]));
}

const load = (folder: CliFolder, path: string, ...options: string[]) =>
  folder.json('backfill', 'files', 'candles', path, ...options);

const refused = async (folder: CliFolder, path: string, ...options: string[]) => {
  const { code, stderr } = await folder.run('backfill', 'files', 'candles', path, ...options);
  expect(code).toBe(1);
  return stderr;
};

describe.each(someOf(['all', 'split', 'raw'], 3))('a universe of basis %s', (basis) => {
  const folder = newFolder();
  const options = ['--basis', basis];

  it('goes on with the file of the next day', async () => {
    const aaa = rising(HISTORY, 400);
    const bbb = rising(HISTORY, 50);
    await load(folder, writeHistory(folder, { AAA: aaa, BBB: bbb }), ...options);
    const monday = { AAA: { [MONDAY]: 405 }, BBB: { [MONDAY]: 55 } };
    await load(folder, writeDays(folder, 'day.csv', monday), ...options);
    expect(await served(folder, 'AAA')).toEqual({ ...aaa, [MONDAY]: 405 });
    expect(await served(folder, 'BBB')).toEqual({ ...bbb, [MONDAY]: 55 });
  });

  it('is brought to the basis of a file with a split and a dividend in it', async () => {
    // AAA splits 4:1 on Tuesday; BBB goes ex a dividend of 1.1 on a price of 55.
    const isRaw = basis === 'raw';
    const [split, dividend] = [isRaw ? 1 : 4, basis === 'all' ? 0.98 : 1];
    const tuesday = {
      AAA: { [MONDAY]: 405 / split, [TUESDAY]: 102 },
      BBB: { [MONDAY]: 55 * dividend, [TUESDAY]: 54 },
    };
    const path = writeDays(folder, 'tuesday.csv', tuesday);
    await load(folder, path, ...options);
    const aaa = await served(folder, 'AAA');
    expect(aaa).toEqual({ ...rising(HISTORY, 400 / split, 1 / split), ...tuesday.AAA });
    const bbb = await served(folder, 'BBB');
    expect(Object.keys(bbb)).toEqual([...HISTORY, MONDAY, TUESDAY]);
    for (const [i, date] of HISTORY.entries()) {
      expect(bbb[date]).toBeCloseTo((50 + i) * dividend, 3);
    }
    expect(bbb[TUESDAY]).toBe(54);
  });
});

describe('a load is held, and what is served stays', () => {
  const folder = newFolder();
  const aaa = rising(HISTORY, 400);
  const expectKept = async () => expect(await served(folder, 'AAA')).toEqual(aaa);

  it('where its first day is at another price and no common day tells of a split', async () => {
    await load(folder, writeHistory(folder, { AAA: aaa }));
    const path = writeDays(folder, 'split.csv', { AAA: { [MONDAY]: 101 } });
    expect(await refused(folder, path)).toMatch(
      /AAA from 404 on 2025-11-14 to 101 on 2025-11-17.*--accept/s,
    );
    await expectKept();
  });

  it('where it begins weeks after the history', async () => {
    const path = writeDays(folder, 'later.csv', { AAA: { '2025-12-15': 410 } });
    expect(await refused(folder, path)).toMatch(
      /AAA ends 2025-11-14 and goes on 2025-12-15, 19 sessions later.*--accept/s,
    );
    await expectKept();
  });

  // Stooq's file of a day over a history that `backfill files` loaded: nothing said what to do.
  long('where another command loaded the history, which goes on with that command', async () => {
    const path = join(folder.dataDir, '20251117_d.txt');
    const bar = 'AAA.US,D,20251117,000000,405,405,405,405,1000,0';
    const header = '<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>';
    writeFileSync(path, `${header}\n${bar}\n`);
    const { code, stderr } = await folder.run('backfill', 'stooq', path);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'their history was loaded with backfill files candles: load this with backfill files candles too',
    );
    await expectKept();
  });

  it('until it is accepted', async () => {
    const path = join(folder.dataDir, 'later.csv');
    await load(folder, path, '--accept');
    expect(await served(folder, 'AAA')).toEqual({ ...aaa, '2025-12-15': 410 });
  });
});

describe('a vendor that is asked again after a split', () => {
  let server: VendorServer | undefined;
  afterEach(() => server?.close());

  it('has its history brought to the new basis', async () => {
    const openMs = (date: string) => Date.parse(`${date}T14:30:00Z`);
    let days = [...HISTORY];
    let split = 1;
    server = await startVendorServer(({ url }, response) => {
      const fromMs = Number(url.searchParams.get('period1')) * 1000;
      const asked = days.filter((date) => openMs(date) >= fromMs);
      const column = asked.map((date) => (400 + days.indexOf(date)) / split);
      const at = openMs(MONDAY) / 1000;
      const stated = { date: at, numerator: 4, denominator: 1, splitRatio: '4:1' };
      const result = {
        meta: { symbol: 'AAA', exchangeTimezoneName: 'America/New_York', dataGranularity: '1d' },
        timestamp: asked.map((date) => openMs(date) / 1000),
        events: split === 1 ? {} : { splits: { [at]: stated } },
        indicators: {
          quote: [
            {
              ...{ open: column, high: column, low: column, close: column },
              volume: column.map(() => 1000),
            },
          ],
          adjclose: [{ adjclose: column }],
        },
      };
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ chart: { result: [result], error: null } }));
    });
    const folder = newFolder({ TAPEWORKS_YAHOO_URL: server.url });
    const early = ['2025-11-03', '2025-11-04', '2025-11-05', '2025-11-06', '2025-11-07'];
    days = [...early, ...HISTORY];
    await folder.json('backfill', 'yahoo', '--symbols', 'AAA');
    expect(Object.keys(await served(folder, 'AAA'))).toHaveLength(10);
    days = [...days, MONDAY];
    split = 4;
    await folder.json('backfill', 'yahoo', '--symbols', 'AAA');
    expect(await served(folder, 'AAA')).toEqual(rising(days, 100, 0.25));
  });
});
