/**
 * A page of news among a thousand and among a million articles, against DuckDB over the same rows:
 * `node bench/http/pages.ts [--quick | --smoke]`.
 *
 * Times are CPU times, which other work on the machine changes least. Files are in the page cache. The usual pages are read again and again, as an API does; pages
 * anywhere are of another place each time, so that most batches are read and checked anew.
 */

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance, DuckDBTimestampValue } from '@duckdb/node-api';
import { newsId } from '../../src/base/datasets/news-id.ts';
import { newsKind } from '../../src/base/datasets/news-kind.ts';
import { ListLayerWriter } from '../../src/store/arrow/lists/layer-writer.ts';
import { ServedLists } from '../../src/store/arrow/lists/served-lists.ts';
import { EVERYTHING, type RowFilter } from '../../src/store/arrow/lists/specs.ts';
import {
  benchFolder,
  benchSizeFromArgs,
  type Candidates,
  checkResult,
  cpuMs,
  goalLines,
  machineLine,
  readable,
  tableFromRows,
  timeInterleaved,
} from '../harness.ts';

const SIZES = {
  smoke: { few: 100, many: 2000, rounds: 1, pagesPerSample: 5 },
  quick: { few: 1000, many: 200_000, rounds: 30, pagesPerSample: 100 },
  full: { few: 1000, many: 1_000_000, rounds: 100, pagesPerSample: 100 },
};

const PAGE_ROWS = 20;
/** Every so many articles one is about the symbol. */
const LISTS = [
  [EVERYTHING, 1],
  ['AAPL', 10],
  ['MSFT', 15],
] as const;
const SYMBOLS = ['AAPL', 'MSFT'];
/** Every so many articles one is of the other source. */
const RARE_EVERY = 1000;
const RARE = 'Rare Wire';
const NEWEST_MS = Date.parse('2026-11-20T21:00:00Z');
const MINUTE_MS = 60_000;

const momentOf = (number: number) => NEWEST_MS - number * MINUTE_MS;

const sourceOf = (number: number) => (number % RARE_EVERY === 0 ? RARE : 'Example Wire');
const sentimentOf = (number: number) => ['neutral', 'positive', 'negative'][number % 3];

const isPositive: RowFilter = { key: 'p', passes: (kind) => kind.startsWith('positive') };
const isRare: RowFilter = { key: 'r', passes: (kind) => kind.endsWith(RARE.toLowerCase()) };
const isAny: RowFilter = { key: '', passes: () => true };

function articleJson(number: number): string {
  return JSON.stringify({
    id: newsId(String(number)),
    title: `A headline of the usual length about a company and its business, ${number}`,
    summary: 'A sentence or two that say what happened. '.repeat(7),
    source: sourceOf(number),
    url: `https://example.com/markets/stories/${number}`,
    publishedAt: new Date(momentOf(number)).toISOString(),
    symbols: LISTS.slice(1).flatMap(([symbol, every]) => (number % every === 0 ? [symbol] : [])),
    sentiment: sentimentOf(number),
  });
}

async function publishArticles(path: string, count: number): Promise<ServedLists> {
  const writer = new ListLayerWriter(path, 'news', '00000001');
  for (const [list, every] of LISTS) {
    writer.begin(list);
    for (let number = 0; number < count; number += every) {
      const row = { timestampMs: momentOf(number), id: newsId(String(number)), knownMs: null };
      const kind = newsKind(sentimentOf(number), sourceOf(number));
      writer.add({ ...row, kind, adds: 1, json: articleJson(number) });
      if (number % 10_000 === 0) await writer.settle();
    }
  }
  const layers = { news: [await writer.finish()] };
  return new ServedLists(path, { seq: 1, storeMark: '', layers });
}

