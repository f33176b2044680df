/** A small market of segments of both kinds: read from files in place, and landed. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backfill } from '../../../jobs/load/backfill.ts';
import type { RebuildDeps } from '../../../jobs/rebuild/records.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { type ModePaths, modePaths } from '../../../src/base/config/data-dir.ts';
import type { Fetched } from '../../../src/ingest/contract/fetch-context.ts';
import { stageDatasetRows } from '../../../src/ingest/rows/segment.ts';
import { sourceNamed } from '../../../src/ingest/sources/sources.ts';
import { testContext } from '../../ingest/support/segment-rows.ts';
import { NOW_MS } from './flow.ts';

export const DEPS = { verb: 'test', nowMs: NOW_MS };

const CSV = 'Date,Open,High,Low,Close,Volume\n';

export function barsFile(close: number): string {
  const lines = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'].map(
    (date, i) => `${date},${close + i},${close + i + 1},${close + i - 1},${close + i},1000\n`,
  );
  return CSV + lines.join('');
}

export async function* all(...segments: Fetched[]): AsyncGenerator<Fetched> {
  yield* segments;
}

/** Returns the folder of the user's files. */
export function filesFolder(home: string): string {
  return join(home, 'mine');
}

/** Returns the request that loads the files. */
export function questionOf(home: string) {
  return { source: 'files', slice: { path: filesFolder(home), basis: 'raw' } } as const;
}

/** Bars out of a user's folder and two landed articles, in `home` and published. */
export async function fillMarket(home: string): Promise<void> {
  const paths = modePaths(home, 'live');
  mkdirSync(filesFolder(home));
  for (const [i, symbol] of ['AAPL', 'MSFT'].entries()) {
    writeFileSync(join(filesFolder(home), `${symbol}.csv`), barsFile(100 * (i + 1)));
  }
  await backfill(paths, askFiles(home, paths), { ...DEPS, request: questionOf(home) });
  await backfill(paths, all(await articles(paths, [1, 2])), { ...DEPS, nowMs: NOW_MS + 1000 });
}

/** The files of one home, for the store of another. */
export async function* askFiles(home: string, paths: ModePaths): AsyncIterable<Fetched> {
  const files = await sourceNamed('files')?.load();
  if (!files?.fetch) throw new Error('the registry has files');
  yield* files.fetch(questionOf(home).slice, contextOf(paths));
}

function contextOf(paths: ModePaths) {
  return { ...testContext(paths.root, new Date(NOW_MS).toISOString()), paths };
}

export function articles(paths: ModePaths, numbers: readonly number[]): Promise<Fetched> {
  return stageDatasetRows(
    { dataset: 'news', source: 'files', asOfUs: BigInt(NOW_MS) * 1000n, origin: 'news.csv' },
    numbers.map((number) => ({
      row: {
        title: `Title ${number}`,
        source: 'Wire',
        url: `https://example.com/${number}`,
        publishedAt: NOW_MS - number,
        symbols: ['AAPL'],
      },
    })),
    contextOf(paths),
  );
}

export function depsOf(dataDir: string): RebuildDeps {
  const settings = settingsFromEnv({ TAPEWORKS_DATA_DIR: dataDir });
  return { ...DEPS, nowMs: NOW_MS + 2000, settings };
}
