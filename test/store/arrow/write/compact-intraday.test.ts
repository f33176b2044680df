import { cpSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type BarColumns, joinedBars } from '../../../../src/base/bars.ts';
import { limits } from '../../../../src/base/limits.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import {
  FORMAT,
  filesOf,
  isOfOlderFormat,
  readManifest,
} from '../../../../src/store/arrow/format/manifest.ts';
import type {
  IntradayLayer,
  IntradayTier,
} from '../../../../src/store/arrow/format/manifest-types.ts';
import { fileChecks } from '../../../../src/store/arrow/read/check-files.ts';
import type { PublishedVersion } from '../../../../src/store/arrow/read/published-version.ts';
import { openPublished } from '../../../../src/store/arrow/read/reader.ts';
import {
  compactIntraday,
  type IntradayCompaction,
  neededIntradayCompaction,
} from '../../../../src/store/arrow/write/compact-intraday.ts';
import { freshFolder } from '../../../support/folders.ts';
import { STORE_RUNS } from '../../../support/store-runs.ts';
import {
  type Addition,
  copyOf,
  intradayFactsOf,
  minutesFrom,
  publishIntraday,
} from '../support/intraday-fixture.ts';
import { CREATED_MS, publishBase, universeOf } from '../support/published-fixture.ts';

/** Files that a program of format 4 has published. */
const FORMAT_4 = fileURLToPath(new URL('../../../fixtures/serving-format-4', import.meta.url));

let dir: string;

beforeEach(() => {
  dir = freshFolder();
});

/** The first session of the last week of a month, so that a few hundred minutes cross it. */
const DAY = dayFromDate('2025-10-29');

const SERIES = [
  intradayFactsOf('A0', '1m'),
  intradayFactsOf('A1', '1m'),
  intradayFactsOf('A1', '5m'),
  intradayFactsOf('A2', '1m'),
];

function published(): PublishedVersion {
  return openPublished(dir) as PublishedVersion;
}

async function compact(compaction: IntradayCompaction): Promise<void> {
  await compactIntraday(dir, published(), compaction, { createdMs: CREATED_MS });
}

/** Returns the layers from the first one on that is not a month. */
function newestLayers(): number {
  const layers = published().manifest.intraday?.layers ?? [];
  return layers.findLastIndex(({ tier }) => tier === 'month') + 1;
}

/** Expected content of the series, by number. */
type Model = BarColumns[];

function expectServed(model: Model): void {
  const version = published();
  SERIES.forEach(({ symbol, interval }, number) => {
    expect(version.bars(symbol, interval), `${symbol} ${interval}`).toEqual(model[number]);
  });
}

const change = fc.record({
  number: fc.nat(SERIES.length - 1),
  kind: fc.constantFrom('append', 'append', 'correct', 'shorten', 'clear'),
  rowCount: fc.integer({ min: 1, max: 700 }),
  back: fc.nat(500),
});

interface Step {
  number: number;
  kind: string;
  rowCount: number;
  /** Number of rows at the end that change. */
  back: number;
}

function additionOf(model: Model, { number, kind, rowCount, back }: Step, seed: number): Addition {
  const { interval } = SERIES[number];
  const before = model[number];
  const length = before.close.length;
  const isAppend = kind === 'append';
  const firstRow = kind === 'clear' ? 0 : isAppend ? length : Math.max(0, length - back);
  const isEnd = kind === 'shorten' || kind === 'clear';
  const fresh = minutesFrom(DAY, firstRow + rowCount, seed, interval === '5m' ? 5 : 1);
  const bars = isEnd ? undefined : copyOf(fresh, firstRow);
  const kept = copyOf(before, 0, firstRow);
  model[number] = bars ? joinedBars(kept, bars) : kept;
  return { number, interval, firstRow, bars, role: rowCount % 2 ? 'slices' : 'patches' };
}

const history = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.uniqueArray(change, { selector: ({ number }) => number, minLength: 1 }),
    },
    { weight: 1, arbitrary: fc.constantFrom('run' as const, 'day' as const, 'month' as const) },
  ),
  { maxLength: 10 },
);

describe('compactIntraday', () => {
  it('keeps every row, whatever was published before', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        rmSync(dir, { recursive: true, force: true });
        await publishBase(dir, universeOf(3, 10));
        const model: Model = SERIES.map(() => minutesFrom(DAY, 0, 1));
        await publishIntraday(dir, [], { series: SERIES });
        for (const [i, step] of [...steps, 'run' as const, 'month' as const].entries()) {
          if (step === 'month') await compact({ tier: 'month', firstLayer: 0 });
          else if (step === 'run' || step === 'day') {
            await compact({ tier: step, firstLayer: newestLayers() });
          } else {
            await publishIntraday(
              dir,
              step.map((s) => additionOf(model, s, i + 1)),
            );
          }
          expectServed(model);
        }
      }),
      { seed: 11, numRuns: STORE_RUNS },
    );
  });
});

describe('neededIntradayCompaction', () => {
  const layersOf = (tiers: Partial<Record<IntradayTier, number>>) =>
    (['month', 'day', 'run', 'slice'] as const).flatMap((tier) =>
      Array.from({ length: tiers[tier] ?? 0 }, () => ({ tier }) as IntradayLayer),
    );
  const { intradayL0Max: slice, intradayL1Max: runs, intradayL2Max: days } = limits.serving;

  it('chooses nothing while slices are few', () => {
    expect(neededIntradayCompaction([])).toBeUndefined();
    expect(
      neededIntradayCompaction(layersOf({ month: 1, day: 40, run: 40, slice: slice - 1 })),
    ).toBeUndefined();
  });

  it('compacts slices into a run, runs into a day, days into months', () => {
    expect(neededIntradayCompaction(layersOf({ month: 1, run: 3, slice }))).toEqual({
      tier: 'run',
      firstLayer: 4,
    });
    expect(neededIntradayCompaction(layersOf({ month: 1, day: 2, run: runs - 1, slice }))).toEqual({
      tier: 'day',
      firstLayer: 3,
    });
    expect(
      neededIntradayCompaction(layersOf({ month: 1, day: days - 1, run: runs - 1, slice })),
    ).toEqual({ tier: 'month', firstLayer: 0 });
  });

  it('merges months that lie over other layers', () => {
    const layers = [...layersOf({ month: 1, run: 2 }), ...layersOf({ month: 1, slice: 1 })];
    expect(neededIntradayCompaction(layers)).toEqual({ tier: 'month', firstLayer: 0 });
  });
});

it('months of format 4 are plain, served, and packed by the next compaction', async () => {
  cpSync(FORMAT_4, dir, { recursive: true });
  const before = published().bars('A1', '1m');
  expect(before).toEqual(minutesFrom(dayFromDate('2025-10-31'), 450, 2));
  expect(isOfOlderFormat(dir)).toBe(false);
  const sizes = () =>
    Object.fromEntries(
      [...filesOf(readManifest(dir)!)].map((name) => [name, statSync(join(dir, name)).size]),
    );
  const plain = sizes();
  await compact({ tier: 'month', firstLayer: 0 });
  expect(published().bars('A1', '1m')).toEqual(before);
  expect(readManifest(dir)?.format).toBe(FORMAT);
  // November has more new rows than old ones, and is written again; October stays.
  const names = Object.keys(sizes()).filter((name) => name.startsWith('candles-1min'));
  expect(names.filter((name) => name in plain)).toEqual(['candles-1min-2025-10-00000003.arrow']);
  for (const check of fileChecks(dir, readManifest(dir)!)) await check.check();
});
