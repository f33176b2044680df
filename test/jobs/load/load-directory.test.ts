import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunDeps } from '../../../jobs/contract/reports.ts';
import { loadDirectory } from '../../../jobs/load/load-directory.ts';
import { publish } from '../../../jobs/publish/publish.ts';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { readSymbolDirectory } from '../../../src/ingest/vendors/symbols/source.ts';
import { columnKey } from '../../../src/store/arrow/lists/specs.ts';
import type { PublishedVersion } from '../../../src/store/arrow/read/published-version.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import { openMarketForWriting } from '../../../src/store/duckdb/connection/open.ts';
import { streamFilings } from '../../../src/store/duckdb/rows/read-filings.ts';
import { isLong } from '../../faults/scale.ts';
import { removalXml } from '../../ingest/support/removal-forms.ts';
import {
  freshPaths,
  load,
  NOW_MS,
  risingBars,
  segmentOf,
} from '../../store/duckdb/support/fixtures.ts';
import { land, loadSegment } from '../../store/duckdb/support/row-fixtures.ts';
import { hasRealdata, realdata } from '../../support/realdata.ts';
import { long, someOf } from '../../support/store-runs.ts';
import { inStore } from '../support/store.ts';

const deps: RunDeps = { verb: 'test', nowMs: NOW_MS };

const NASDAQ = `Symbol|Security Name|Market Category|Test Issue|Financial Status|Round Lot Size|ETF|NextShares
AAPL|Apple Inc. - Common Stock|Q|N|N|100|N|N
ZVZZT|NASDAQ TEST STOCK|G|Y|N|100|N|N
File Creation Time: 1002201916:10||||||
`;
const SEC =
  '{"fields":["cik","name","ticker","exchange"],"data":[[320193,"Apple","AAPL","Nasdaq"],[1,"Otc Co","OTCX","OTC"]]}';

/** Folder of both files, in the store's own. */
function directoryFolder(paths: ModePaths): string {
  const folder = join(paths.root, 'directory');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'nasdaqlisted.txt'), NASDAQ);
  writeFileSync(join(folder, 'tickers.json'), SEC);
  return folder;
}

async function loadBars(paths: ModePaths, symbol: string): Promise<void> {
  const db = await openMarketForWriting(paths, deps);
  await load(db, segmentOf([{ symbol, bars: risingBars('2026-01-05', 3) }]));
  db.close();
}

const published = (paths: ModePaths) => openPublished(paths.serving) as PublishedVersion;

function shuffles(days: readonly string[]): string[][] {
  if (days.length < 2) return [[...days]];
  return days.flatMap((day) =>
    shuffles(days.filter((other) => other !== day)).map((rest) => [day, ...rest]),
  );
}

