/** Lists of news, merged layer by layer: an article costs its own rows, not a whole list. */

import { newsKind } from '../../../src/base/datasets/news-kind.ts';
import type { ListLayerWriter } from '../../../src/store/arrow/lists/layer-writer.ts';
import type { NewLists } from '../../../src/store/arrow/lists/merge.ts';
import type { ServedLists } from '../../../src/store/arrow/lists/served-lists.ts';
import {
  compareRows,
  EVERYTHING,
  LIST_SPECS,
  type WrittenRow,
} from '../../../src/store/arrow/lists/specs.ts';
import type { MarketDb } from '../../../src/store/duckdb/connection/open.ts';
import { type NewsRow, streamNews } from '../../../src/store/duckdb/rows/read-rows.ts';

/** Writes every list whole: that of everything, then those of symbols. */
export async function writeAllNews(writer: ListLayerWriter, market: MarketDb): Promise<void> {
  let list: string | undefined;
  for (const which of ['everything', 'symbols'] as const) {
    for await (const row of streamNews(market, which)) {
      if (row.list !== list) {
        list = row.list;
        writer.begin(list);
        await writer.settle();
      }
      writer.add(writtenRow(row, 1));
    }
  }
}

/** Returns what some articles change in the lists that have or had them. */
export async function changedNews(
  market: MarketDb,
  published: ServedLists | undefined,
  ids: readonly string[],
): Promise<NewLists> {
  const lists = new Map<string, WrittenRow[]>();
  const add = (list: string, row: WrittenRow) => {
    const rows = lists.get(list);
    if (rows) rows.push(row);
    else lists.set(list, [row]);
  };
  const places = placesOf(published, ids);
  for (const which of ['everything', 'symbols'] as const) {
    for await (const row of streamNews(market, which, ids)) {
      const place = `${row.list} ${row.id}`;
      const before = places.get(place);
      const isInPlace = before?.timestampMs === row.publishedMs;
      if (isInPlace) places.delete(place);
      const written = writtenRow(row, isInPlace ? 0 : 1);
      add(row.list, isInPlace ? { ...written, replaced: before.kind } : written);
    }
  }
  for (const [place, { timestampMs, id, kind: replaced }] of places) {
    const list = place.slice(0, place.indexOf(' '));
    add(list, { timestampMs, id, knownMs: null, kind: '', json: '', adds: -1, replaced });
  }
  const { order } = LIST_SPECS.news;
  for (const rows of lists.values()) rows.sort((a, b) => compareRows(order, a, b));
  return lists;
}

interface Place {
  timestampMs: number;
  id: string;
  kind: string;
}

/** Places of published articles, by list and id. */
function placesOf(published: ServedLists | undefined, ids: readonly string[]): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const id of ids) {
    const row = published?.article(id);
    if (!row) continue;
    const { symbols } = JSON.parse(row.json) as { symbols: string[] };
    for (const list of [EVERYTHING, ...symbols]) {
      places.set(`${list} ${id}`, { timestampMs: row.timestampMs, id, kind: row.kind });
    }
  }
  return places;
}

function writtenRow(
  { publishedMs, id, sentiment, source, json }: NewsRow,
  adds: number,
): WrittenRow {
  const kind = newsKind(sentiment, source);
  return { timestampMs: publishedMs, id, knownMs: null, kind, json, adds };
}
