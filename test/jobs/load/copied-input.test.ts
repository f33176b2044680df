/**
 * A person's daily file is often overwritten by the next day's: what was loaded of it is kept as a
 * copy, so a drop and a rebuild need no file.
 */

import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backfill } from '../../../jobs/load/backfill.ts';
import { dropSegment } from '../../../jobs/rebuild/drop-segment.ts';
import { rebuild } from '../../../jobs/rebuild/rebuild.ts';
import { type ModePaths, modePaths } from '../../../src/base/config/data-dir.ts';
import { limits } from '../../../src/base/limits.ts';
import { dateFromDay } from '../../../src/base/time/dates.ts';
import type { SourceOptions } from '../../../src/ingest/contract/source-options.ts';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { queryMarket } from '../../../src/store/duckdb/connection/query.ts';
import { inFreshFolder } from '../../faults/children/run.ts';
import { isLong } from '../../faults/scale.ts';
import { NOW_MS } from '../../faults/support/flow.ts';
import { logicalHash } from '../../faults/support/logical-hash.ts';
import { DEPS, depsOf } from '../../faults/support/rebuild-market.ts';
import { testContext } from '../../ingest/support/segment-rows.ts';
import { long } from '../../support/store-runs.ts';
import { useLimits } from '../../support/use-limits.ts';

useLimits(limits.ingest, { copiedRowsMax: 1000 });

const HEADER = 'symbol,date,open,high,low,close,volume\n';

let clockMs = NOW_MS;

/** Loads as a later command does. */
function load(paths: ModePaths, options: SourceOptions) {
  const context = { ...testContext(paths.root, new Date(NOW_MS).toISOString()), paths };
  const deps = { ...DEPS, nowMs: clockMs++, question: { source: 'files', options } };
  return backfill(paths, fetchFiles(options, context), deps);
}

/** Three days of two symbols that overlap those of the days before and after. */
function writeDay(path: string, day: number, close: number): void {
  const dates = [day, day + 1, day + 2].map((each) => `2026-03-0${each}`);
  const lines = ['AAA', 'BBB'].flatMap((symbol) =>
    dates.map((date, i) => `${symbol},${date},9,99,1,${i === 0 ? close : 10},5\n`),
  );
  writeFileSync(path, HEADER + lines.join(''));
  utimesSync(path, 1_790_000_000 + day * 60, 1_790_000_000 + day * 60);
}

const rowsOf = async (paths: ModePaths, sql: string) => (await queryMarket(paths, sql)).rows;

/** All that decides which bar is served. */
async function stored(paths: ModePaths) {
  const bars = `SELECT symbol, interval, epoch_ms(ts)::DOUBLE AS t, open, high, low, close, volume
    FROM candles ORDER BY ALL`;
  const files = `SELECT segment, path, f.sha256, f.accepted, epoch_us(f.as_of) AS as_of,
      epoch_us(f.newest) AS newest, epoch_us(f.modified) AS modified
    FROM segment_files f JOIN segments s ON s.seq = f.segment_seq ORDER BY ALL`;
  const ledger = `SELECT segment, kind, interval, basis, accepted, rejected, origin
    FROM segments ORDER BY ALL`;
  return Promise.all([bars, files, ledger].map((sql) => rowsOf(paths, sql)));
}

it('a day of a file that was overwritten is dropped, and the store made anew, without the file', async () => {
  await inFreshFolder(async (home) => {
    const paths = modePaths(home, 'live');
    const path = join(home, 'day.csv');
    const loadDay = async (day: number, close: number) => {
      writeDay(path, day, close);
      await load(paths, { path, basis: 'raw' });
    };
    await loadDay(2, 20);
    await loadDay(4, 40);
    const without = logicalHash(paths.serving);
    await loadDay(3, 30);
    rmSync(path);
    const before = await stored(paths);
    expect(logicalHash(paths.serving)).not.toEqual(without);
    await rebuild(paths, { isPartial: false }, depsOf(home));
    expect(await stored(paths)).toEqual(before);
    const report = await dropSegment(paths, { which: '3', isPlan: false }, depsOf(home));
    expect(report).toMatchObject({ isRebuilt: true, segment: { accepted: 6 } });
    expect(logicalHash(paths.serving)).toEqual(without);
  });
});

long('copies of files of every kind give the same bars, times and counts', async () => {
  await inFreshFolder(async (home) => {
    const paths = modePaths(home, 'live');
    const folder = join(home, 'mine');
    mkdirSync(folder);
    const daily = 'date,open,high,low,close,volume\n';
    const good = '2026-03-02,9,99,1,10,5\n2026-03-03,9,99,1,10.25,5\n';
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    write('FAST.csv', daily + good);
    write('REFUSED.csv', `${daily}${good}2026-03-04,9,1,99,10,5\n`);
    write('many.csv', `${HEADER}YYY,2026-03-02,9,99,1,10,5\nXXX,2026-03-02,9,99,1,10,5\n`);
    const stated = 'Date,Open,High,Low,Close,Volume,Dividends,Stock Splits\n';
    write('STATED.csv', `${stated}2026-03-02,9,99,1,10,5,0,0\n2026-03-03,9,99,1,10,5,0.5,2\n`);
    write('MINUTE.csv', `${daily}2026-03-02 09:30,9,99,1,10,5\n2026-03-02 09:31,9,99,1,10,5\n`);
    await load(paths, { path: folder });
    const [before, served] = [await stored(paths), logicalHash(paths.serving)];
    expect(before[0]).toHaveLength(10);
    rmSync(folder, { recursive: true });
    const report = await rebuild(paths, { isPartial: false }, depsOf(home));
    expect(report).toMatchObject({ lost: [], compared: 'ledger' });
    expect(await stored(paths)).toEqual(before);
    expect(logicalHash(paths.serving)).toEqual(served);
  });
});

it.runIf(isLong)('a file that was modified since keeps its copy and has its new time', async () => {
  await inFreshFolder(async (home) => {
    const paths = modePaths(home, 'live');
    const path = join(home, 'day.csv');
    writeDay(path, 2, 20);
    await load(paths, { path, basis: 'raw' });
    utimesSync(path, 1_795_000_000, 1_795_000_000);
    await load(paths, { path, basis: 'raw' });
    const before = await stored(paths);
    expect(before[1]).toMatchObject([{ modified: 1_795_000_000_000_000 }]);
    rmSync(path);
    await rebuild(paths, { isPartial: false }, depsOf(home));
    const [bars, files] = await stored(paths);
    expect([bars, files]).toEqual(before.slice(0, 2));
  });
});

it.runIf(isLong)('a large input is copied with --keep only', async () => {
  await inFreshFolder(async (home) => {
    const paths = modePaths(home, 'live');
    const path = join(home, 'bulk.csv');
    const symbols = Array.from({ length: 1 + limits.ingest.copiedRowsMax / 100 }, (_, i) => i);
    const days = Array.from({ length: 100 }, (_, i) => dateFromDay(20_000 + i));
    const lines = symbols.flatMap((i) => days.map((date) => `S${i},${date},9,99,1,10,5\n`));
    writeFileSync(path, HEADER + lines.join(''));
    const copies = () => readdirSync(paths.segments).filter((name) => /parquet$/.test(name));
    await load(paths, { path, basis: 'raw' });
    expect(copies()).toEqual([]);
    await load(paths, { path, basis: 'split', keep: true });
    expect(copies()).toHaveLength(1);
    expect(readdirSync(paths.scratch)).toEqual([]);
  });
});