/** A prepared page of a table of the same articles, newest first. */
async function duckdbPages(count: number) {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE news AS
    SELECT make_timestamp((${NEWEST_MS} - i * ${MINUTE_MS}) * 1000) AS published_at, 'news_' || i AS id,
      repeat('x', 600) AS json FROM range(${count}) r(i)`);
  const statement = await connection.prepare(
    `SELECT json FROM news WHERE published_at < $1 ORDER BY published_at DESC LIMIT ${PAGE_ROWS}`,
  );
  return {
    async page() {
      statement.bindTimestamp(1, new DuckDBTimestampValue(BigInt(NEWEST_MS) * 1000n));
      return (await statement.runAndReadAll()).getRows();
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function checkPages(lists: ServedLists, count: number): void {
  const list = lists.list('news', EVERYTHING);
  checkResult(list.count === count, 'every article is in the list of everything');
  const last = list.page({ timestampMs: momentOf(count - 5), id: 'z' }, PAGE_ROWS);
  checkResult(last.length === 4, 'the last page has what is left');
  const [first] = list.page(undefined, PAGE_ROWS);
  checkResult(first.json === articleJson(0), 'the newest article comes first');
  const found = lists.article(newsId(String(count - 1)));
  checkResult(found?.json === articleJson(count - 1), 'an article is found by its id');
  const numbers = Array.from({ length: count }, (_, number) => number);
  const positive = numbers.filter((number) => number % 3 === 1).length;
  const total = (keys: readonly string[], filter: RowFilter) =>
    lists.news(keys, filter).countBetween(undefined, undefined);
  checkResult(total([EVERYTHING], isPositive) === positive, 'articles of a sentiment are counted');
  const either = numbers.filter((number) => number % 10 === 0 || number % 15 === 0).length;
  checkResult(total(SYMBOLS, isAny) === either, 'articles of either symbol are counted once');
  const [second] = lists.news([EVERYTHING], isPositive).page(undefined, undefined, 1);
  checkResult(second.json === articleJson(1), 'the newest of a sentiment comes first');
}

/** The same pages of one version; `times` of each make a sample. */
function pagesOf(lists: ServedLists, count: number, label: string, times: number): Candidates {
  const after = lists.list('news', EVERYTHING).page(undefined, PAGE_ROWS)[PAGE_ROWS - 1];
  let turn = 0;
  const anywhere = () => (turn = (turn + 7919) % count);
  const repeated = (read: () => unknown) => () => {
    for (let i = 0; i < times; i++) read();
  };
  const page = (key: string) => lists.list('news', key).page(undefined, PAGE_ROWS);
  let asked = 0;
  const selected = (keys: readonly string[], filter: RowFilter) => {
    const selection = lists.news(keys, filter);
    selection.countBetween(undefined, undefined);
    return selection.page(undefined, undefined, PAGE_ROWS);
  };
  return {
    [`first page, ${label}`]: repeated(() => page(EVERYTHING)),
    [`next page, ${label}`]: repeated(() => lists.list('news', EVERYTHING).page(after, PAGE_ROWS)),
    [`first page of a symbol, ${label}`]: repeated(() => page('AAPL')),
    [`page and total of a sentiment, ${label}`]: repeated(() => selected([EVERYTHING], isPositive)),
    [`page and total of a rare source, ${label}`]: repeated(() => selected([EVERYTHING], isRare)),
    [`page and total of two symbols, ${label}`]: repeated(() => selected(SYMBOLS, isAny)),
    [`page and total of a filter not asked before, ${label}`]: repeated(() =>
      selected([EVERYTHING], { ...isPositive, key: `${asked++}` }),
    ),
    [`page anywhere, ${label}`]: repeated(() =>
      lists.list('news', EVERYTHING).page({ timestampMs: momentOf(anywhere()), id: '' }, PAGE_ROWS),
    ),
    [`article by its id, ${label}`]: repeated(() => lists.article(newsId(String(anywhere())))),
  };
}

async function run(path: string): Promise<void> {
  const { few, many, rounds, pagesPerSample } = SIZES[benchSizeFromArgs()];
  const sizes = await Promise.all(
    [few, many].map(async (count) => {
      const lists = await publishArticles(mkdtempSync(join(path, 'lists-')), count);
      checkPages(lists, count);
      return { lists, count, label: count.toLocaleString('en') };
    }),
  );
  const duckdb = await duckdbPages(many);
  const candidates: Candidates = {
    'page by DuckDB, prepared': async () => void (await duckdb.page()),
  };
  for (const { lists, count, label } of sizes) {
    Object.assign(candidates, pagesOf(lists, count, label, pagesPerSample));
  }
  const timings = await timeInterleaved(candidates, rounds, 2, cpuMs);
  const microsOf = (name: string) =>
    (timings[name].medianMs * 1000) / (name.startsWith('page by') ? 1 : pagesPerSample);
  console.log(machineLine());
  console.log(
    tableFromRows(
      ['of 20 articles', 'median, µs of CPU'],
      Object.keys(candidates).map((name) => [name, readable(microsOf(name))]),
    ),
  );
  const [small, large] = sizes.map(({ label }) => label);
  const goals = ['first page', 'next page', 'first page of a symbol'].map((name) => ({
    name: `${name}: ${small} ÷ ${large} articles`,
    ratio: microsOf(`${name}, ${small}`) / microsOf(`${name}, ${large}`),
    atLeast: 0.9,
  }));
  console.log(goalLines(goals));
  for (const { lists } of sizes) lists.close();
  duckdb.close();
}

const folder = benchFolder();
await run(folder);
