/** Plans a publish from the published version and the changes since. */

import type { DirectoryRow } from '../../src/base/directory-row.ts';
import { limits } from '../../src/base/limits.ts';
import { publishedColumns } from '../../src/compute/indicators/derive-series.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import { isSameDirectory } from '../../src/store/arrow/snapshot/directory-table.ts';
import type { SymbolFacts } from '../../src/store/arrow/snapshot/symbol-directory.ts';
import { type Change, readPendingChanges } from '../../src/store/duckdb/connection/changes.ts';
import type { MarketDb } from '../../src/store/duckdb/connection/open.ts';
import { type LedgerLoad, readLoads } from '../../src/store/duckdb/connection/outbox.ts';
import { countSymbols, readDirectory } from '../../src/store/duckdb/securities/symbols.ts';
import type { RunDeps } from '../contract/reports.ts';
import { type ListsPlan, planLists } from './lists/publish.ts';
import { readRestated } from './quotes/restated-facts.ts';

export interface PublishDeps extends Omit<RunDeps, 'guarded' | 'request'> {
  /** True to write everything from the store: equal rows then give equal files. */
  isWhole?: boolean;
}

export interface PublishPlan {
  /** `base` writes all series, `layer` the changed ones, `directory` only names or lists. */
  kind: 'base' | 'layer' | 'directory' | 'none';
  /** Newest load that is included, and its mark. */
  seq: number;
  storeMark: string;
  rewritten: string[];
  /** Symbols that only have newer bars, and the first of these in microseconds. */
  appended: Map<string, number>;
  removed: string[];
  intraday: Change[];
  /** Symbols with newer corporate-action records. */
  restated: string[];
  /** New facts of symbols whose daily bars stay: other actions, or another vintage. */
  restatedFacts: Map<string, SymbolFacts>;
  /** Version whose other series stay as they are; undefined = everything is read from the store. */
  published: PublishedVersion | undefined;
  /** Known symbols; undefined = as published. */
  directory: DirectoryRow[] | undefined;
  lists: ListsPlan | undefined;
}

/**
 * Plans a publish. A layer is cheap to write but costs its readers, so many rewritten symbols
 * become a base: as many as overrides that cause a compaction.
 */
export async function planPublish(
  market: MarketDb,
  before: PublishedVersion | undefined,
): Promise<PublishPlan> {
  const newer = await readLoads(market, before?.manifest.seq ?? 0);
  const published = before && isOfStore(newer, before) ? before : undefined;
  const loads = published || !before ? newer : await readLoads(market, 0);
  const { changes, seq: changeSeq } = await readPendingChanges(
    market,
    published?.manifest.seq ?? 0,
  );
  const directorySeq = loads.findLast(({ dataset }) => STATING.includes(dataset))?.seq ?? 0;
  const seq = Math.max(changeSeq, directorySeq);
  const storeMark = markOf(loads, seq);
  const daily = changes.filter(({ interval }) => interval === '1d');
  const intraday = changes.filter(({ interval }) => interval !== '1d');
  const isAppend = ({ symbol, kind }: Change) =>
    kind === 'append' && published?.hasDays(symbol) === true;
  const removed = daily.filter(({ kind }) => kind === 'remove').map(({ symbol }) => symbol);
  const rewritten = daily
    .filter((change) => change.kind !== 'remove' && !isAppend(change))
    .map(({ symbol }) => symbol);
  const appended = new Map(
    daily.filter(isAppend).map(({ symbol, fromUs }) => [symbol, fromUs] as const),
  );
  const mayDiffer =
    !published ||
    directorySeq > published.manifest.seq ||
    // A load of bars may name new symbols; so do minutes.
    (await countSymbols(market)) !== published.listings.symbol.length;
  const directory = mayDiffer ? await changedDirectory(market, published) : undefined;
  const withDays = new Set(daily.map(({ symbol }) => symbol));
  const { restated, restatedFacts } = await readRestated(
    market,
    published,
    (symbol) => !withDays.has(symbol),
  );
  const series = { rewritten, appended, removed, intraday };
  const lists = await planLists(market, published);
  const kept = { published, directory, lists };
  const shared = { seq, storeMark, ...series, restated, restatedFacts, ...kept };
  const isSame = daily.length + intraday.length + restatedFacts.size === 0;
  if (isSame && published === before) {
    return { kind: directory?.length || lists ? 'directory' : 'none', ...shared };
  }
  const rewrittenMax = limits.serving.overrideShareMax * (published?.symbols.length ?? 0);
  const isFew = published && rewritten.length <= rewrittenMax;
  return { kind: isFew ? 'layer' : 'base', ...shared };
}

export function changedSymbols({ rewritten, appended, removed }: PublishPlan): Set<string> {
  return new Set([...rewritten, ...appended.keys(), ...removed]);
}

async function changedDirectory(
  market: MarketDb,
  published: PublishedVersion | undefined,
): Promise<DirectoryRow[] | undefined> {
  const rows = await readDirectory(market);
  return published && isSameDirectory(published.listings, rows) ? undefined : rows;
}

/** Datasets of loads and commands that change facts, names or listings of symbols. */
const STATING = ['symbols', 'securities'];

/** Returns true if a version is of this store and has the catalogue's columns. */
function isOfStore(loads: readonly LedgerLoad[], { manifest }: PublishedVersion): boolean {
  const mark = markOf(loads, manifest.seq);
  return mark === manifest.storeMark && `${manifest.indicatorColumns}` === `${publishedColumns}`;
}

/** Returns the mark of a load; empty in a store that only holds records of other datasets. */
function markOf(loads: readonly LedgerLoad[], seq: number): string {
  return loads.find((load) => load.seq === seq)?.mark ?? '';
}
