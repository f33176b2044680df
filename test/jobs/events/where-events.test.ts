/** `screener.matched` of webhooks whose screener has an expression over bars. */

import { afterEach, describe, expect, it } from 'vitest';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';
import { StoreBusyError } from '../../../src/base/errors.ts';
import { onFailpoint } from '../../../src/base/failpoints.ts';
import { limits } from '../../../src/base/limits.ts';
import type { WebhookScreener } from '../../../src/store/accounts/webhooks/webhook-record.ts';
import { freshPaths, NOW_MS, segmentOf } from '../../store/duckdb/support/fixtures.ts';
import { long } from '../../support/store-runs.ts';
import { MONDAY, minuteSegment, minutes, TUESDAY } from '../support/intraday-store.ts';
import { preparedStore } from '../support/prepared-store.ts';
import { loadAll, run } from '../support/store.ts';
import { inAccounts, subscribe, toldTo } from './told.ts';

let minute = 0;
const publishNow = (paths: ModePaths) => run(paths, NOW_MS + ++minute * 60_000);

/** Loads a day's closes and publishes. */
async function day(paths: ModePaths, date: string, closes: Record<string, number>): Promise<void> {
  await loadDay(paths, date, closes);
  await publishNow(paths);
}

async function loadDay(paths: ModePaths, date: string, closes: Record<string, number>) {
  const files = Object.entries(closes).map(([symbol, close]) => ({
    symbol,
    bars: [[date, close] as [string, number]],
  }));
  await loadAll(paths, segmentOf(files, { basis: 'raw', name: date }));
}

const market = preparedStore((paths) => day(paths, '2026-06-22', { A: 10, B: 10, C: 10 }));

async function screening(
  paths: ModePaths,
  where: string,
  filters: WebhookScreener['filters'] = [],
): Promise<string> {
  return await subscribe(paths, {
    events: ['screener.matched'],
    screener: {
      query: `where=${where}`,
      filters,
      where,
    },
  });
}

const told = (paths: ModePaths, webhook: string) =>
  toldTo(paths, webhook).map(({ data }) => data.symbols);

const webhookOf = (paths: ModePaths, id: string) =>
  inAccounts(paths, (accounts) => accounts.findWebhook('a', 'live', id));

/** Publishes, and fails before the events are stored. */
async function publishWithoutEvents(paths: ModePaths): Promise<void> {
  onFailpoint((step) => {
    if (step !== 'move position') return;
    throw new StoreBusyError('another process', 'accounts.sqlite is being written');
  });
  await expect(publishNow(paths)).rejects.toThrow(StoreBusyError);
  onFailpoint(undefined);
}

afterEach(() => onFailpoint(undefined));

describe('an expression over bars', () => {
  it('tells of symbols that begin to match, once, and again when they come back', async () => {
    const paths = await market();
    const filters = [
      { kind: 'range', name: 'price', min: 11.5, max: Number.POSITIVE_INFINITY } as const,
    ];
    const [rising, dear, cheap, unknown] = [
      await screening(paths, 'close > close[1]'),
      await screening(paths, 'close > close[1]', filters),
      await screening(paths, 'price < 12 and close > close[1]'),
      // A field of companies that is null.
      await screening(paths, 'not (pe_ratio > 1)'),
    ];
    await day(paths, '2026-06-23', { A: 11, B: 9, C: 12 });
    await day(paths, '2026-06-24', { A: 12, B: 9, C: 9 });
    await day(paths, '2026-06-25', { A: 13, B: 10, C: 10 });
    expect([rising, dear, cheap, unknown].map((webhook) => told(paths, webhook))).toEqual([
      [
        ['A', 'C'],
        ['B', 'C'],
      ],
      [['C'], ['A']],
      [['A'], ['B', 'C']],
      [],
    ]);
    const [event] = toldTo(paths, rising);
    expect(event.data).toMatchObject({
      screener: 'where=close > close[1]',
      total: 2,
      symbolCount: 2,
      rows: [
        { symbol: 'A', price: 11 },
        { symbol: 'C', price: 12 },
      ],
    });
  });

  long('follows minutes with its fields, and days with its bars', async () => {
    const paths = freshPaths();
    const [first, second] = [MONDAY, TUESDAY];
    await day(paths, first, { A: 100, C: 100 });
    const [dear, rising] = [
      await screening(paths, 'price > 150 and close < 300'),
      await screening(paths, 'close > close[1] or close > 400'),
    ];
    await publishNow(paths);
    // B comes between the rows of A and C.
    const intraday = [
      { symbol: 'A', bars: minutes(second, 0, 5, 200) },
      { symbol: 'B', bars: minutes(second, 0, 5, 500) },
    ];
    await loadAll(paths, minuteSegment(intraday, { name: 'minutes' }));
    await publishNow(paths);
    expect([told(paths, dear), told(paths, rising)]).toEqual([[['A']], []]);
    await day(paths, second, { A: 99, C: 101 });
    expect(told(paths, rising)).toEqual([['C']]);
  });

  long('does not tell of what matched before the webhook was made', async () => {
    const paths = freshPaths();
    const early = await screening(paths, 'close > 5');
    await day(paths, '2026-06-22', { A: 10 });
    const late = await screening(paths, 'close > 5');
    await publishNow(paths);
    expect([told(paths, early), told(paths, late)]).toEqual([[], []]);
    await day(paths, '2026-06-23', { A: 11, B: 10 });
    expect([told(paths, early), told(paths, late)]).toEqual([[['B']], [['B']]]);
  });
});

