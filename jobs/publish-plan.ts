/** What a publish has to do, from what is published and what has changed since. */

import { limits } from '../src/limits.ts';
import { type Change, readPendingChanges } from '../src/store/market/changes.ts';
import type { MarketDb } from '../src/store/market/open.ts';
import {
  type DirectoryRow,
  newestDirectoryLoad,
  readDirectory,
} from '../src/store/market/symbols.ts';
import { isSameDirectory } from '../src/store/serving/directory-table.ts';
import type { PublishedVersion } from '../src/store/serving/published-version.ts';
import { readStoreMark } from '../src/store/serving/store-mark.ts';
import { publishedColumns } from './derive-series.ts';

export interface PublishPlan {
  /**
   * `base` writes all series anew, `layer` adds the changed ones to what is published,
   * `directory` leaves all series as they are.
   */
  kind: 'base' | 'layer' | 'directory' | 'none';
  /** The newest load that is included, and its mark. */
  seq: number;
  storeMark: string;
  /** Symbols to be read whole. */
  rewritten: string[];
  /** Symbols that only have newer bars, and the first of these in microseconds. */
  appended: Map<string, number>;
  /** The version whose other series stay as they are; undefined = everything is read anew. */
  published: PublishedVersion | undefined;
  /** All known symbols; undefined = as published. */
  directory: DirectoryRow[] | undefined;
}

/**
 * Plans a publish.
 *
 * A layer is cheap to write but costs its readers; beyond a share of rewritten symbols, the same
 * as that of patches in a fold, the base is written anew at once.
 */
export async function planPublish(
  market: MarketDb,
  before: PublishedVersion | undefined,
): Promise<PublishPlan> {
  const published = before && (await isOfStore(market, before)) ? before : undefined;
  const { changes, seq: changeSeq } = await readPendingChanges(
    market,
    published?.manifest.seq ?? 0,
  );
  const directorySeq = await newestDirectoryLoad(market);
  const seq = Math.max(changeSeq, directorySeq);
  const storeMark = (await readStoreMark(market, seq)) ?? '';
  const daily = changes.filter(({ interval }) => interval === '1d');
  const isAppend = ({ symbol, kind }: Change) =>
    kind === 'append' && published !== undefined && published.rowCount(symbol, '1d') > 0;
  const rewritten = daily.filter((change) => !isAppend(change)).map(({ symbol }) => symbol);
  const appended = new Map(
    daily.filter(isAppend).map(({ symbol, fromUs }) => [symbol, fromUs] as const),
  );
  const mayDiffer =
    !published ||
    directorySeq > published.manifest.seq ||
    rewritten.some((symbol) => published.directory.number(symbol) === undefined);
  const directory = mayDiffer ? await changedDirectory(market, published) : undefined;
  const shared = { seq, storeMark, rewritten, appended, published, directory };
  if (daily.length === 0 && published === before) {
    return { kind: directory?.length ? 'directory' : 'none', ...shared };
  }
  const isFew = rewritten.length <= limits.serving.patchShareMax * (published?.symbols.length ?? 0);
  return { kind: isFew ? 'layer' : 'base', ...shared };
}

async function changedDirectory(
  market: MarketDb,
  published: PublishedVersion | undefined,
): Promise<DirectoryRow[] | undefined> {
  const rows = await readDirectory(market);
  return published && isSameDirectory(published.listings, rows) ? undefined : rows;
}

/** Whether a version was published from this store and with the columns of today's catalogue. */
async function isOfStore(market: MarketDb, { manifest }: PublishedVersion): Promise<boolean> {
  const mark = await readStoreMark(market, manifest.seq);
  return mark === manifest.storeMark && `${manifest.indicatorColumns}` === `${publishedColumns}`;
}