describe('loadDirectory', () => {
  // A directory that said what a later one says was left out, and a third one between them then won.
  it.each(someOf(shuffles(['1002', '1003', '1004']), 6))(
    'dates for how many shares a receipt stands, in any order of directories: %s',
    async (...days) => {
      const paths = freshPaths();
      mkdirSync(paths.root, { recursive: true });
      for (const day of days) {
        const path = join(paths.root, `${day}.txt`);
        const words = day === '1003' ? 'eight ordinary shares' : 'one tenth ordinary share';
        const name = `Baidu, Inc. - American Depositary Shares, each representing ${words}`;
        writeFileSync(path, NASDAQ.replace('Apple Inc. - Common Stock', name).replace('1002', day));
        await loadDirectory(paths, await readSymbolDirectory([path]), deps);
      }
      const ratios = () =>
        published(paths)
          .list('values', columnKey('ads_ratio', 'AAPL'))
          .page(undefined, 9)
          .map(({ json }) => json);
      expect(ratios()).toEqual(['0.1', '8', '0.1']);
      const date = dayFromDate('2010-01-04');
      const stated = { symbol: 'AAPL', name: 'ads_ratio', date, value: 5 };
      await inStore(paths, async (db) => loadSegment(db, await land('values', [stated])));
      await publish(paths, deps);
      expect(ratios()).toEqual(['5']);
    },
  );

  it('lists stocks whose name has a class as one share of the filings', async () => {
    const paths = freshPaths();
    const path = join(paths.root, 'listed.txt');
    mkdirSync(paths.root, { recursive: true });
    const names = ['Spotify Technology S.A. - Ordinary Shares', 'Apple', 'Apple ADS'];
    const lines = names.map((name, i) => `${'SAB'[i]}|${name}|Q|N|N|100|N|N\n`).join('');
    writeFileSync(path, NASDAQ.replace('AAPL|', `${lines}AAPL|`));
    await loadDirectory(paths, await readSymbolDirectory([path]), deps);
    await inStore(paths, async (db) => {
      const found = await Array.fromAsync(streamFilings(db, ['S', 'A', 'B']));
      expect(
        found.map(({ symbol, ratios }) => [symbol, ratios?.map(({ ratio }) => ratio)]),
      ).toEqual([
        ['A', [null]],
        ['B', undefined],
        ['S', [1]],
      ]);
    });
  });

  it('counts notices of removal, and says which have no effect', async () => {
    const paths = freshPaths();
    const path = join(paths.root, 'removals.txt');
    mkdirSync(paths.root, { recursive: true });
    writeFileSync(path, removalXml({ cik: 7, title: 'Common Stock' }));
    const report = await loadDirectory(paths, await readSymbolDirectory([path]), deps);
    expect(report).toMatchObject({ accepted: 1, rejected: 0, loaded: [{ rows: 1 }] });
    expect(report.notes.join()).toContain('removes "Common Stock": no security has its number');
  });

  long('publishes names over bars that stay as they are', async () => {
    const paths = freshPaths();
    await loadBars(paths, 'AAPL');
    await publish(paths, deps);
    const before = published(paths);
    expect(before.listings).toMatchObject({ symbol: ['AAPL'], companyName: [''] });

    const directory = await readSymbolDirectory([directoryFolder(paths)]);
    expect(await loadDirectory(paths, directory, deps)).toEqual({
      segments: 2,
      alreadyLoaded: 0,
      accepted: 3,
      rejected: 1,
      rejectedByReason: { 'test issue': 1 },
      quarantine: null,
      skipped: [],
      loaded: [
        {
          ...{ dataset: 'symbols', interval: null, rows: 2, symbols: 2 },
          ...{ firstDay: null, lastDay: null, lastSymbol: null },
        },
      ],
      seriesChanged: 0,
      readings: [],
      rowsChanged: 0,
      notes: [],
      publishedVersion: 2,
    });
    const version = published(paths);
    expect(version.manifest.layers).toEqual(before.manifest.layers);
    expect(version.listings).toMatchObject({
      symbol: ['AAPL', 'OTCX'],
      companyName: ['Apple Inc.', 'Otc Co'],
      exchange: ['NASDAQ', ''],
      venue: ['Nasdaq', 'OTC'],
      source: ['nasdaqtrader', 'sec'],
    });
    expect([...version.listings.cik]).toEqual([320193, 1]);
    expect(version.screener()).toMatchObject({ symbols: ['AAPL'], companyNames: ['Apple Inc.'] });
    expect(version.symbols).toEqual(['AAPL']);
  });

  it('is refused where it has lost symbols since the last one; other sources are published', async () => {
    const paths = freshPaths();
    const folder = directoryFolder(paths);
    const file = join(folder, 'nasdaqlisted.txt');
    const listed = (count: number, day = '1002') => {
      const lines = Array.from(
        { length: count },
        (_, i) => `S${i + 100}|Name - Common Stock|Q|N|N|100|N|N\n`,
      );
      const text = NASDAQ.replace('ZVZZT', `${lines.join('')}ZVZZT`);
      writeFileSync(file, text.replace('1002', day));
    };
    const scheduled: RunDeps = { ...deps, guarded: 'all' };
    const run = async () => loadDirectory(paths, await readSymbolDirectory([folder]), scheduled);
    listed(99);
    await run();
    listed(96);
    writeFileSync(join(folder, 'tickers.json'), SEC.replace('Otc Co', 'Other Co'));
    await expect(run()).rejects.toThrow(
      /1 of 2 inputs were held by a sanity check.*it names 97 symbols, and 100 the time before \(3\.0 %, at most 2 % fewer\)/,
    );
    const { companyName, symbol } = published(paths).listings;
    expect(companyName[symbol.indexOf('OTCX')]).toBe('Other Co');
    listed(97);
    await run();
    listed(20, '1003');
    const { notes } = await loadDirectory(paths, await readSymbolDirectory([folder]), deps);
    expect(notes.join()).toContain('nasdaqlisted of 2019-10-03: 21 listings');
  });

  it('publishes nothing when it says nothing new', async () => {
    const paths = freshPaths();
    const directory = await readSymbolDirectory([directoryFolder(paths)]);
    const first = await loadDirectory(paths, directory, deps);
    expect(first).toMatchObject({ alreadyLoaded: 0, publishedVersion: 1 });
    expect(await loadDirectory(paths, directory, deps)).toMatchObject({
      alreadyLoaded: 2,
      publishedVersion: 1,
    });
    const { manifest } = published(paths);
    await loadBars(paths, 'AAPL');
    expect(await publish(paths, deps)).toMatchObject({ kind: 'base', version: 2 });
    expect(published(paths).manifest.directory).toEqual(manifest.directory);
  });

  long('has new symbols in the directory as soon as their bars are published', async () => {
    const paths = freshPaths();
    await loadBars(paths, 'AAPL');
    await publish(paths, deps);
    await loadBars(paths, 'MSFT');
    await publish(paths, deps);
    expect(published(paths).listings.symbol).toEqual(['AAPL', 'MSFT']);
  });

  it.skipIf(!isLong || !hasRealdata)('takes the real directories', async () => {
    const paths = freshPaths();
    const directory = await readSymbolDirectory([
      realdata('reference/nasdaqtrader') as string,
      realdata('sec/company_tickers_exchange.json') as string,
    ]);
    const report = await loadDirectory(paths, directory, deps);
    expect(report).toMatchObject({ segments: 4, accepted: 19_008, rejected: 34 });
    const { listings } = published(paths);
    expect(listings.symbol).toHaveLength(14_752);
    const row = listings.symbol.indexOf('SPY');
    expect([listings.exchange[row], listings.venue[row], listings.type[row]]).toEqual([
      'AMEX',
      'NYSE Arca',
      'etf',
    ]);
  });
});
