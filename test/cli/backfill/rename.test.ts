/** Renames and delistings from files to answered requests, through real processes. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { openMarketForWriting } from '../../../src/store/duckdb/connection/open.ts';
import { renameSecurity } from '../../support/state-facts.ts';
import { long } from '../../support/store-runs.ts';
import { writeCandleFile } from '../support/candle-file.ts';
import { useCliFolder } from '../support/run-cli.ts';
import { eventually, type Reply, served } from '../support/served.ts';

describe('a symbol that is renamed while a server runs', () => {
  const folder = useCliFolder();
  const file = (name: string) => join(folder.dataDir, name);
  let get: (path: string) => Promise<Reply>;
  let barCount: number;

  beforeAll(async () => {
    const write = (name: string, price: number) =>
      writeCandleFile(join(file('in'), `${name}.csv`), '2022-01-03', '2022-06-08', price);
    mkdirSync(file('in'));
    barCount = write('FB', 190);
    write('AAA', 20);
    write('ZZZ', 40);
    await folder.json('backfill', 'files', 'candles', file('in'));
    get = await served(folder);
  });

  it('keeps its history, under the new name and under the old one', async () => {
    const before = (await get('technical/FB?indicators=sma')).body;
    const walk = (await get('symbols?limit=1')).body;
    expect(walk.data[0].symbol).toBe('AAA');
    expect(await folder.json('symbols', 'rename', 'fb', 'META', '--on', '2022-06-09')).toEqual({
      mode: 'live',
      changed: true,
      securityId: expect.any(Number),
      symbol: 'META',
      ...{ delistedOn: null, delistedReason: null, lastClose: null },
      tickers: [
        { ticker: 'FB', from: null, to: '2022-06-08' },
        { ticker: 'META', from: '2022-06-09', to: null },
      ],
      warnings: [],
      publishedVersion: expect.any(Number),
    });
    await eventually(async () => (await get('technical/META?indicators=sma')).body, {
      ...before,
      symbol: 'META',
    });
    expect((await get('technical/FB?indicators=sma')).body.symbol).toBe('META');
    expect((await get('quotes/fb')).body).toMatchObject({ symbol: 'META' });
    expect((await get('corporate-actions/FB')).status).toBe(200);
    const batch = (await get('quotes/batch?symbols=FB,AAA,NOPE')).body;
    expect(batch.data.map(({ symbol }: { symbol: string }) => symbol)).toEqual(['META', 'AAA']);
    // The walk that began before keeps the symbols of its first page.
    const rest = (await get(`symbols?limit=50&cursor=${walk.cursor}`)).body;
    expect(rest.data.map(({ symbol }: { symbol: string }) => symbol)).toEqual(['FB', 'ZZZ']);
  });

  it('is found by its former ticker', async () => {
    const search = async (text: string) =>
      (await get(`symbols?search=${text}`)).body.data.map(
        ({ symbol }: { symbol: string }) => symbol,
      );
    expect(await search('FB')).toEqual(['META']);
    expect(await search('F')).toEqual([]);
    const shown = await folder.json('symbols', 'show', 'FB');
    expect(shown).toMatchObject({
      symbol: 'META',
      tickers: [{ ticker: 'FB' }, { ticker: 'META' }],
    });
    expect((await folder.run('symbols', 'show', 'FB')).stdout).toBe(
      'META\nticker  from        to\nFB      always      2022-06-08\nMETA    2022-06-09  now\n',
    );
  });

  it('is explained, searched for gaps and exported by its former ticker', async () => {
    expect(await folder.json('explain', 'FB', '2022-06-08')).toMatchObject({
      symbol: 'META',
      status: 'served',
    });
    expect(await folder.json('gaps', '--symbols', 'FB')).toMatchObject({
      symbols: 1,
      notFound: [],
    });
    const out = ['--format', 'csv', '--out', file('out.csv'), '--symbols', 'FB'];
    expect(await folder.json('export', 'candles', ...out)).toMatchObject({ rows: barCount });
  });

  long(
    'gets the bars that come under the new ticker, and those late under the old one',
    async () => {
      const count = async () => {
        const sql = 'SELECT symbol, count(*) AS n FROM candles GROUP BY symbol ORDER BY symbol';
        return folder.json('sql', sql);
      };
      const added = writeCandleFile(file('META.csv'), '2022-06-09', '2022-07-01', 195);
      await folder.json('backfill', 'files', 'candles', file('META.csv'));
      const late = writeCandleFile(file('fb.us.csv'), '2021-12-01', '2021-12-31', 189);
      await folder.json('backfill', 'files', 'candles', file('fb.us.csv'));
      const total = barCount + added + late;
      expect(await count()).toContainEqual({ symbol: 'META', n: total });
      await eventually(
        async () => (await get('technical/FB?limit=1000')).body.candles.length,
        total,
      );
      // A year later somebody else has the ticker.
      const others = writeCandleFile(file('FB.txt'), '2023-06-01', '2023-06-30', 20);
      await folder.json('backfill', 'files', 'candles', file('FB.txt'));
      expect(await count()).toContainEqual({ symbol: 'FB', n: others });
      await eventually(async () => (await get('technical/FB')).body.candles.length, others);
      expect((await get('technical/META?limit=1000')).body.candles).toHaveLength(total);
      // A repetition means the first security still.
      expect(
        await folder.json('symbols', 'rename', 'FB', 'META', '--on', '2022-06-09'),
      ).toMatchObject({ symbol: 'META', changed: false });
    },
  );

  it('tells what is wrong with a command', async () => {
    const tries: [string[], number, string][] = [
      [
        ['rename', 'FB', 'MTA', '--on', '2022-06-09'],
        1,
        'FB became MTA on 2022-06-09 contradicts what was stated before: FB became META on 2022-06-09',
      ],
      [
        ['delist', 'AAA', '--on', '2022-06-09', '--undo'],
        1,
        'Nobody stated: delist AAA 2022-06-09',
      ],
      [['join', 'AAA', 'ZZZ'], 1, "can't be one security: on 2022-06-08 they closed at"],
      [['assign', 'AAA'], 2, "required option '--security <symbol>'"],
      [['rename', 'AAA', 'AAA', '--on', '2022-06-09'], 2, 'already the symbol'],
      [['rename', 'AAA', 'B', '--on', '9 June'], 2, '--on must be a date like'],
      [['rename', 'AAA', 'B', '--on', '2035-01-02'], 2, '--on must not be after today'],
      [['delist', 'AAA', '--on', '2035-01-02'], 2, '--on must not be after today'],
      [['rename', 'AAA', 'B'], 2, "required option '--on <date>'"],
      [['delist', 'A/BC', '--on', '2022-06-09'], 2, 'must be a ticker'],
      [['show', 'NOPE'], 1, 'No security has or had the symbol "NOPE"'],
      [['show', 'AAA', '--mode', 'sandbox'], 1, 'run a backfill first'],
      [['delist', 'AAA', '--on', '2022-06-08', '--mode', 'sandbox'], 1, 'run a backfill first'],
    ];
    for (const [args, code, message] of tries) {
      const result = await folder.run('symbols', ...args);
      expect(result.stderr).toContain(message);
      expect([args, result.code]).toEqual([args, code]);
    }
  });

  long('is inactive once it is delisted, with its history', async () => {
    const active = async () =>
      (await get('symbols?active=true')).body.data.map(({ symbol }: { symbol: string }) => symbol);
    expect(await active()).toEqual(['FB']);
    await folder.json('symbols', 'delist', 'FB', '--on', '2023-06-30');
    await eventually(active, []);
    expect((await get('technical/FB')).body.candles.length).toBeGreaterThan(0);
    writeCandleFile(file('FB.us.txt'), '2025-01-02', '2025-01-31', 77);
    await folder.json('backfill', 'files', 'candles', file('FB.us.txt'));
    await eventually(async () => (await get('technical/FB.202306')).body.symbol, 'FB.202306');
    expect((await get('quotes/FB')).body.price).toBeGreaterThan(77);
  });
});

describe('minutes of a symbol that is renamed', () => {
  const folder = useCliFolder();

  long('are served under the new name, and under the old one', async () => {
    const days = join(folder.dataDir, 'FB.csv');
    writeCandleFile(days, '2022-05-02', '2022-06-08', 190);
    const minutes = join(folder.dataDir, 'minutes.csv');
    const rows = Array.from(
      { length: 30 },
      (_, i) =>
        `FB,2022-06-09T${new Date(Date.UTC(2022, 5, 9, 14, i)).toISOString().slice(11, 19)}Z,190,191,189,190.${10 + i},500`,
    );
    writeFileSync(minutes, `symbol,timestamp,open,high,low,close,volume\n${rows.join('\n')}\n`);
    await folder.json('backfill', 'files', 'candles', days);
    await folder.json('backfill', 'files', 'candles', minutes, '--interval', '1m');
    const get = await served(folder);
    const ask = async (name: string) => (await get(`technical/${name}?interval=5m`)).body;
    const before = await ask('FB');
    expect(before.candles).toHaveLength(6);
    await folder.json('symbols', 'rename', 'FB', 'META', '--on', '2022-06-10');
    await eventually(() => ask('META'), { ...before, symbol: 'META' });
    expect(await ask('FB')).toEqual({ ...before, symbol: 'META' });
    const quote = (await get('quotes/FB')).body;
    expect(quote).toMatchObject({ symbol: 'META', price: 190.39 });
  });
});

describe('a process that dies between the rename and its publish', () => {
  const folder = useCliFolder();

  long('leaves what the next publish needs', async () => {
    const path = join(folder.dataDir, 'OLD.csv');
    const count = writeCandleFile(path, '2022-01-03', '2022-06-08');
    await folder.json('backfill', 'files', 'candles', path);
    const db = await openMarketForWriting(modePaths(folder.dataDir, 'live'), { verb: 'test' });
    await renameSecurity(db, {
      from: 'OLD',
      to: 'NEW',
      day: dayFromDate('2022-06-09'),
      nowMs: Date.now(),
    });
    db.close();
    const get = await served(folder);
    expect((await get('technical/OLD')).body.symbol).toBe('OLD');
    expect(
      await folder.json('symbols', 'rename', 'OLD', 'NEW', '--on', '2022-06-09'),
    ).toMatchObject({ changed: false, symbol: 'NEW' });
    await eventually(async () => (await get('technical/OLD?limit=1000')).body.symbol, 'NEW');
    expect((await get('technical/NEW?limit=1000')).body.candles).toHaveLength(count);
    const { data } = (await get('symbols')).body;
    expect(data.map(({ symbol }: { symbol: string }) => symbol)).toEqual(['NEW']);
  });
});
