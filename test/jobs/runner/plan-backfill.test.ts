/** Backfills as plans: what they are known by, and what goes into them. */

import { describe, expect, it } from 'vitest';
import { backfillId, isLocal } from '../../../jobs/runner/backfill-request.ts';
import { planBackfill } from '../../../jobs/runner/plan-backfill.ts';
import {
  optionsFromSlice,
  sharedFromOptions,
  sliceFromOptions,
} from '../../../jobs/runner/slice.ts';
import type { SourceOptions } from '../../../src/ingest/contract/source-options.ts';

const HOW = {
  verb: 'backfill',
  priority: 'backfill',
  nowMs: Date.parse('2026-11-20T23:00:00Z'),
} as const;

describe('a plan', () => {
  it('is known by what is asked, whatever the store knows', () => {
    const question = { mode: 'live', source: 'tiingo', options: { symbols: ['A', 'B'] } } as const;
    const plan = planBackfill(question, question.options, HOW);
    const lastStoredDay = (symbol: string) => (symbol === 'A' ? 20_777 : undefined);
    const later = planBackfill(question, { ...question.options, lastStoredDay }, HOW);
    expect(later.id).toBe(plan.id);
    expect(plan.id).toBe(backfillId(question));
    expect(plan.children).toHaveLength(1);
    // A is up to date.
    expect(later.children[0].slice.symbols).toEqual(['B']);
    for (const other of [
      { ...question, mode: 'sandbox' as const },
      { ...question, source: 'yahoo' },
      { ...question, options: { symbols: ['B', 'A'] } },
      { ...question, tick: '2026-11-20T21:00:00.000Z' },
    ]) {
      expect(backfillId(other)).not.toBe(plan.id);
    }
  });

  it('of files is read where the store is, by absolute paths', () => {
    const question = { mode: 'live', source: 'stooq', options: { path: 'd_us.zip' } } as const;
    const plan = planBackfill(question, question.options, HOW);
    expect(plan.children).toEqual([]);
    expect(plan.local?.path).toBe(`${process.cwd()}/d_us.zip`);
    const feeds = (paths: string[]) => isLocal({ mode: 'live', source: 'rss', options: { paths } });
    expect([feeds(['https://a.example/rss']), feeds(['feed.xml'])]).toEqual([false, true]);
  });

  it('is JSON: what comes back from it asks for the same', () => {
    const options: SourceOptions = {
      ...{ symbols: ['A', 'B'], fromDay: 19_000, interval: '1m', asOfUs: 9_007_199_254_740_993n },
      lastStoredDay: (symbol) => (symbol === 'A' ? 19_500 : undefined),
      tickersByCik: new Map([[320_193, ['AAPL']]]),
      yearEnds: new Map([['A', { day: 19_000, fiscalYear: 2022 }]]),
      storedFilings: { origins: new Set(['x']), accessions: new Set(['y']) },
    };
    const slice = JSON.parse(JSON.stringify(sliceFromOptions(options)));
    const shared = JSON.parse(JSON.stringify(sharedFromOptions(options)));
    const { lastStoredDay, ...back } = optionsFromSlice(slice, shared);
    const { lastStoredDay: _, ...expected } = options;
    expect(back).toEqual(expected);
    expect([lastStoredDay?.('A'), lastStoredDay?.('B')]).toEqual([19_500, undefined]);
  });

  it('takes no option that it does not know', () => {
    const options = { symbols: ['A'], key: 'a secret' } as SourceOptions;
    expect(() => sliceFromOptions(options)).toThrow();
  });
});
