import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { changeSymbol } from '../../../jobs/inspect/symbols.ts';
import { backfill } from '../../../jobs/load/backfill.ts';
import { loadDirectory } from '../../../jobs/load/load-directory.ts';
import { loadFetched } from '../../../jobs/load/load-fetched.ts';
import { SegmentRecords } from '../../../jobs/load/segment-records.ts';
import { compact } from '../../../jobs/maintenance/compact.ts';
import { publish } from '../../../jobs/publish/publish.ts';
import { rebuild } from '../../../jobs/rebuild/rebuild.ts';
import { type ModePaths, modePaths } from '../../../src/base/config/data-dir.ts';
import { onFailpoint } from '../../../src/base/failpoints.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { readSymbolDirectory } from '../../../src/ingest/vendors/symbols/source.ts';
import { NULL_INT } from '../../../src/store/arrow/format/batch-layout.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import {
  openMarketForReading,
  openMarketForWriting,
} from '../../../src/store/duckdb/connection/open.ts';
import { acquireWriterLock } from '../../../src/store/duckdb/connection/writer-lock.ts';
import { inFreshFolder, ledgerOf } from '../../faults/children/run.ts';
import { isLong } from '../../faults/scale.ts';
import { NOW_MS } from '../../faults/support/flow.ts';
import { logicalHash } from '../../faults/support/logical-hash.ts';
import {
  all,
  articles,
  askFiles,
  barsFile,
  DEPS,
  depsOf,
  filesFolder,
  fillMarket,
  questionOf,
} from '../../faults/support/rebuild-market.ts';
import { sharedFolder } from '../../support/folders.ts';
import { mountSmallDisk, NAMES_THE_DISK } from '../../support/small-disk.ts';
import { renameSecurity } from '../../support/state-facts.ts';
import { long } from '../../support/store-runs.ts';

/** Store that all tests start from; the user's files stay here. */
const template = sharedFolder();
const folder = filesFolder(template);

beforeAll(() => fillMarket(template));

/** Copies the store for one test. */
function fill(dataDir: string): ModePaths {
  cpSync(join(template, 'live'), join(dataDir, 'live'), { recursive: true });
  return modePaths(dataDir, 'live');
}

function templateServing(): string {
  return modePaths(template, 'live').serving;
}

/** Finds the record of the load of one origin, or of the files of a folder. */
function recordOf({ segments }: ModePaths, origin: string): string {
  const records = join(segments, 'loaded');
  const isMeant = (name: string) => {
    const text = gunzipSync(readFileSync(join(records, name))).toString();
    return text.includes(`"origin":"${origin}`);
  };
  const found = readdirSync(records).find(isMeant);
  if (!found) throw new Error(`no record of ${origin}`);
  return join(records, found);
}

it('a damaged store is made anew from landed segments and from copies of files', async () => {
  await inFreshFolder(async (dataDir) => {
    const paths = fill(dataDir);
    const [before, segments] = [logicalHash(paths.serving), await ledgerOf(paths)];
    expect([before.rows > 10, segments.length]).toEqual([true, 2]);
    writeFileSync(paths.market, 'no database any more');
    const report = await rebuild(paths, { isPartial: false }, depsOf(dataDir));
    expect(report).toMatchObject({ segments: 2, lost: [], compared: 'published' });
    expect(logicalHash(paths.serving)).toEqual(before);
    expect(await ledgerOf(paths)).toEqual(segments);
  });
});

long('what cannot be had again is named, and nothing is replaced unless asked', async () => {
  await inFreshFolder(async (dataDir) => {
    const paths = fill(dataDir);
    const before = logicalHash(paths.serving);
    writeFileSync(join(folder, 'MSFT.csv'), barsFile(500));
    const landed = readdirSync(paths.segments).filter((name) => name.endsWith('.parquet'));
    expect(landed).toHaveLength(2);
    for (const name of landed) {
      const bytes = readFileSync(join(paths.segments, name));
      bytes[bytes.length >> 1] ^= 1;
      writeFileSync(join(paths.segments, name), bytes);
    }
    const refused = rebuild(paths, { isPartial: false }, depsOf(dataDir));
    await expect(refused).rejects.toThrow(/2 parts.*--partial.*another content/s);
    await expect(refused).rejects.toThrow('does not match its SHA-256');
    expect(logicalHash(paths.serving)).toEqual(before);
    writeFileSync(join(folder, 'MSFT.csv'), barsFile(200));
    const { lost, segments } = await rebuild(paths, { isPartial: true }, depsOf(dataDir));
    expect([segments, lost.map(({ origin }) => origin)]).toEqual([1, ['news.csv']]);
    // The two articles are gone, each from the list of everything and from its symbol's.
    expect(logicalHash(paths.serving).rows).toBe(before.rows - 4);
  });
});

