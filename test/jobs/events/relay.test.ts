import { rmSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';
import { StoreBusyError } from '../../../src/base/errors.ts';
import { onFailpoint } from '../../../src/base/failpoints.ts';
import { limits } from '../../../src/base/limits.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import { openMarketForReading } from '../../../src/store/duckdb/connection/open.ts';
import {
  freshPaths,
  NOW_MS,
  query,
  risingBars,
  segmentOf,
} from '../../store/duckdb/support/fixtures.ts';
import { article, land, target } from '../../store/duckdb/support/row-fixtures.ts';
import { renameSecurity } from '../../support/state-facts.ts';
import { long } from '../../support/store-runs.ts';
import { useLimits } from '../../support/use-limits.ts';
import { preparedStore } from '../support/prepared-store.ts';
import { inStore, loadAll, publishOf, run } from '../support/store.ts';
import { subscribe, toldTo } from './told.ts';

const bars = (symbol: string, count = 30, close = 100) => ({
  symbol,
  bars: risingBars('2026-06-01', count, close),
});

const ofType = (paths: ModePaths, webhook: string, type: string) =>
  toldTo(paths, webhook).filter((event) => event.type === type);

/** Three symbols, published before there is a webhook. */
const three = preparedStore(async (paths) => {
  await publishOf(paths, segmentOf(['AAPL', 'IBM', 'MSFT'].map((symbol) => bars(symbol))));
});

async function outboxCount(paths: ModePaths): Promise<unknown> {
  const db = await openMarketForReading(paths);
  const [[count]] = await query(db, 'SELECT count(*) FROM outbox');
  db.close();
  return count;
}

describe('a publish tells', () => {
  it('of candles, quotes and the publish itself, of nothing before it, and once', async () => {
    const paths = freshPaths();
    const all = await subscribe(paths);
    await loadAll(paths, segmentOf([bars('MSFT'), bars('AAPL')]));
    expect(toldTo(paths, all)).toEqual([]);
    await run(paths);
    const told = toldTo(paths, all);
    expect(told.map(({ type }) => type)).toEqual([
      'candles.updated',
      'quote.updated',
      'data.ready',
    ]);
    expect(new Set(told.map(({ id }) => id)).size).toBe(3);
    expect(told.map(({ data }) => data)).toEqual([
      {
        interval: '1d',
        source: 'files',
        from: '2026-06-01T00:00:00.000Z',
        symbolCount: 2,
        symbols: ['AAPL', 'MSFT'],
      },
      {
        symbolCount: 2,
        symbols: ['AAPL', 'MSFT'],
        quotes: ['AAPL', 'MSFT'].map((symbol) => ({
          symbol,
          price: 129,
          change: 1,
          changePct: 0.78125,
          volume: 1000,
          timestamp: '2026-06-30T20:00:00.000Z',
          dayHigh: 193.5,
          dayLow: 64.5,
          dayOpen: 129,
          previousClose: 128,
          marketCap: null,
        })),
      },
      { mode: 'live', version: 1, datasets: ['candles'] },
    ]);
    // Neither a publish without changes nor one of bars that are known tells more.
    await run(paths, NOW_MS + 1000);
    expect(toldTo(paths, all)).toEqual(told);
    await loadAll(paths, segmentOf([bars('AAPL')], { name: 'again', asOf: '2026-01-01' }));
    await run(paths, NOW_MS + 2000);
    expect(toldTo(paths, all)).toEqual(told);
  });

  it('a webhook that names symbols of these and nothing else', async () => {
    const paths = freshPaths();
    const own = await subscribe(paths, { symbols: ['MSFT', 'ZZZ'] });
    await publishOf(
      paths,
      segmentOf([bars('MSFT'), bars('AAPL')]),
      await land('analyst-targets', [target({ symbol: 'AAPL' }), target({ symbol: 'MSFT' })]),
    );
    const told = toldTo(paths, own);
    expect(told.map(({ type }) => type)).toEqual([
      'candles.updated',
      'analyst.rating_changed',
      'quote.updated',
      'data.ready',
    ]);
    expect(told[0].data).toMatchObject({ symbolCount: 1, symbols: ['MSFT'] });
    expect(told[1].data).toMatchObject({ dataset: 'analyst-targets', symbol: 'MSFT' });
    expect(told[2].data).toMatchObject({ symbolCount: 1, quotes: [{ symbol: 'MSFT' }] });
    await loadAll(paths, segmentOf([bars('AAPL', 31)], { name: 'later' }));
    await run(paths, NOW_MS + 1000);
    expect(
      toldTo(paths, own)
        .slice(4)
        .map(({ type }) => type),
    ).toEqual(['data.ready']);
  });

  long('of quotes that differ only', async () => {
    const paths = await three();
    const all = await subscribe(paths);
    await loadAll(paths, segmentOf([bars('MSFT', 31)], { name: 'later' }));
    await run(paths, NOW_MS + 1000);
    expect(ofType(paths, all, 'quote.updated').map(({ data }) => data.symbols)).toEqual([['MSFT']]);
    expect(ofType(paths, all, 'candles.updated').map(({ data }) => data.from)).toEqual([
      '2026-07-01T00:00:00.000Z',
    ]);
  });

  long('names some of very many symbols, and counts all', async () => {
    const paths = freshPaths();
    const all = await subscribe(paths);
    const product = { ...limits.events };
    const [symbolsMax, rowsMax] = [12, 4];
    Object.assign(limits.events, { symbolsMax, rowsMax });
    onTestFinished(() => void Object.assign(limits.events, product));
    const names = Array.from(
      { length: symbolsMax + 1 },
      (_, i) => `S${String(i).padStart(3, '0')}`,
    );
    await publishOf(paths, segmentOf(names.map((name) => bars(name, 2))));
    for (const { type, data } of toldTo(paths, all).slice(0, 2)) {
      expect([type, data.symbolCount, data.symbols]).toEqual([
        type,
        symbolsMax + 1,
        names.slice(0, symbolsMax),
      ]);
    }
    const [{ data }] = ofType(paths, all, 'quote.updated');
    expect(data.quotes).toHaveLength(rowsMax);
    // A body of the largest event, with room for its other fields.
    const [quote] = data.quotes as object[];
    const bytes = product.rowsMax * JSON.stringify(quote).length + product.symbolsMax * 8;
    expect(bytes).toBeLessThan(19_000);
  });
});

describe('rows that were loaded', () => {
  long('are told as the API answers them', async () => {
    const paths = freshPaths();
    const all = await subscribe(paths);
    const filedAt = Date.parse('2026-06-30T10:00:00Z');
    const day = dayFromDate('2026-06-15');
    const period = { symbol: 'AAPL', date: day, period: 'quarterly', filedAt };
    const asOf = filedAt;
    await publishOf(
      paths,
      await land('statements', [{ ...period, revenue: 416161000000, eps: 7.49 }]),
      await land('balance-sheet', [{ ...period, totalAssets: 0.1 }]),
      await land('insider', [
        {
          ...{ symbol: 'AAPL', insiderName: 'COOK', transactionType: 'sell', filedAt },
          ...{ accession: '0000320193-25-000071', line: 1, shares: 10, price: 2 },
        },
      ]),
      await land('news', [article(1, { summary: 'x'.repeat(9000) })]),
      await land('analyst-consensus', [{ symbol: 'AAPL', asOf, strongBuy: 3, buy: 1 }]),
      await land('analyst-targets', [target()]),
      await land('upgrades-downgrades', [
        { symbol: 'AAPL', firm: 'F', action: 'upgrade', toGrade: 'Buy', publishedAt: filedAt },
      ]),
      await land('earnings-calendar', [
        { symbol: 'AAPL', date: day + 60, time: 'unknown', asOf, fiscalQuarter: '2026-Q3' },
      ]),
      await land('expirations', [{ symbol: 'AAPL', asOf, date: day + 30 }]),
    );
    const rows = toldTo(paths, all).filter(({ data }) => 'dataset' in data);
    const version = openPublished(paths.serving)!;
    for (const { type, data } of rows) {
      const { dataset, row } = data as { dataset: 'insider'; row: Record<string, unknown> };
      const [answered] = version.list(dataset, 'AAPL').rows();
      const expected = JSON.parse(answered.json);
      if (expected.summary) expected.summary = `${'x'.repeat(limits.events.textCharsMax)}…`;
      expect([type, row]).toEqual([type, expected]);
    }
    expect(rows.map(({ type, data }) => [type, data.dataset])).toEqual([
      ['fundamentals.statement_created', 'statements'],
      ['fundamentals.statement_created', 'balance-sheet'],
      ['insider.transaction_created', 'insider'],
      ['news.published', 'news'],
      ['analyst.rating_changed', 'analyst-consensus'],
      ['analyst.rating_changed', 'analyst-targets'],
      ['analyst.rating_changed', 'upgrades-downgrades'],
      ['earnings.updated', 'earnings-calendar'],
    ]);
    const ready = z.object({ datasets: z.array(z.string()) });
    expect(ready.parse(toldTo(paths, all).at(-1)?.data).datasets).toHaveLength(9);
  });

  long('go by the symbol that their security has when they are published', async () => {
    const paths = freshPaths();
    const meta = await subscribe(paths, { symbols: ['META'] });
    await loadAll(paths, await land('analyst-targets', [target({ symbol: 'FB' })]));
    const rename = { from: 'FB', to: 'META', day: dayFromDate('2026-07-01'), nowMs: NOW_MS };
    await inStore(paths, (db) => renameSecurity(db, rename));
    await run(paths);
    expect(ofType(paths, meta, 'analyst.rating_changed').map(({ data }) => data.symbol)).toEqual([
      'META',
    ]);
  });

  long('years ago are no news', async () => {
    const paths = freshPaths();
    const all = await subscribe(paths);
    const old = Date.parse('2020-06-30T10:00:00Z');
    await publishOf(paths, await land('analyst-targets', [target({ publishedAt: old })]));
    expect(toldTo(paths, all).map(({ type }) => type)).toEqual(['data.ready']);
  });
});

describe('the same things', () => {
  long('keep their ids when all is loaded again in another order', async () => {
    const segments = [
      await land('analyst-targets', [target(), target({ symbol: 'MSFT' })]),
      await land('news', [article(1), article(2)]),
      segmentOf([bars('AAPL')]),
    ];
    /** Each group is published at once. */
    const idsAfter = async (...groups: number[][]) => {
      const paths = freshPaths();
      const all = await subscribe(paths);
      for (const group of groups) {
        await publishOf(paths, ...group.map((index) => segments[index]));
      }
      return toldTo(paths, all)
        .filter(({ type }) => type !== 'data.ready' && type !== 'quote.updated')
        .map(({ id }) => id)
        .sort();
    };
    const ids = await idsAfter([0], [1], [2]);
    expect(ids).toHaveLength(5);
    expect(await idsAfter([2, 1], [0])).toEqual(ids);
  });

  it('are not emitted again when the store is rebuilt', async () => {
    const paths = freshPaths();
    const all = await subscribe(paths);
    const rows = await land('analyst-targets', [target()]);
    await publishOf(paths, rows);
    expect(ofType(paths, all, 'analyst.rating_changed')).toHaveLength(1);
    for (const path of [paths.market, paths.serving]) rmSync(path, { recursive: true });
    await loadAll(paths, await land('news', [article(1)]), rows);
    await run(paths, NOW_MS + 1000);
    expect(ofType(paths, all, 'analyst.rating_changed')).toHaveLength(1);
    expect(ofType(paths, all, 'news.published')).toHaveLength(1);
  });
});

describe('events that could not be handed over', () => {
  useLimits(limits.serving, { recentVersionsMin: 1 });

  const failing = (paths: ModePaths, nowMs: number) => {
    onFailpoint((step) => {
      if (step !== 'add events' && step !== 'move position') return;
      throw new StoreBusyError('another process', 'accounts.sqlite is being written');
    });
    return run(paths, nowMs).finally(() => onFailpoint(undefined));
  };

  long('of several publishes are handed over by the next', async () => {
    const paths = await three();
    const all = await subscribe(paths);
    for (const [i, symbol] of ['AAPL', 'IBM'].entries()) {
      await loadAll(paths, segmentOf([bars(symbol, 31)], { name: symbol }));
      await expect(failing(paths, NOW_MS + i + 1)).rejects.toThrow(StoreBusyError);
    }
    expect(toldTo(paths, all)).toEqual([]);
    await run(paths, NOW_MS + 10);
    const told = toldTo(paths, all);
    expect(told.map(({ type }) => type).sort()).toEqual([
      'candles.updated',
      'candles.updated',
      'data.ready',
      'quote.updated',
    ]);
    expect(ofType(paths, all, 'quote.updated')[0].data.symbols).toEqual(['AAPL', 'IBM']);
  });

  it('emit too many quotes, not too few, when the last emitted version is unknown', async () => {
    const paths = await three();
    const all = await subscribe(paths);
    const { recentMs, recentVersionsMin } = limits.serving;
    for (let day = 0; day <= recentVersionsMin; day++) {
      await loadAll(paths, segmentOf([bars('AAPL', 31 + day)], { name: `${day}` }));
      await expect(failing(paths, NOW_MS + (day + 1) * recentMs)).rejects.toThrow(StoreBusyError);
    }
    await run(paths, NOW_MS + 10 * recentMs);
    expect(ofType(paths, all, 'quote.updated').map(({ data }) => data.symbols)).toEqual([
      ['AAPL', 'IBM', 'MSFT'],
    ]);
    expect(ofType(paths, all, 'candles.updated')).toHaveLength(recentVersionsMin + 1);
  });
});

describe('the outbox', () => {
  useLimits(limits.events, { outboxRowsMax: 4 });

  long('is emptied from time to time, also without webhooks', async () => {
    const paths = freshPaths();
    const many = Array.from({ length: limits.events.outboxRowsMax + 1 }, (_, i) => article(i));
    await publishOf(paths, await land('news', many.slice(1)));
    expect(await outboxCount(paths)).toBe(limits.events.outboxRowsMax);
    await loadAll(paths, await land('news', many.slice(0, 1)));
    const all = await subscribe(paths);
    await run(paths, NOW_MS + 1000);
    expect(await outboxCount(paths)).toBe(0);
    // What was published before the webhook was made is not told.
    expect(ofType(paths, all, 'news.published')).toHaveLength(1);
  });
});
