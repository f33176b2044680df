/** A publish of a store that loads have left open, beside one that opens the store itself. */

import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OpenStore } from '../../../jobs/load/open-store.ts';
import { type PublishPlan, planPublish } from '../../../jobs/publish/plan.ts';
import { publish } from '../../../jobs/publish/publish.ts';
import { type ModePaths, modePaths } from '../../../src/base/config/data-dir.ts';
import { limits } from '../../../src/base/limits.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import type { CandleSegment } from '../../../src/store/duckdb/connection/candle-segment.ts';
import {
  type MarketDb,
  openMarketForReading,
  openMarketForWriting,
} from '../../../src/store/duckdb/connection/open.ts';
import { load, risingBars, segmentOf, type TestFile } from '../../store/duckdb/support/fixtures.ts';
import { freshFolder } from '../../support/folders.ts';
import { someOf } from '../../support/store-runs.ts';
import { useLimits } from '../../support/use-limits.ts';
import { preparedStore } from '../support/prepared-store.ts';
import { DEPS, published, publishOf } from '../support/store.ts';

useLimits(limits.store, { idleMs: 1_000_000, heldMs: 1_000_000 });

const SYMBOLS = Array.from({ length: 30 }, (_, i) => `S${String(i).padStart(2, '0')}`);
const files = (date: string, count: number, symbols = SYMBOLS): TestFile[] =>
  symbols.map((symbol) => ({ symbol, bars: risingBars(date, count) }));

const SPLIT = {
  symbol: 'S00',
  splits: [{ exDay: dayFromDate('2026-03-02'), numerator: 2, denominator: 1 }],
  dividends: [],
  coverageFromDay: dayFromDate('2025-12-01'),
  coverageToDay: dayFromDate('2026-03-02'),
};

const STEPS: [name: string, segments: CandleSegment[], kind: PublishPlan['kind']][] = [
  ['nothing', [], 'none'],
  ['a day of each symbol', [segmentOf(files('2026-03-02', 1))], 'layer'],
  ['a split', [segmentOf(files('2026-03-02', 1, ['S00']), { actions: [SPLIT] })], 'layer'],
  ['a new symbol and older bars', [segmentOf(files('2025-10-01', 10, ['NEW', 'S01']))], 'base'],
  [
    'several loads',
    [segmentOf(files('2026-03-02', 2)), segmentOf(files('2026-03-04', 1))],
    'layer',
  ],
  ['another past of each symbol', [segmentOf(files('2025-10-01', 3))], 'base'],
];

const sixtyDays = preparedStore(async (paths) => {
  await publishOf(paths, segmentOf(files('2025-12-01', 60)));
});

/** Loads into an open store, and leaves it open. */
async function leftOpen(paths: ModePaths, segments: readonly CandleSegment[]): Promise<OpenStore> {
  const store = new OpenStore(paths, DEPS);
  await store.use(async (market) => {
    for (const segment of segments) await load(market, segment);
  });
  return store;
}

async function planOf(market: MarketDb, paths: ModePaths) {
  const { published: before, ...plan } = await planPublish(market, published(paths));
  return { ...plan, before: before?.id };
}

function servedFiles({ serving }: ModePaths): Map<string, Buffer> {
  const names = readdirSync(serving).filter((name) => !name.startsWith('past.sqlite'));
  return new Map(names.sort().map((name) => [name, readFileSync(join(serving, name))]));
}

it.each(someOf(STEPS, 3))(
  'is planned, after %s, as one of the store alone',
  async (_, segments, kind) => {
    const paths = await sixtyDays();
    const store = await leftOpen(paths, segments);
    const plan = await planOf(store.leftOpen()!.market, paths);
    store.close();
    expect(plan.kind).toBe(kind);
    using market = await openMarketForReading(paths);
    expect(plan).toEqual(await planOf(market, paths));
  },
);

async function expectSameFiles(segments: readonly CandleSegment[]): Promise<void> {
  const paths = await sixtyDays();
  const store = await leftOpen(paths, segments);
  store.close();
  const twin = modePaths(freshFolder(), 'live');
  cpSync(paths.root, twin.root, { recursive: true });
  await publish(twin, DEPS);
  await store.use(async () => undefined);
  await publish(paths, { ...DEPS, open: store.leftOpen() });
  expect(servedFiles(paths)).toEqual(servedFiles(twin));
}

// Each plan is the same: files of some show that all else is.
it.each(someOf(STEPS, 4))(
  'gives, after %s, the files of one of the store alone',
  async (_, segments) => {
    await expectSameFiles(segments);
  },
);

describe('with too many rows to keep the store open', () => {
  // The first try has too little memory.
  useLimits(limits.store, { publishedOpenRows: 0, passingMegabytesMax: 1 });

  it.each(
    someOf(
      STEPS.filter(([, , kind]) => kind === 'base'),
      3,
    ),
  )('gives, after %s, the files of one of the store alone', async (_, segments) => {
    await expectSameFiles(segments);
  });
});

it('closes the store and releases its lock, also when it fails', async () => {
  const paths = await sixtyDays();
  const store = await leftOpen(paths, STEPS[1][1]);
  await publish(paths, { ...DEPS, open: store.leftOpen() });
  (await openMarketForWriting(paths, DEPS)).close();
  const damaged = join(paths.serving, published(paths).manifest.symbols.name);
  const again = await leftOpen(paths, STEPS[4][1]);
  cpSync(join(paths.serving, 'status.json'), damaged);
  await expect(publish(paths, { ...DEPS, open: again.leftOpen() })).rejects.toThrow('damaged');
  again.close();
  (await openMarketForWriting(paths, DEPS)).close();
});
