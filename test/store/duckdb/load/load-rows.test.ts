import { describe, expect, test } from 'vitest';
import type { DatasetRow } from '../../../../src/base/datasets/dataset.ts';
import { rowDatasets } from '../../../../src/base/datasets/datasets.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import type { FetchedRows } from '../../../../src/ingest/contract/fetch-context.ts';
import { tableColumns } from '../../../../src/store/duckdb/connection/dataset-columns.ts';
import { long } from '../../../support/store-runs.ts';
import {
  delist,
  freshStore,
  NOW_MS,
  query,
  rename,
  useStore,
  withStore,
} from '../support/fixtures.ts';
import { article, land, loadSegment as load, target } from '../support/row-fixtures.ts';

const ms = (text: string) => Date.parse(text);

describe('tables of rows', () => {
  const db = useStore(async () => {});

  test.each(rowDatasets.map((dataset) => [dataset.name, dataset] as const))(
    'that of %s has the columns of its dataset',
    async (_name, dataset) => {
      const columns = await query(db(), `DESCRIBE ${dataset.table}`);
      const isList = dataset.name === 'news';
      const expected = tableColumns(dataset).map(({ column, type }) => [
        column.replaceAll('"', ''),
        type,
      ]);
      // Columns that a later version of the schema added stand last.
      expect(columns.map(([name, type]) => `${name} ${type}`).sort()).toEqual(
        [
          ...expected,
          isList ? ['tickers', 'VARCHAR[]'] : ['ticker', 'VARCHAR'],
          ['segment_seq', 'INTEGER'],
        ]
          .map((column) => column.join(' '))
          .sort(),
      );
    },
  );
});

describe('a load of rows', () => {
  test('stores them once, names their symbols, and is in the ledger', async () => {
    const db = await freshStore();
    const segment = await land('analyst-targets', [target(), target({ symbol: 'MSFT' })], 'fmp');
    const first = await load(db, segment);
    expect(first).toEqual({
      seq: 1,
      alreadyLoaded: false,
      accepted: 2,
      rejected: 0,
      rowsChanged: 2,
      extent: {
        ...{ rows: 2, symbols: ['AAPL', 'MSFT'], lastSymbol: 'AAPL' },
        ...{ firstDay: dayFromDate('2026-06-30'), lastDay: dayFromDate('2026-06-30') },
      },
    });
    expect(await load(db, segment)).toEqual({
      ...first,
      ...{ alreadyLoaded: true, loadedMs: NOW_MS, rowsChanged: 0, extent: undefined },
    });
    expect(
      await query(
        db,
        'SELECT symbol, firm, target, published_at, ticker FROM analyst_targets ORDER BY symbol',
      ),
    ).toEqual([
      ['AAPL', 'A & B', 300, '2026-06-30T10:00:00.000Z', 'AAPL'],
      ['MSFT', 'A & B', 300, '2026-06-30T10:00:00.000Z', 'MSFT'],
    ]);
    expect(await query(db, 'SELECT symbol FROM symbols ORDER BY 1')).toEqual([['AAPL'], ['MSFT']]);
    expect(await query(db, 'SELECT dataset, source, kind, accepted FROM segments')).toEqual([
      ['analyst-targets', 'fmp', 'parquet', 2],
    ]);
    expect(await query(db, 'FROM row_changes ORDER BY ALL')).toEqual([
      [1, 'analyst-targets', 'AAPL'],
      [1, 'analyst-targets', 'MSFT'],
    ]);
  });

  test('with the same values as of a later day moves nothing but where they come from', async () => {
    const db = await freshStore();
    await load(db, await land('analyst-targets', [target()], 'files', '2026-06-29'));
    const again = await load(db, await land('analyst-targets', [target()], 'files', '2026-06-30'));
    expect(again).toMatchObject({ seq: 2, rowsChanged: 0 });
    expect(await query(db, 'SELECT segment_seq FROM analyst_targets')).toEqual([[2]]);
    expect(await query(db, 'SELECT seq FROM row_changes')).toEqual([[1]]);
    expect(await query(db, 'SELECT count(*) FROM outbox')).toEqual([[1]]);
  });

  test('in which only the moment of an estimate is newer changes no report', async () => {
    const db = await freshStore();
    const report = (asOf: string, epsEstimate: number) =>
      land('earnings-calendar', [
        { symbol: 'AAPL', date: dayFromDate('2026-07-30'), epsEstimate, asOf: ms(asOf) },
      ]);
    await load(db, await report('2026-06-29T00:00:00Z', 1));
    expect(await load(db, await report('2026-06-30T00:00:00Z', 1))).toMatchObject({
      rowsChanged: 0,
    });
    expect(await load(db, await report('2026-07-01T00:00:00Z', 2))).toMatchObject({
      rowsChanged: 1,
    });
    expect(await query(db, 'SELECT eps_estimate, as_of FROM earnings_calendar')).toEqual([
      [2, '2026-07-01T00:00:00.000Z'],
    ]);
  });

  test('that moves the report of a quarter to another day leaves no second report', async () => {
    const db = await freshStore();
    const report = (date: string, asOf: string) =>
      land('earnings-calendar', [
        { symbol: 'AAPL', date: dayFromDate(date), fiscalQuarter: '2026-Q3', asOf: ms(asOf) },
      ]);
    await load(db, await report('2026-07-30', '2026-06-29T00:00:00Z'));
    await load(db, await report('2026-07-31', '2026-06-30T00:00:00Z'));
    expect(await query(db, 'SELECT date FROM earnings_calendar')).toEqual([['2026-07-31']]);
  });

  long('keeps every filing of a period', async () => {
    const db = await freshStore();
    const statement = (filedAt: string, revenue: number): DatasetRow => ({
      symbol: 'AAPL',
      date: dayFromDate('2025-09-27'),
      period: 'annual',
      filedAt: ms(filedAt),
      revenue,
    });
    await load(db, await land('statements', [statement('2025-10-31T10:00:00Z', 1)], 'sec'));
    await load(db, await land('statements', [statement('2026-03-01T10:00:00Z', 2)], 'sec'));
    expect(await query(db, 'SELECT revenue FROM statements ORDER BY filed_at')).toEqual([[1], [2]]);
  });

  test('that fails leaves the store as it was', async () => {
    const db = await freshStore();
    const segment = await land('analyst-targets', [target()]);
    await expect(load(db, { ...segment, parquetPath: '/nothing.parquet' })).rejects.toThrow();
    expect(await query(db, 'SELECT count(*) FROM segments')).toEqual([[0]]);
    expect(await load(db, segment)).toMatchObject({ seq: 1, rowsChanged: 1 });
  });
});

