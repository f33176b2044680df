import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ModePaths, modePaths } from '../../../../src/base/config/data-dir.ts';
import type { DatasetRow } from '../../../../src/base/datasets/dataset.ts';
import type { ListName } from '../../../../src/base/datasets/datasets.ts';
import { rowDatasets } from '../../../../src/base/datasets/datasets.ts';
import { onFailpoint } from '../../../../src/base/failpoints.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import { MANIFEST_NAME } from '../../../../src/store/arrow/format/manifest.ts';
import type { ServedList } from '../../../../src/store/arrow/lists/served-list.ts';
import { compareRows, EVERYTHING, LIST_NAMES } from '../../../../src/store/arrow/lists/specs.ts';
import type { PublishedVersion } from '../../../../src/store/arrow/read/published-version.ts';
import { isLong, scaled } from '../../../faults/scale.ts';
import {
  freshPaths,
  NOW_MS,
  risingBars,
  segmentOf,
} from '../../../store/duckdb/support/fixtures.ts';
import { article, land, target } from '../../../store/duckdb/support/row-fixtures.ts';
import { sharedFolder } from '../../../support/folders.ts';
import { renameSecurity } from '../../../support/state-facts.ts';
import { long, STORE_RUNS } from '../../../support/store-runs.ts';
import { expectAsFromScratch, inStore, loadAll, published, run } from '../../support/store.ts';

const ms = (text: string) => Date.parse(text);

const runOf = async (paths: ModePaths) => {
  await run(paths);
  return published(paths);
};

const jsonOf = (list: ServedList) => list.page(undefined, 1000).map(({ json }) => JSON.parse(json));

/** Every row of every list, and its length. */
function contentOf(version: PublishedVersion): unknown {
  const keys = [EVERYTHING, ...version.listings.symbol];
  return LIST_NAMES.flatMap((name) =>
    keys.map((key) => {
      const list = version.list(name, key);
      const rows = [...list.rows()];
      expect(list.count, `length of ${name} of ${key}`).toBe(rows.length);
      return { name, key, rows };
    }),
  ).filter(({ rows }) => rows.length > 0);
}

/** Articles selected in memory are those that reading the lists finds. */
function expectSelections(version: PublishedVersion): void {
  const kinds = ['positive wire', 'negative wire', ' wire', 'positive post', ' post'];
  const filters = [kinds, kinds.slice(0, 1), kinds.slice(1, 3), kinds.slice(3)].map((wanted) => ({
    key: wanted.join(),
    passes: (kind: string) => wanted.includes(kind),
  }));
  for (const keys of [[EVERYTHING], ['AAPL'], ['AAPL', 'MSFT'], ['F', 'GE', 'MSFT', 'NONE']]) {
    const read = keys.flatMap((key) => [...version.list('news', key).rows()]);
    const rows = [...new Map(read.map((row) => [row.id, row])).values()].sort((a, b) =>
      compareRows('newest', a, b),
    );
    for (const filter of filters) {
      const wanted = rows.filter(({ kind }) => filter.passes(kind));
      const selection = version.news(keys, filter);
      expect(selection.countBetween(undefined, undefined)).toBe(wanted.length);
      expect(selection.page(undefined, undefined, 1000)).toEqual(wanted);
      const [after, end] = [rows.at(1), rows.at(-2)];
      if (!after || !end) continue;
      const between = wanted.filter(
        (row) => compareRows('newest', row, after) > 0 && compareRows('newest', row, end) <= 0,
      );
      expect(selection.countBetween(after, end)).toBe(between.length);
      expect(selection.page(after, end, 3)).toEqual(between.slice(0, 3));
    }
  }
}

