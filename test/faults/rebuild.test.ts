import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backfill } from '../../jobs/backfill.ts';
import { compact } from '../../jobs/compact.ts';
import { rebuild } from '../../jobs/rebuild.ts';
import { settingsFromEnv } from '../../src/config.ts';
import { type ModePaths, modePaths } from '../../src/data-dir.ts';
import { landDatasetRows } from '../../src/ingest/dataset-segment.ts';
import type { Fetched } from '../../src/ingest/fetch-context.ts';
import { sources } from '../../src/ingest/sources.ts';
import { testContext } from '../ingest/segment-rows.ts';
import { NOW_MS } from './flow.ts';
import { logicalHash } from './logical-hash.ts';
import { inFreshFolder, ledgerOf } from './run-child.ts';
import { TIMEOUT_MS } from './scale.ts';

const DEPS = { verb: 'test', nowMs: NOW_MS };

const CSV = 'Date,Open,High,Low,Close,Volume\n';

function barsFile(close: number): string {
  const lines = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'].map(
    (date, i) => `${date},${close + i},${close + i + 1},${close + i - 1},${close + i},1000\n`,
  );
  return CSV + lines.join('');
}

async function* all(...segments: Fetched[]): AsyncGenerator<Fetched> {
  yield* segments;
}

/** Bars out of a user's folder, an earlier state of one file, and landed articles. */
async function fill(dataDir: string): Promise<{ paths: ModePaths; folder: string }> {
  const paths = modePaths(dataDir, 'live');
  const folder = join(dataDir, 'mine');
  mkdirSync(folder);
  for (const [i, symbol] of ['AAPL', 'MSFT'].entries()) {
    writeFileSync(join(folder, `${symbol}.csv`), barsFile(100 * (i + 1)));
  }
  const options = { path: folder, basis: 'raw' } as const;
  const context = { ...testContext(dataDir, new Date(NOW_MS).toISOString()), paths };
  const files = sources.find(({ id }) => id === 'files');
  const question = { source: 'files', options };
  if (!files?.fetch) throw new Error('the registry has files');
  await backfill(paths, files.fetch(options, context), { ...DEPS, question });
  const rows = await landDatasetRows(
    { dataset: 'news', source: 'files', asOfUs: BigInt(NOW_MS) * 1000n, origin: 'news.csv' },
    [1, 2].map((number) => ({
      row: {
        title: `Title ${number}`,
        source: 'Wire',
        url: `https://example.com/${number}`,
        publishedAt: NOW_MS - number,
        symbols: ['AAPL'],
      },
    })),
    context,
  );
  await backfill(paths, all(rows), { ...DEPS, nowMs: NOW_MS + 1000 });
  return { paths, folder };
}

function depsOf(dataDir: string) {
  const settings = settingsFromEnv({ TAPEWORKS_DATA_DIR: dataDir });
  return { ...DEPS, nowMs: NOW_MS + 2000, settings };
}

it(
  'a damaged store is made anew from kept segments and from files that are what they were',
  async () => {
    await inFreshFolder(async (dataDir) => {
      const { paths } = await fill(dataDir);
      const [before, segments] = [logicalHash(paths.serving), await ledgerOf(paths)];
      expect([before.rows > 10, segments.length]).toEqual([true, 2]);
      writeFileSync(paths.market, 'no database any more');
      const report = await rebuild(paths, { isPartial: false }, depsOf(dataDir));
      expect(report).toMatchObject({ segments: 2, lost: [] });
      expect(logicalHash(paths.serving)).toEqual(before);
      expect(await ledgerOf(paths)).toEqual(segments);
    });
  },
  TIMEOUT_MS,
);

it(
  'what cannot be had again is named, and nothing is replaced unless asked',
  async () => {
    await inFreshFolder(async (dataDir) => {
      const { paths, folder } = await fill(dataDir);
      const before = logicalHash(paths.serving);
      writeFileSync(join(folder, 'MSFT.csv'), barsFile(500));
      const [segment] = readdirSync(paths.segments).filter((name) => name.endsWith('.parquet'));
      const bytes = readFileSync(join(paths.segments, segment));
      bytes[bytes.length >> 1] ^= 1;
      writeFileSync(join(paths.segments, segment), bytes);
      const refused = rebuild(paths, { isPartial: false }, depsOf(dataDir));
      await expect(refused).rejects.toThrow(/2 loaded segments.*--partial.*another content/s);
      await expect(refused).rejects.toThrow('does not match its SHA-256');
      expect(logicalHash(paths.serving)).toEqual(before);
      writeFileSync(join(folder, 'MSFT.csv'), barsFile(200));
      const { lost, segments } = await rebuild(paths, { isPartial: true }, depsOf(dataDir));
      expect([segments, lost.map(({ origin }) => origin)]).toEqual([1, ['news.csv']]);
      // The two articles are gone, each from the list of everything and from its symbol's.
      expect(logicalHash(paths.serving).rows).toBe(before.rows - 4);
    });
  },
  TIMEOUT_MS,
);

it(
  'damaged published files are healed by compact --full, whichever they are',
  async () => {
    await inFreshFolder(async (dataDir) => {
      const { paths } = await fill(dataDir);
      const before = logicalHash(paths.serving);
      for (const damage of [
        /^manifest/,
        /^candles-1d/,
        /^quotes/,
        /^list-news-rows/,
        /^companies/,
      ]) {
        const name = readdirSync(paths.serving).find((each) => damage.test(each));
        if (!name) throw new Error(`no file ${damage}`);
        if (damage.source === '^quotes') rmSync(join(paths.serving, name));
        else writeFileSync(join(paths.serving, name), 'damaged');
        await compact(paths, { isFull: true }, DEPS);
        expect(logicalHash(paths.serving), name).toEqual(before);
      }
    });
  },
  TIMEOUT_MS,
);
