import type { Run } from '../../../jobs/contract/run.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';

export const symbolsOf = (count: number) => Array.from({ length: count }, (_, i) => `S${i + 10}`);

/** Makes a run of one task for each symbol, with four daily bars each. */
export function runOf(count: number): Run {
  const [fromDay, toDay] = [dayFromDate('2024-01-01'), dayFromDate('2024-01-06')];
  return {
    ...{ id: 'travelling', mode: 'live', source: 'tiingo', verb: 'test', priority: 'backfill' },
    createdMs: 1,
    childCount: count,
    tasks: symbolsOf(count).map((symbol) => ({
      title: symbol,
      slice: { symbols: [symbol], fromDay, toDay },
    })),
    shared: {},
  };
}