describe('a list', () => {
  const home = sharedFolder();
  let version: PublishedVersion;

  const statement = (date: string, filedAt: string, eps: number): DatasetRow => ({
    ...{ symbol: 'AAPL', date: dayFromDate(date), period: 'annual', filedAt: ms(filedAt), eps },
  });
  const report = (symbol: string, date: string, fiscalQuarter: string | null): DatasetRow => ({
    ...{ symbol, date: dayFromDate(date), fiscalQuarter, asOf: ms('2026-06-30T00:00:00Z') },
  });
  const expirations = (asOf: string, ...dates: string[]) =>
    dates.map((date) => ({ symbol: 'AAPL', asOf: ms(asOf), date: dayFromDate(date) }));

  beforeAll(async () => {
    const paths = modePaths(home, 'live');
    await loadAll(
      paths,
      await land('news', [article(1, { symbols: ['MSFT', 'AAPL'], sentiment: 'positive' })]),
      await land('statements', [
        statement('2024-09-28', '2024-11-01T10:00:00Z', 6.1),
        statement('2025-09-27', '2025-10-31T10:00:00Z', 7.5),
        statement('2024-09-28', '2025-10-31T10:00:00Z', 6.2),
      ]),
      await land('earnings-calendar', [
        report('MSFT', '2026-07-28', null),
        report('AAPL', '2026-10-29', '2026-Q4'),
        report('AAPL', '2026-07-30', '2026-Q3'),
        report('AAPL', '2026-07-30', null),
      ]),
      await land('expirations', [
        ...expirations('2026-06-29T00:00:00Z', '2026-07-02', '2026-07-10'),
        ...expirations('2026-06-30T00:00:00Z', '2026-07-17', '2026-07-10'),
      ]),
      await land('analyst-consensus', [
        { symbol: 'AAPL', asOf: ms('2026-06-29T00:00:00Z'), targetMean: 300 },
        {
          ...{ symbol: 'AAPL', asOf: ms('2026-06-30T00:00:00Z') },
          ...{ strongBuy: 1, buy: 2, hold: 3, sell: 4 },
        },
      ]),
    );
    version = await runOf(paths);
  });

  it('is published with its rows as the API answers them', () => {
    for (const key of [EVERYTHING, 'AAPL', 'MSFT']) {
      expect(jsonOf(version.list('news', key))).toEqual([
        {
          id: expect.stringMatching(/^news_/),
          title: 'Title 1',
          summary: null,
          source: 'Wire',
          url: 'https://example.com/1',
          publishedAt: '2026-06-30T10:00:00.001Z',
          symbols: ['MSFT', 'AAPL'],
          sentiment: 'positive',
        },
      ]);
    }
    expect(version.list('news', 'F').count).toBe(0);
    const [{ id }] = jsonOf(version.list('news', 'AAPL'));
    expect(version.article(id)?.kind).toBe('positive wire');
    expect(version.article('news_aaaaaaaaaaaaaaaaaaaaaaaaaa')).toBeUndefined();
  });

  it('of statements has every version, with the moment it was filed', () => {
    const all = version.list('statements', 'AAPL').page(undefined, 10);
    const rows = all.filter(({ kind }) => kind === 'annual');
    // Twelve months that end with a year are that year.
    const trailing = all.filter(({ kind }) => kind === 'ttm');
    expect(trailing.map(({ knownMs, json }) => [knownMs, JSON.parse(json).eps])).toEqual(
      rows.map(({ knownMs, json }) => [knownMs, JSON.parse(json).eps]),
    );
    expect(rows.map(({ kind, knownMs, json }) => [kind, knownMs, JSON.parse(json).eps])).toEqual([
      ['annual', ms('2025-10-31T10:00:00Z'), 7.5],
      ['annual', ms('2024-11-01T10:00:00Z'), 6.1],
      ['annual', ms('2025-10-31T10:00:00Z'), 6.2],
    ]);
    expect(JSON.parse(rows[0].json)).toMatchObject({
      date: '2025-09-27',
      period: 'annual',
      revenue: null,
      costOfRevenue: null,
      grossProfit: null,
      operatingIncome: null,
      netIncome: null,
      eps: 7.5,
      epsDiluted: null,
      researchDevelopment: null,
    });
  });

  it('of statements has the last twelve months, on the basis of splits that come later', async () => {
    const paths = freshPaths();
    const quarters = ['2025-03-29', '2025-06-28', '2025-09-27', '2025-12-27'].map(
      (date): DatasetRow => ({
        symbol: 'AAPL',
        date: dayFromDate(date),
        period: 'quarterly',
        filedAt: (dayFromDate(date) + 30) * 86_400_000,
        eps: 2,
      }),
    );
    await loadAll(paths, await land('statements', quarters));
    const trailing = (version: PublishedVersion) => {
      const rows = version.list('statements', 'AAPL').page(undefined, 100);
      return rows.filter(({ kind }) => kind === 'ttm').map(({ json }) => JSON.parse(json).eps);
    };
    expect(trailing(await runOf(paths))).toEqual([8]);
    const split = { exDay: dayFromDate('2025-12-01'), numerator: 2, denominator: 1 };
    const days = {
      coverageFromDay: dayFromDate('2025-01-01'),
      coverageToDay: dayFromDate('2026-06-01'),
    };
    const actions = [{ symbol: 'AAPL', splits: [split], dividends: [], ...days }];
    await loadAll(paths, segmentOf([], { actions, basis: 'raw' }));
    expect(trailing(await runOf(paths))).toEqual([5]);
  });

  it('of reports is that of everything and of each symbol, in order of date', () => {
    const shown = (key: string) =>
      jsonOf(version.list('earnings-calendar', key)).map((row) => `${row.symbol} ${row.date}`);
    expect(shown(EVERYTHING)).toEqual(['MSFT 2026-07-28', 'AAPL 2026-07-30', 'AAPL 2026-10-29']);
    expect(shown('AAPL')).toEqual(['AAPL 2026-07-30', 'AAPL 2026-10-29']);
  });

  it('of expirations is the newest set', () => {
    expect(jsonOf(version.list('expirations', 'AAPL'))).toEqual(['2026-07-10', '2026-07-17']);
  });

  it('of consensus is one row, from the newest counts and targets', () => {
    expect(jsonOf(version.list('analyst-consensus', 'AAPL'))).toEqual([
      {
        symbol: 'AAPL',
        consensus: 'Hold',
        totalAnalysts: 10,
        targetHigh: null,
        targetLow: null,
        targetMean: 300,
        targetMedian: null,
        buy: 3,
        hold: 3,
        sell: 4,
      },
    ]);
  });

  long('is read page by page, each row once', async () => {
    const paths = freshPaths();
    await loadAll(
      paths,
      await land(
        'news',
        Array.from({ length: 500 }, (_, i) => article(i)),
      ),
    );
    const first = await runOf(paths);
    await loadAll(
      paths,
      await land(
        'news',
        Array.from({ length: 9 }, (_, i) => article(60 * i)),
      ),
    );
    await loadAll(paths, await land('news', [article(900), article(250.5)].map(later)));
    const version = await runOf(paths);
    expect(version.lists.layers('news').length).toBe(2);
    for (const [one, count] of [
      [first, 500],
      [version, 502],
    ] as const) {
      const list = one.list('news', 'AAPL');
      const titles: string[] = [];
      for (let after: ReturnType<ServedList['page']>[number] | undefined; ; ) {
        const page = list.page(after, 7);
        if (page.length === 0) break;
        if (after) expect(list.countAfter(after)).toBe(count - titles.length);
        titles.push(...page.map(({ json }) => JSON.parse(json).title));
        after = page[page.length - 1];
      }
      expect(titles).toEqual([...list.rows()].map(({ json }) => JSON.parse(json).title));
      expect([titles.length, new Set(titles).size, list.count]).toEqual([count, count, count]);
    }
  });
});

