/**
 * The work that is interrupted: a small market from nothing through two publishes and a
 * compaction, with days, minutes, a late correction, rows of datasets and a webhook. Run again
 * after an interruption it does what is missing, as `backfill` does.
 */

import { compact } from '../../jobs/compact.ts';
import { publish } from '../../jobs/publish.ts';
import { type ModePaths, modePaths } from '../../src/data-dir.ts';
import { landDatasetRows } from '../../src/ingest/dataset-segment.ts';
import type { FetchedRows } from '../../src/ingest/fetch-context.ts';
import { openAccounts } from '../../src/store/accounts/accounts.ts';
import type { CandleSegment } from '../../src/store/market/candle-segment.ts';
import { loadCandles } from '../../src/store/market/load-candles.ts';
import { loadRows } from '../../src/store/market/load-rows.ts';
import { openMarketForWriting } from '../../src/store/market/open.ts';
import { testContext } from '../ingest/segment-rows.ts';
import { minuteBars, risingBars, segmentOf } from '../store/market/segments.ts';

export const NOW_MS = Date.parse('2026-07-01T12:00:00Z');

export const DEPS = { verb: 'flow', nowMs: NOW_MS };

/** A file in the data directory that takes all room. */
export const BALLAST_NAME = 'ballast';

const WEBHOOK = {
  account: 'a',
  url: 'https://example.com/hook',
  events: ['candles.updated', 'quote.updated', 'news.published', 'analyst.rating_changed'],
} as const;

/** One segment: candles, or rows of a dataset by the numbers that they are made from. */
export type Load = CandleSegment | { dataset: 'news' | 'analyst-targets'; numbers: number[] };

const SYMBOLS = ['A', 'B', 'C'];

/** Days of all symbols that begin at a close. */
function days(count: number, close: number): CandleSegment {
  const files = SYMBOLS.map((symbol, i) => ({
    symbol,
    bars: risingBars('2026-03-01', count, close + i),
  }));
  return segmentOf(files, { basis: 'raw' });
}

function minutes(first: number): CandleSegment {
  const bars = minuteBars('2026-06-01', 5, 100, first);
  return segmentOf([{ symbol: 'A', bars }], { interval: '1m', basis: 'raw' });
}

/** What B's close of a day was, as a vendor said later. */
function correction(close: number, asOf: string): CandleSegment {
  return segmentOf([{ symbol: 'B', bars: [['2026-03-05', close]] }], { basis: 'raw', asOf });
}

/** Loaded one after the other, published after each list. */
export const BATCHES: readonly (readonly Load[])[] = [
  [
    days(60, 100),
    minutes(0),
    { dataset: 'news', numbers: [1, 2] },
    { dataset: 'analyst-targets', numbers: [1, 2] },
  ],
  [
    days(61, 100),
    minutes(5),
    correction(250, '2026-06-30'),
    correction(240, '2026-06-29'),
    { dataset: 'news', numbers: [2, 3] },
    { dataset: 'analyst-targets', numbers: [3] },
  ],
];

function article(number: number) {
  return {
    title: `Title ${number}`,
    source: 'Wire',
    url: `https://example.com/${number}`,
    publishedAt: Date.parse('2026-06-30T10:00:00Z') + number,
    symbols: ['A'],
  };
}

function target(number: number) {
  const publishedAt = Date.parse('2026-06-30T11:00:00Z') + number;
  return { symbol: 'B', firm: `Firm ${number}`, target: 300 + number, publishedAt };
}

const ROW_OF = { news: article, 'analyst-targets': target };

/** Loads what the ledger does not have, the store open for one segment. */
export async function loadOne(paths: ModePaths, load: Load): Promise<void> {
  const isRows = 'numbers' in load;
  const landed = isRows ? await landRows(paths, load) : undefined;
  const market = await openMarketForWriting(paths, DEPS);
  try {
    if (landed) await loadRows(market, landed, DEPS);
    else if (!isRows) await loadCandles(market, load, DEPS);
  } finally {
    market.close();
  }
}

function landRows(
  paths: ModePaths,
  { dataset, numbers }: Exclude<Load, CandleSegment>,
): Promise<FetchedRows> {
  const context = { ...testContext(paths.root, new Date(NOW_MS).toISOString()), paths };
  return landDatasetRows(
    { dataset, source: 'files', asOfUs: BigInt(NOW_MS) * 1000n, origin: 'flow' },
    numbers.map((number) => ({ row: ROW_OF[dataset](number) })),
    context,
  );
}

/** The webhook is there before anything is loaded, and once. */
export function subscribe({ accounts: path }: ModePaths): void {
  const accounts = openAccounts(path, () => NOW_MS);
  try {
    if (!accounts.findAccount(WEBHOOK.account)) {
      accounts.createAccount({ id: WEBHOOK.account, label: 'a' });
    }
    const { total } = accounts.listWebhookPart(WEBHOOK.account, 'live', { limit: 1 });
    if (total === 0)
      accounts.createWebhook({ mode: 'live', ...WEBHOOK, events: [...WEBHOOK.events] });
  } finally {
    accounts.close();
  }
}

export async function runFlow(dataDir: string): Promise<void> {
  const paths = modePaths(dataDir, 'live');
  subscribe(paths);
  for (const batch of BATCHES) {
    for (const load of batch) await loadOne(paths, load);
    await publish(paths, DEPS);
  }
  await compact(paths, { isFull: true }, DEPS);
}
