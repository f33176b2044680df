/** Publishes lists: records of all datasets but candles, as layers over the published ones. */

import type { ListName } from '../../../src/base/datasets/datasets.ts';
import { rowDatasets } from '../../../src/base/datasets/datasets.ts';
import { isPerShare } from '../../../src/base/datasets/statement.ts';
import { limits } from '../../../src/base/limits.ts';
import type { ListLayerWriter } from '../../../src/store/arrow/lists/layer-writer.ts';
import { layersKept, mergeLists, type NewLists } from '../../../src/store/arrow/lists/merge.ts';
import { ownColumns } from '../../../src/store/arrow/lists/own-columns.ts';
import type { ServedLists } from '../../../src/store/arrow/lists/served-lists.ts';
import {
  columnKey,
  compareRows,
  EVERYTHING,
  LIST_NAMES,
  LIST_SPECS,
  type ListRow,
  type WrittenRow,
} from '../../../src/store/arrow/lists/specs.ts';
import type { PublishedVersion } from '../../../src/store/arrow/read/published-version.ts';
import type { ListsContent, Publication } from '../../../src/store/arrow/write/publication.ts';
import { readActions } from '../../../src/store/duckdb/candles/read-actions.ts';
import type { MarketDb } from '../../../src/store/duckdb/connection/open.ts';
import { readStoreMark } from '../../../src/store/duckdb/connection/outbox.ts';
import { readRowChanges, streamRows } from '../../../src/store/duckdb/rows/read-rows.ts';
import { changedNews, writeAllNews } from './news.ts';
import { OWN_LISTS } from './own-lists.ts';
import { makeListRows } from './rows.ts';

export interface ListsPlan extends Omit<ListsContent, 'layersKept'> {
  /**
   * Symbols, or articles, whose lists change, by dataset; undefined = all lists are made again.
   */
  changed: ReadonlyMap<string, readonly string[]> | undefined;
  /** Version that the layers lie over. */
  published: ServedLists | undefined;
}

/**
 * @param published Version that the lists lie over.
 * @returns undefined if all lists are as published.
 */
export async function planLists(
  market: MarketDb,
  published: PublishedVersion | undefined,
): Promise<ListsPlan | undefined> {
  const known = published?.manifest.lists;
  // Companies are as new as the lists.
  const isWhole = published?.manifest.companies !== undefined;
  const isOfStore = known && isWhole && (await markOf(market, known.seq)) === known.storeMark;
  const { keys, seq } = await readRowChanges(market, isOfStore ? known.seq : 0);
  if (isOfStore ? seq === known.seq : seq === 0 && !known) return undefined;
  const storeMark = await markOf(market, seq);
  if (!isOfStore) return { seq, storeMark, changed: undefined, published: undefined };
  return { seq, storeMark, changed: keys, published: published.lists };
}

/** Raised when rows have another form, or follow other rules: all lists are then made again. */
export const ROW_FORM = 6;

/** Returns the mark of a store, which never loaded such records where it is the form alone. */
async function markOf(market: MarketDb, seq: number): Promise<string> {
  return `${ROW_FORM} ${(await readStoreMark(market, seq)) ?? ''}`;
}

/** Writes the layers of a plan. @returns their part of the commit. */
export async function publishLists(
  publication: Publication,
  market: MarketDb,
  plan: ListsPlan | undefined,
): Promise<ListsContent | undefined> {
  if (!plan) return undefined;
  const kept: ListsContent['layersKept'] = {};
  for (const name of LIST_NAMES) {
    const keys = plan.changed?.get(name);
    if (plan.changed && !keys) continue;
    const published = plan.published?.layers(name) ?? [];
    const newLists = keys && (await readChanged(market, plan, name, keys));
    const writer = publication.openList(name);
    if (!newLists) {
      kept[name] = 0;
      await writeAll(writer, market, name);
      continue;
    }
    const newRows = newLists.values().reduce((sum, rows) => sum + rows.length, 0);
    const rowCounts = published.map(({ layer }) => layer.rowCount);
    const below = layersKept(rowCounts, newRows);
    kept[name] = below;
    const merged = { merged: published.slice(below), isOldest: below === 0 };
    await mergeLists(writer, name, merged, newLists);
  }
  const { seq, storeMark } = plan;
  return { seq, storeMark, layersKept: kept };
}

/** @returns undefined if so much has changed that all lists are made again. */
async function readChanged(
  market: MarketDb,
  { published }: ListsPlan,
  name: ListName,
  keys: readonly string[],
): Promise<NewLists | undefined> {
  if (keys.length > limits.serving.listRowsMax) return undefined;
  if (name === 'news') return changedNews(market, published, keys);
  const isListed = (key: string) => (published?.list(name, key).count ?? 0) > 0;
  const columns = name === 'values' && published ? ownColumns(published) : [];
  const listed = [...keys, ...columns.flatMap((of) => keys.map((one) => columnKey(of, one)))];
  const gone = listed.filter(isListed).map((key) => [key, []] as const);
  const lists = new Map<string, readonly WrittenRow[]>(gone);
  let rowCount = 0;
  for await (const { key, rows } of listsOf(market, name, keys)) {
    lists.set(key, rows);
    rowCount += rows.length;
    if (rowCount > limits.serving.listRowsMax) return undefined;
  }
  if (LIST_SPECS[name].isOfAll) lists.set(EVERYTHING, await wholeList(market, name));
  return lists;
}

async function writeAll(writer: ListLayerWriter, market: MarketDb, name: ListName): Promise<void> {
  if (name === 'news') return writeAllNews(writer, market);
  if (LIST_SPECS[name].isOfAll) writer.addList(EVERYTHING, await wholeList(market, name));
  for await (const { key, rows } of listsOf(market, name)) {
    writer.addList(key, rows);
    await writer.settle();
  }
}

async function* listsOf(
  market: MarketDb,
  name: Exclude<ListName, 'news'>,
  symbols?: readonly string[],
): AsyncGenerator<{ key: string; rows: WrittenRow[] }> {
  if (name === 'members') return;
  const dataset = rowDatasets.find((one) => one.name === name)!;
  // Twelve months may hold a split.
  const actions = isPerShare(dataset) ? await readActions(market, symbols) : undefined;
  for await (const { symbol, rows } of streamRows(market, dataset, symbols)) {
    const splits = actions?.get(symbol)?.splits ?? [];
    const made = inOrder(name, makeListRows(name, rows, splits));
    if (name !== 'values') yield { key: symbol, rows: made };
    else {
      const byColumn = Map.groupBy(made, ({ kind }) => kind);
      for (const column of [...byColumn.keys()].sort()) {
        yield { key: columnKey(column, symbol), rows: byColumn.get(column)! };
      }
    }
  }
}

/** Reads the rows of all symbols, some ten thousand. */
async function wholeList(market: MarketDb, name: Exclude<ListName, 'news'>): Promise<WrittenRow[]> {
  const own = OWN_LISTS[name];
  if (own) return inOrder(name, await own(market));
  const all: WrittenRow[] = [];
  for await (const { rows } of listsOf(market, name)) all.push(...rows);
  return inOrder(name, all);
}

function inOrder(name: ListName, rows: readonly ListRow[]): WrittenRow[] {
  const { order } = LIST_SPECS[name];
  return rows.map((row) => ({ ...row, adds: 1 })).sort((a, b) => compareRows(order, a, b));
}