function later(row: DatasetRow): DatasetRow {
  return { ...row, publishedAt: Math.round(Number(row.publishedAt)) };
}

describe('a publish of rows', () => {
  long(
    'leaves bars as they are, and bars and a new catalogue of indicators leave rows',
    async () => {
      const paths = freshPaths();
      const barsOf = (symbol: string) =>
        segmentOf([{ symbol, bars: risingBars('2026-01-02', 5) }], { name: symbol });
      await loadAll(paths, barsOf('AAPL'));
      const first = await runOf(paths);
      await loadAll(paths, await land('analyst-targets', [target()]));
      const second = await runOf(paths);
      expect(second.manifest.layers).toEqual(first.manifest.layers);
      expect(second.list('analyst-targets', 'AAPL').count).toBe(1);
      // Nothing is new.
      expect((await runOf(paths)).id).toBe(second.id);
      await loadAll(paths, barsOf('MSFT'));
      const third = await runOf(paths);
      expect(third.symbols).toEqual(['AAPL', 'MSFT']);
      expect(third.manifest.lists).toEqual(second.manifest.lists);
      const { seq, lists, indicatorColumns } = third.manifest;
      expect(lists?.seq).toBeLessThan(seq);
      const content = contentOf(third);
      // The load of the bars was dropped or rebuilt since: the lists' own load is the one of before.
      await inStore(paths, ({ connection }) =>
        connection.run(`UPDATE segments SET segment = 'another' WHERE seq = ${seq}`),
      );
      const after = await runOf(paths);
      expect(after.id).not.toBe(third.id);
      expect(contentOf(after)).toEqual(content);
      const path = join(paths.serving, MANIFEST_NAME);
      const { crc32: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8'));
      const earlier = { ...manifest, indicatorColumns: ['sma_3'] };
      const crc = crc32(JSON.stringify(earlier));
      writeFileSync(path, JSON.stringify({ ...earlier, crc32: crc }));
      const again = await runOf(paths);
      expect(again.manifest.indicatorColumns).toEqual(indicatorColumns);
      expect(contentOf(again)).toEqual(content);
    },
  );

  // Twelve months of quarters with and without a sold business stayed after an update.
  it('makes rows again that were made by rules of before', async () => {
    const paths = freshPaths();
    await loadAll(paths, await land('analyst-targets', [target()]));
    const before = await runOf(paths);
    const path = join(paths.serving, MANIFEST_NAME);
    const { crc32: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8'));
    const storeMark = manifest.lists.storeMark.replace(/^\d+ /, '3 ');
    const earlier = { ...manifest, lists: { ...manifest.lists, storeMark } };
    writeFileSync(path, JSON.stringify({ ...earlier, crc32: crc32(JSON.stringify(earlier)) }));
    const after = await runOf(paths);
    expect(after.id).not.toBe(before.id);
    expect(after.manifest.lists?.storeMark).toBe(before.manifest.lists?.storeMark);
    expect(contentOf(after)).toEqual(contentOf(before));
    expect((await runOf(paths)).id).toBe(after.id);
  });

  long('follows a rename', async () => {
    const paths = freshPaths();
    await loadAll(
      paths,
      await land('analyst-targets', [target({ symbol: 'FB' })]),
      await land('news', [article(1, { symbols: ['FB', 'AAPL'] })]),
    );
    await runOf(paths);
    const rename = { from: 'FB', to: 'META', day: dayFromDate('2026-07-01'), nowMs: NOW_MS };
    await inStore(paths, (db) => renameSecurity(db, rename));
    const version = await runOf(paths);
    expect(version.list('analyst-targets', 'FB').count).toBe(0);
    expect(version.list('analyst-targets', 'META').count).toBe(1);
    expect(version.list('news', 'FB').count).toBe(0);
    expect(jsonOf(version.list('news', 'META'))).toMatchObject([{ symbols: ['META', 'AAPL'] }]);
    await expectAsFromScratch(paths, (where) => contentOf(published(where)));
  });

  long('shows the store that replaced the old one', async () => {
    const paths = freshPaths();
    await loadAll(paths, await land('analyst-targets', [target()]));
    await runOf(paths);
    const other = freshPaths();
    await loadAll(other, await land('analyst-targets', [target({ symbol: 'MSFT' })]));
    renameSync(other.market, paths.market);
    const version = await runOf(paths);
    expect(version.list('analyst-targets', 'AAPL').count).toBe(0);
    expect(version.list('analyst-targets', 'MSFT').count).toBe(1);
  });

  it.runIf(isLong)(
    'that is broken off at any step leaves the old lists or the new ones',
    async () => {
      const paths = freshPaths();
      await loadAll(paths, await land('news', [article(1), article(2)]));
      await runOf(paths);
      await loadAll(paths, await land('news', [article(1, { title: 'New' }), article(3)]));
      const titles = () => {
        const { lists } = published(paths);
        return jsonOf(lists.list('news', 'AAPL')).map(({ title }) => title);
      };
      const [old, now] = [
        ['Title 2', 'Title 1'],
        ['Title 3', 'Title 2', 'New'],
      ];
      for (let last = 1; ; last += scaled(12, 1)) {
        let steps = 0;
        onFailpoint(() => {
          if (++steps === last) throw new Error('broken off');
        });
        const isDone = await run(paths).then(
          () => true,
          (error: Error) => {
            expect(error.message).toBe('broken off');
            return false;
          },
        );
        onFailpoint(undefined);
        expect(isDone ? [now] : [old, now]).toContainEqual(titles());
        if (isDone) break;
      }
    },
  );

  long('gives what a first publish gives, whatever was loaded and published before', async () => {
    const day = fc.integer({ min: 20_600, max: 20_605 });
    const symbol = fc.constantFrom('AAPL', 'MSFT', 'F', 'GE');
    const moment = day.map((one) => one * 86_400_000);
    const newsRow = fc.record({
      title: fc.constantFrom('a', 'b'),
      source: fc.constantFrom('Wire', 'Post'),
      sentiment: fc.constantFrom('positive', 'negative', null),
      url: fc.integer({ min: 1, max: 30 }).map((n) => `https://example.com/${n}`),
      publishedAt: moment,
      symbols: fc.uniqueArray(symbol, { maxLength: 3 }),
    });
    const targetRow = fc.record({
      symbol,
      firm: fc.constantFrom('A', 'B', 'C'),
      target: fc.integer({ min: 1, max: 3 }),
      publishedAt: moment,
    });
    const reportRow = fc.record({
      symbol,
      date: day.map((one) => one + 30),
      fiscalQuarter: fc.constantFrom('2026-Q1', '2026-Q2', null),
      asOf: moment,
    });
    const batch = fc.oneof(
      fc.record({
        dataset: fc.constant('news'),
        rows: fc.array(newsRow, { minLength: 1, maxLength: 12 }),
      }),
      fc.record({
        dataset: fc.constant('analyst-targets'),
        rows: fc.array(targetRow, { minLength: 1 }),
      }),
      fc.record({
        dataset: fc.constant('earnings-calendar'),
        rows: fc.array(reportRow, { minLength: 1 }),
      }),
    );
    const step = fc.record({ batch, source: fc.constantFrom('fmp', 'files') });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 9 }), async (steps) => {
        const paths = freshPaths();
        for (const { batch, source } of steps) {
          await loadAll(paths, await land(batch.dataset, batch.rows as DatasetRow[], source));
          expectSelections(await runOf(paths));
        }
        await expectAsFromScratch(paths, (where) => contentOf(published(where)));
      }),
      { numRuns: STORE_RUNS, seed: 7 },
    );
  });
});

it('every dataset of rows but counts of shares is a list', () => {
  const names = rowDatasets.map(({ name }) => name).filter((name) => name !== 'shares');
  expect([...LIST_NAMES].sort()).toEqual(names.sort() as ListName[]);
});
