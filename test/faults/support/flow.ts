/**
 * The work that is interrupted: a small market from nothing through two backfills and a
 * compaction, with days, minutes, late corrections, rows of datasets and a webhook. Run again
 * after an interruption it does what is missing.
 */

import { backfill, loadSegments } from '../../../jobs/load/backfill.ts';
import { compact } from '../../../jobs/maintenance/compact.ts';
import { type ModePaths, modePaths } from '../../../src/base/config/data-dir.ts';
import type { FetchContext, Fetched } from '../../../src/ingest/contract/fetch-context.ts';
import { stageDatasetRows } from '../../../src/ingest/rows/segment.ts';
import { stageVendorBars } from '../../../src/ingest/vendors/shared/stage-vendor-bars.ts';
import { columnsFromBars } from '../../../src/ingest/vendors/shared/vendor-bars.ts';
import { openAccounts } from '../../../src/store/accounts/admission/sqlite-accounts.ts';
import type { CandleSegment } from '../../../src/store/duckdb/connection/candle-segment.ts';
import { testContext } from '../../ingest/support/segment-rows.ts';
import { minuteBars, risingBars, segmentOf } from '../../store/duckdb/support/segments.ts';

export const NOW_MS = Date.parse('2026-07-01T12:00:00Z');

export const DEPS = { verb: 'flow', nowMs: NOW_MS };

const WEBHOOK = {
  account: 'a',
  url: 'https://example.com/hook',
  events: ['candles.updated', 'quote.updated', 'news.published', 'analyst.rating_changed'],
} as const;

/** A correction of B's close of one day, which its vendor sent later. */
interface Correction {
  close: number;
  /** ISO date. */
  asOf: string;
}

/** Rows of a dataset, by the numbers that they are made from. */
interface Rows {
  dataset: 'news' | 'analyst-targets';
  numbers: number[];
}

/** One segment: candles of a user's file, or what is landed first. */
export type Load = CandleSegment | Correction | Rows;

/** Returns true if a load's rows are staged. Rows of a user's file stay in that file. */
export function isStaged(load: Load): boolean {
  return !('files' in load);
}

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
    { close: 112, asOf: '2026-06-30' },
    { close: 110, asOf: '2026-06-29' },
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

async function* fetched(paths: ModePaths, loads: readonly Load[]): AsyncGenerator<Fetched> {
  const context = { ...testContext(paths.root, new Date(NOW_MS).toISOString()), paths };
  for (const load of loads) {
    if ('numbers' in load) yield await landRows(load, context);
    else if ('close' in load) yield* stageCorrection(load, context);
    else yield { ...load, skipped: [], rejectedByReason: new Map() };
  }
}

function landRows({ dataset, numbers }: Rows, context: FetchContext): Promise<Fetched> {
  return stageDatasetRows(
    { dataset, source: 'files', asOfUs: BigInt(NOW_MS) * 1000n, origin: 'flow' },
    numbers.map((number) => ({ row: ROW_OF[dataset](number) })),
    context,
  );
}

function stageCorrection({ close, asOf }: Correction, context: FetchContext) {
  const { startMs, volume } = { startMs: Date.parse('2026-03-05'), volume: 1000 };
  const bar = { startMs, open: close, high: close, low: close, close, volume };
  const barsBySymbol = new Map([['B', columnsFromBars([bar], 'flow')]]);
  const answer = { source: 'files', interval: '1d', origin: 'flow', barsBySymbol } as const;
  const asOfUs = String(Date.parse(asOf) * 1000);
  return stageVendorBars(answer, { basis: 'raw', asOfUs }, context);
}

/** Loads what the ledger does not have. */
export async function loadAll(paths: ModePaths, loads: readonly Load[]): Promise<void> {
  await loadSegments(paths, fetched(paths, loads), DEPS);
}

/** Lands segments and loads nothing; they are of the kinds that are kept. */
export async function landAll(paths: ModePaths, loads: readonly Load[]) {
  const landed = await Array.fromAsync(fetched(paths, loads));
  return landed.filter((segment) => 'id' in segment);
}

/** The webhook is there before anything is loaded, and once. */
export async function subscribe({ accounts: path }: ModePaths): Promise<void> {
  const accounts = openAccounts(path, () => NOW_MS);
  try {
    if (!(await accounts.findAccount(WEBHOOK.account))) {
      await accounts.createAccount({ id: WEBHOOK.account, label: 'a' });
    }
    const { total } = await accounts.listWebhookPart(WEBHOOK.account, 'live', { limit: 1 });
    if (total === 0)
      await accounts.createWebhook({ mode: 'live', ...WEBHOOK, events: [...WEBHOOK.events] });
  } finally {
    await accounts.close();
  }
}

/** Commands, one after the other: nothing is open between them. */
const STAGES: readonly ((paths: ModePaths) => Promise<unknown>)[] = [
  async (paths) => {
    await subscribe(paths);
    await backfill(paths, fetched(paths, BATCHES[0]), DEPS);
  },
  (paths) => backfill(paths, fetched(paths, BATCHES[1]), DEPS),
  (paths) => compact(paths, { isFull: true }, DEPS),
];

export const STAGE_COUNT = STAGES.length;

/** From one stage to before another. */
export interface StageRange {
  from?: number;
  to?: number;
}

/** @param texts Of the command line; what is missing is undefined. */
export function stagesOf([from, to]: readonly (string | undefined)[]): StageRange {
  return { from: Number(from ?? 0), to: Number(to ?? STAGE_COUNT) };
}

export async function runFlow(
  dataDir: string,
  { from = 0, to = STAGE_COUNT }: StageRange = {},
): Promise<void> {
  const paths = modePaths(dataDir, 'live');
  for (const runStage of STAGES.slice(from, to)) await runStage(paths);
}