long('what is loaded while a store is made anew is in it', async () => {
  await inFreshFolder(async (dataDir) => {
    const paths = fill(dataDir);
    const more = await articles(paths, [3]);
    // As another process that loads: it has the lock while the new store waits for its place.
    const lock = await acquireWriterLock(paths, DEPS);
    const { promise: isWaiting, resolve } = Promise.withResolvers<void>();
    const rebuilt = rebuild(
      paths,
      { isPartial: false },
      { ...depsOf(dataDir), onWaiting: () => resolve() },
    );
    await Promise.race([isWaiting, rebuilt]);
    const market = await openMarketForWriting(paths, { ...DEPS, lock });
    await loadFetched(market, [more], { nowMs: NOW_MS, guard: () => undefined });
    await new SegmentRecords(paths).add([more], { loadedMs: NOW_MS + 1500, firstOrder: 1 });
    market.close();
    lock.release();
    expect(await rebuilt).toMatchObject({ segments: 3, lost: [], compared: 'ledger' });
    expect(await ledgerOf(paths)).toHaveLength(3);
    expect(logicalHash(paths.serving).rows).toBe(logicalHash(templateServing()).rows + 2);
  });
});

it('names of symbols are loaded anew, and renames that were entered by hand stay', async () => {
  await inFreshFolder(async (dataDir) => {
    const paths = fill(dataDir);
    const file = join(dataDir, 'nasdaqlisted.txt');
    writeFileSync(
      file,
      'Symbol|Security Name|Market Category|Test Issue|Financial Status|Round Lot Size|ETF|NextShares\n' +
        'AAPL|Apple Inc. - Common Stock|Q|N|N|100|N|N\n' +
        'ZVZZT|NASDAQ TEST STOCK|G|Y|N|100|N|N\nFile Creation Time: 1002201916:10||||||\n',
    );
    await loadDirectory(paths, await readSymbolDirectory([file]), DEPS);
    // A list says that it is gone, and the directory of a week later has it: the list has no effect.
    const later = readFileSync(file, 'utf8').replace('1002201916', '0401202616');
    writeFileSync(file, later);
    const gone = join(dataDir, 'delisted.json');
    writeFileSync(
      gone,
      '[{"symbol":"AAPL","companyName":"Apple","exchange":"NASDAQ","delistedDate":"2026-03-09"}]',
    );
    await loadDirectory(paths, await readSymbolDirectory([file, gone]), DEPS);
    expect([...openPublished(paths.serving)!.listings.delistedOn]).toEqual([NULL_INT, NULL_INT]);
    const before = logicalHash(paths.serving);
    const report = await rebuild(paths, { isPartial: false }, depsOf(dataDir));
    expect(report).toMatchObject({ segments: 4, lost: [], compared: 'ledger' });
    expect(logicalHash(paths.serving)).toEqual(before);
    const day = dayFromDate('2026-03-04');
    const rename = { from: 'AAPL', to: 'NEWA', day, nowMs: NOW_MS };
    await changeSymbol(paths, (market) => renameSecurity(market, rename), DEPS);
    const renamed = logicalHash(paths.serving);
    await rebuild(paths, { isPartial: false }, depsOf(dataDir));
    expect(logicalHash(paths.serving)).toEqual(renamed);
  });
});

it('a full disk ends a rebuild and is no loss, also where losses are taken', async () => {
  await inFreshFolder(async (dataDir) => {
    const paths = fill(dataDir);
    const bytes = readFileSync(paths.market);
    for (const place of ['commit rows', 'checkpoint store']) {
      onFailpoint((name) => {
        if (name !== place) return;
        throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      });
      const refused = rebuild(paths, { isPartial: true }, depsOf(dataDir));
      await expect(refused, place).rejects.toThrow('ENOSPC');
      onFailpoint(undefined);
    }
    expect(readFileSync(paths.market).equals(bytes)).toBe(true);
    expect(readdirSync(paths.root).filter((name) => name.includes('rebuilt'))).toEqual([]);
  });
});

it.runIf(isLong)(
  'a disk that is full ends a rebuild, wherever it is, and room is all that is missing',
  async (context) => {
    const disk = mountSmallDisk(48 * 1024 * 1024);
    if (!disk) return context.skip('only root may mount a tmpfs');
    onTestFinished(disk.remove);
    const dataDir = disk.folder;
    const paths = fill(dataDir);
    const before = logicalHash(paths.serving);
    const bytes = readFileSync(paths.market);
    for (const leftBytes of [0, 16_384, 300_000, 1_000_000]) {
      disk.fill(leftBytes);
      const refused = rebuild(paths, { isPartial: true }, depsOf(dataDir));
      await expect(refused, `${leftBytes}`).rejects.toThrow(NAMES_THE_DISK);
      expect(readFileSync(paths.market).equals(bytes), `${leftBytes}`).toBe(true);
      expect(logicalHash(paths.serving)).toEqual(before);
      disk.free();
    }
    const report = await rebuild(paths, { isPartial: false }, depsOf(dataDir));
    expect(report).toMatchObject({ segments: 2, lost: [] });
    expect(logicalHash(paths.serving)).toEqual(before);
  },
);