describe('of rows with the same key', () => {
  const sources = ['fmp', 'files', 'sandbox'];

  test('the best wins: by source, then as-of, then content, in any order of loads', async () => {
    const segments = await Promise.all([
      land('analyst-targets', [target({ target: 1 })], sources[1], '2026-06-30'),
      land('analyst-targets', [target({ target: 2 })], sources[0], '2026-06-28'),
      land('analyst-targets', [target({ target: 3 })], sources[0], '2026-06-29'),
      land('analyst-targets', [target({ target: 4 })], sources[0], '2026-06-29'),
      land('analyst-targets', [target({ target: 9 })], sources[2], '2026-06-30'),
    ]);
    for (const order of [segments, segments.toReversed()]) {
      await withStore(async (db) => {
        for (const segment of order) await load(db, segment);
        expect(await query(db, 'SELECT target FROM analyst_targets')).toEqual([[4]]);
      });
    }
  });
});

describe('events', () => {
  test('tell of a row under the names of the API', async () => {
    const db = await freshStore();
    await load(db, await land('news', [article(1, { symbols: ['AAPL', 'MSFT'] })], 'rss'));
    const [[type, payload]] = await query(db, 'SELECT type, payload FROM outbox');
    expect(type).toBe('news.published');
    expect(JSON.parse(String(payload))).toEqual({
      dataset: 'news',
      row: {
        id: expect.stringMatching(/^news_/),
        title: 'Title 1',
        summary: null,
        source: 'Wire',
        url: 'https://example.com/1',
        publishedAt: ms('2026-06-30T10:00:00.001Z'),
        symbols: ['AAPL', 'MSFT'],
        sentiment: null,
      },
    });
  });

  test('have ids that follow from the row', async () => {
    const ids = (segments: readonly FetchedRows[]) =>
      withStore(async (db) => {
        for (const segment of segments) await load(db, segment);
        return query(db, 'SELECT event_id FROM outbox ORDER BY 1');
      });
    const both = await land('news', [article(1), article(2)], 'rss');
    const each = [
      await land('news', [article(2)], 'files'),
      await land('news', [article(1), article(2)], 'rss', '2026-06-30'),
    ];
    expect(await ids([both])).toHaveLength(2);
    expect(await ids(each)).toEqual(await ids([both]));
  });

  long('are of rows that became known lately only', async () => {
    const db = await freshStore();
    const old = target({ publishedAt: ms('2026-06-01T00:00:00Z') });
    await load(db, await land('analyst-targets', [old, target({ symbol: 'MSFT' })]));
    expect(await query(db, "SELECT type, payload->'row'->>'symbol' FROM outbox")).toEqual([
      ['analyst.rating_changed', 'MSFT'],
    ]);
  });
});

describe('symbols of rows', () => {
  long('are those of the securities that had the tickers then', async () => {
    const db = await freshStore();
    const old = { symbol: 'FB', publishedAt: ms('2022-06-01T00:00:00Z') };
    await load(db, await land('analyst-targets', [target(old)]));
    const news = article(1, { symbols: ['FB', 'AAPL'], publishedAt: old.publishedAt });
    await load(db, await land('news', [news]));
    await rename(db, 'FB', 'META', '2022-06-09');
    expect(await query(db, 'SELECT symbol, ticker FROM analyst_targets')).toEqual([['META', 'FB']]);
    expect(await query(db, 'SELECT symbols FROM news')).toEqual([[['META', 'AAPL']]]);
    await load(db, await land('analyst-targets', [target({ ...old, firm: 'C' })]));
    expect(await query(db, 'SELECT DISTINCT symbol FROM analyst_targets')).toEqual([['META']]);
  });

  long('that change have a publish rewrite their lists', async () => {
    const db = await freshStore();
    await load(db, await land('analyst-targets', [target({ symbol: 'FB' })]));
    await rename(db, 'FB', 'META', '2026-07-01');
    const changed = await query(
      db,
      "SELECT list_key FROM row_changes WHERE dataset = 'analyst-targets' AND seq = 2 ORDER BY 1",
    );
    expect(changed).toEqual([['FB'], ['META']]);
  });

  long('of a delisted security whose ticker is used again stay its own', async () => {
    const db = await freshStore();
    await load(
      db,
      await land('analyst-targets', [
        target({ symbol: 'XYZ', publishedAt: ms('2015-12-01T00:00:00Z') }),
      ]),
    );
    await delist(db, 'XYZ', '2015-12-15');
    await load(
      db,
      await land('analyst-targets', [
        target({ symbol: 'XYZ', publishedAt: ms('2024-01-01T00:00:00Z') }),
      ]),
    );
    expect(await query(db, 'SELECT symbol FROM analyst_targets ORDER BY published_at')).toEqual([
      ['XYZ.201512'],
      ['XYZ'],
    ]);
  });
});