describe('a publish whose events could not be stored', () => {
  long('is made up for by the next one, for a webhook that was never evaluated too', async () => {
    const paths = await market();
    const rising = await screening(paths, 'close > close[1]');
    await loadDay(paths, '2026-06-23', { A: 11, B: 9, C: 9 });
    await publishWithoutEvents(paths);
    expect(told(paths, rising)).toEqual([]);
    await day(paths, '2026-06-24', { A: 12, B: 10, C: 8 });
    expect(told(paths, rising)).toEqual([['A', 'B']]);
    await publishNow(paths);
    expect(told(paths, rising)).toHaveLength(1);
  });

  long('tells once when nothing new was loaded since', async () => {
    const paths = await market();
    const rising = await screening(paths, 'close > close[1]');
    await loadDay(paths, '2026-06-23', { A: 11 });
    await publishWithoutEvents(paths);
    await publishWithoutEvents(paths);
    await publishNow(paths);
    await publishNow(paths);
    expect(told(paths, rising)).toEqual([['A']]);
  });
});

describe('an expression that cannot be evaluated', () => {
  it('keeps no other event back, and its webhook shows the reason until it can', async () => {
    const paths = await market();
    const [broken, rising] = [
      await screening(paths, 'close > smaa(200)'),
      await screening(paths, 'close > close[1]'),
    ];
    await day(paths, '2026-06-23', { A: 11 });
    expect([told(paths, broken), told(paths, rising)]).toEqual([[], [['A']]]);
    expect((await webhookOf(paths, broken))?.screenerError).toMatch(/^where: .*"smaa"/);
    expect((await webhookOf(paths, rising))?.screenerError).toBeNull();
  });

  // Milliseconds that no clock reaches or that each one does: neither depends on the machine.
  const { screenMs, screensMs } = limits.events;
  const setLimits = (values: { screenMs?: number; screensMs?: number }) =>
    Object.assign(limits.events, { screenMs, screensMs, ...values });
  afterEach(() => void setLimits({}));

  long('is tried again at the next publish if it took too long, and loses no match', async () => {
    const paths = await market();
    const rising = await screening(paths, 'close > close[1]');
    await day(paths, '2026-06-23', { A: 9, B: 9 });
    setLimits({ screenMs: -1 });
    await day(paths, '2026-06-24', { A: 10, B: 8 });
    expect(told(paths, rising)).toEqual([]);
    expect((await webhookOf(paths, rising))?.screenerError).toBe(
      'The screen took more than -0.001 s',
    );
    setLimits({});
    await day(paths, '2026-06-25', { A: 11, B: 9 });
    expect(told(paths, rising)).toEqual([['A', 'B']]);
    expect((await webhookOf(paths, rising))?.screenerError).toBeNull();
  });

  long('comes first at the next publish if others took the time', async () => {
    const paths = await market();
    const expressions = ['close > close[1]', 'close > 2 * close[1]', 'close > 3 * close[1]'];
    const webhooks: string[] = [];
    for (const where of expressions) webhooks.push(await screening(paths, where));
    await day(paths, '2026-06-23', { A: 9 });
    // The first takes all of the time.
    setLimits({ screensMs: Number.MIN_VALUE });
    await day(paths, '2026-06-24', { A: 40 });
    const tellers = async () => webhooks.map((webhook) => told(paths, webhook).length);
    expect(await tellers()).toEqual([1, 0, 0]);
    expect((await webhookOf(paths, webhooks[1]))?.screenerError).toMatch(
      /comes first at the next$/,
    );
    await day(paths, '2026-06-25', { A: 400 });
    expect(await tellers()).toEqual([1, 1, 0]);
    await day(paths, '2026-06-26', { A: 4000 });
    expect(await tellers()).toEqual([1, 1, 1]);
  });
});