long('a segment whose record is damaged or gone is named, whatever can still be read', async () => {
  await inFreshFolder(async (dataDir) => {
    const paths = fill(dataDir);
    const before = logicalHash(paths.serving);
    const path = recordOf(paths, 'news.csv');
    const whole = readFileSync(path);
    const bytes = Buffer.from(whole);
    bytes[bytes.length >> 1] ^= 1;
    writeFileSync(path, bytes);
    const rebuilt = (isPartial: boolean) => rebuild(paths, { isPartial }, depsOf(dataDir));
    // By the ledger of the old store.
    await expect(rebuilt(false)).rejects.toThrow(/1 part .*news.csv: .*no record says/s);
    writeFileSync(paths.market, 'no database any more');
    // By the file itself, and by what is published.
    await expect(rebuilt(false)).rejects.toThrow(/2 parts.*this record.*news: 4 rows are pub/s);
    rmSync(path);
    await expect(rebuilt(false)).rejects.toThrow(/1 part .*news: 4 rows are published/s);
    rmSync(recordOf(paths, folder));
    await expect(rebuilt(false)).rejects.toThrow('says what was loaded');
    expect(readFileSync(paths.market, 'utf8')).toBe('no database any more');
    expect(logicalHash(paths.serving)).toEqual(before);
  });
});

long(
  'a damaged record is put aside by a partial rebuild, and written anew by the next load',
  async () => {
    await inFreshFolder(async (dataDir) => {
      const paths = fill(dataDir);
      const before = logicalHash(paths.serving);
      writeFileSync(recordOf(paths, folder), 'damaged');
      await rebuild(paths, { isPartial: true }, depsOf(dataDir));
      expect(await ledgerOf(paths)).toHaveLength(1);
      await backfill(paths, askFiles(template, paths), { ...DEPS, request: questionOf(template) });
      expect(logicalHash(paths.serving)).toEqual(before);
      expect(await rebuild(paths, { isPartial: false }, depsOf(dataDir))).toMatchObject({
        segments: 2,
        lost: [],
      });
    });
  },
);

long('bars that are published and in no record are named', async () => {
  await inFreshFolder(async (dataDir) => {
    const paths = fill(dataDir);
    rmSync(recordOf(paths, folder));
    rmSync(paths.market);
    const refused = rebuild(paths, { isPartial: false }, depsOf(dataDir));
    await expect(refused).rejects.toThrow(/MSFT: 4 bars \(1d\) are published, and records give 0/);
  });
});

it('nobody begins an empty store where one was published from', async () => {
  await inFreshFolder(async (dataDir) => {
    const paths = fill(dataDir);
    const before = logicalHash(paths.serving);
    const segment = await articles(paths, [3]);
    rmSync(paths.market);
    const isTold = /market.duckdb" is missing, .*rebuild makes it again.*To begin with nothing/;
    await expect(backfill(paths, all(segment), DEPS)).rejects.toThrow(isTold);
    await expect(publish(paths, DEPS)).rejects.toThrow(isTold);
    await expect(compact(paths, { isFull: true }, DEPS)).rejects.toThrow(isTold);
    await expect(openMarketForReading(paths)).rejects.toThrow(isTold);
    expect(existsSync(paths.market)).toBe(false);
    await rebuild(paths, { isPartial: false }, depsOf(dataDir));
    expect(logicalHash(paths.serving)).toEqual(before);
  });
});

it('damaged published files are healed by compact --full, whichever they are', async () => {
  await inFreshFolder(async (dataDir) => {
    const paths = fill(dataDir);
    const before = logicalHash(paths.serving);
    // A damaged manifest hides all else, which is damaged at once.
    const others = [/^candles-1d/, /^quotes/, /^list-news-rows/, /^companies/];
    for (const damages of [[/^manifest/], others]) {
      for (const damage of damages) {
        const name = readdirSync(paths.serving).find((each) => damage.test(each));
        if (!name) throw new Error(`no file ${damage}`);
        if (damage.source === '^quotes') rmSync(join(paths.serving, name));
        else writeFileSync(join(paths.serving, name), 'damaged');
      }
      await compact(paths, { isFull: true }, DEPS);
      expect(logicalHash(paths.serving), String(damages)).toEqual(before);
    }
  });
});
