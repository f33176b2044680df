/** Whatever was published step by step has the bits of one publish of the same store. */

import { describe, expect, it } from 'vitest';
import { openCheckpoints } from '../../../jobs/publish/checkpoints.ts';
import type { Split } from '../../../src/base/bars.ts';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { DAILY_INTERVALS } from '../../../src/base/time/intervals.ts';
import { defaultColumns } from '../../../src/compute/indicators/catalogue.ts';
import { CHECKPOINT_FIELDS } from '../../../src/compute/indicators/checkpoints.ts';
import { readManifest } from '../../../src/store/arrow/format/manifest.ts';
import { compact } from '../../../src/store/arrow/write/compact.ts';
import type { CandleSegment } from '../../../src/store/duckdb/connection/candle-segment.ts';
import { isLong, scaled } from '../../faults/scale.ts';
import {
  dateAfter,
  freshPaths,
  NOW_MS,
  segmentOf,
  type TestBar,
} from '../../store/duckdb/support/fixtures.ts';
import { long } from '../../support/store-runs.ts';
import {
  expectAsFromScratch,
  inStore,
  loadAll,
  published,
  publishOf,
  run,
} from '../support/store.ts';

const COLUMNS = defaultColumns.map(({ name }) => name);
const FIRST_DATE = '2025-12-15';

/** Every published row and fact, and the states that later publishes go on from, by symbol. */
function contentOf(paths: ModePaths) {
  const version = published(paths);
  const checkpoints = openCheckpoints(paths.serving, version);
  return version.symbols.map((name) => ({
    info: version.symbol(name),
    quote: version.quote(name),
    checkpoint: checkpoints.row(version.directory.number(name)!).slice(),
    series: DAILY_INTERVALS.map((interval) => ({
      bars: version.bars(name, interval),
      indicators: version.indicators(name, interval, COLUMNS),
    })),
  }));
}

function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

/** Raw bars; each symbol misses some, and half of the symbols have known splits. */
class RandomMarket {
  readonly paths = freshPaths();
  readonly random: () => number;
  readonly symbols = Array.from({ length: 22 }, (_, i) => `S${String(i).padStart(2, '0')}`);
  readonly splits = new Map<string, Split[]>();
  day = 0;
  #vintage = 0;

  constructor(seed: number) {
    this.random = randomOf(seed);
  }

  /** Bars from day `from` to before day `to`; about one in ten is missing. */
  bars(from: number, to: number): TestBar[] {
    const bars: TestBar[] = [];
    for (let day = from; day < to; day++) {
      if (this.random() < 0.1) continue;
      const close = 50 + Math.round(100 * this.random()) / 10 + day / 7;
      bars.push([dateAfter(FIRST_DATE, day), close, Math.round(1000 * this.random())]);
    }
    return bars;
  }

  segment(symbols: readonly string[], from: number, to: number): CandleSegment {
    const files = symbols
      .map((symbol) => ({ symbol, bars: this.bars(from, to) }))
      .filter(({ bars }) => bars.length > 0);
    const asOf = dateAfter('2026-07-01', this.#vintage++);
    const day = (date: string) => dayFromDate(date);
    const actions = files
      .filter(({ symbol }) => Number(symbol.slice(1)) % 2 === 0)
      .map(({ symbol }) => ({
        symbol,
        splits: this.splits.get(symbol) ?? [],
        dividends: [{ exDay: day(FIRST_DATE) + 20, amount: 0.125 }],
        coverageFromDay: day('2020-01-01'),
        coverageToDay: day(dateAfter(FIRST_DATE, to + 3)),
      }));
    return segmentOf(files, { basis: 'raw', asOf, actions, name: `vintage ${this.#vintage}` });
  }

  pick(): string {
    return this.symbols[Math.floor(this.random() * this.symbols.length)];
  }

  async append(symbols: readonly string[] = this.symbols): Promise<void> {
    const days = 1 + Math.floor(3 * this.random());
    await loadAll(this.paths, this.segment(symbols, this.day, this.day + days));
    this.day += days;
  }

  /** One step of a random kind. @returns its name. */
  async step(): Promise<string> {
    const kind = this.random();
    if (kind < 0.5) {
      await this.append();
      return 'append';
    }
    if (kind < 0.65) {
      const from = Math.floor(this.day * this.random());
      await loadAll(this.paths, this.segment([this.pick()], from, from + 5));
      return 'correct the past';
    }
    if (kind < 0.75) {
      const symbol = `N${this.day}`;
      this.symbols.push(symbol);
      await loadAll(this.paths, this.segment([symbol], this.day - 9, this.day));
      return 'a new symbol';
    }
    if (kind < 0.9) {
      const symbol = this.symbols[2 * Math.floor(11 * this.random())];
      const exDay = dayFromDate(dateAfter(FIRST_DATE, this.day));
      const older = this.splits.get(symbol) ?? [];
      this.splits.set(symbol, [...older, { exDay, numerator: 3, denominator: 2 }]);
      await this.append();
      return `split ${symbol}`;
    }
    const kindOfFold = this.random() < 0.5 ? 'newest' : 'all';
    const version = published(this.paths);
    const states = openCheckpoints(this.paths.serving, version).rows;
    const options = { createdMs: NOW_MS, currentYear: 2026, states };
    await compact(this.paths.serving, version, kindOfFold, options);
    return `fold ${kindOfFold}`;
  }
}

/** A history that has every kind of step; the long form tries more. */
const SEEDS = isLong ? [...Array(10).keys(), 21_796] : [21_796];
const STEPS = scaled(6, 12);

describe('publishing step by step', () => {
  const met = new Set<string>();

  it.each(SEEDS)('gives what one publish gives, seed %i', async (seed) => {
    const market = new RandomMarket(seed);
    await loadAll(market.paths, market.segment(market.symbols, 0, 45));
    market.day = 45;
    await run(market.paths);
    const story: string[] = [];
    for (let i = 0; i < STEPS; i++) {
      story.push(await market.step());
      await run(market.paths);
      if (i % 3 === 2) await expectAsFromScratch(market.paths, contentOf, story.join(', '));
    }
    for (const step of story) met.add(step.replace(/ S\d+$/, ''));
  });

  it('has met every kind of step', () => {
    const folds = ['fold all', 'fold newest'];
    const kinds = ['a new symbol', 'append', 'correct the past', ...folds, 'split'];
    expect([...met].sort()).toEqual(kinds);
  });
});

long('goes on with a few symbols, among days of all of them', async () => {
  const market = new RandomMarket(11);
  await publishOf(market.paths, market.segment(market.symbols, 0, 40));
  market.day = 40;
  for (const symbols of [market.symbols, ['S03'], ['S03', 'S05'], market.symbols, ['S04']]) {
    await market.append(symbols);
    expect(await run(market.paths)).toMatchObject({ kind: 'layer' });
  }
  await expectAsFromScratch(market.paths, contentOf);
});

describe('a removed symbol', () => {
  it('is gone with the next version, and its number with the next full fold', async () => {
    const market = new RandomMarket(7);
    const { paths } = market;
    await publishOf(paths, market.segment(market.symbols, 0, 30));
    market.day = 30;
    await market.append();
    await inStore(paths, async ({ connection }) => {
      await connection.run("DELETE FROM winners WHERE symbol = 'S04'");
      await connection.run("DELETE FROM changes WHERE symbol = 'S04'");
      await connection.run(
        "INSERT INTO changes SELECT max(seq), 'S04', '1d', 'remove', now()::TIMESTAMP FROM segments",
      );
    });
    expect(await run(paths)).toMatchObject({ kind: 'layer' });
    const version = published(paths);
    expect(version.symbols).not.toContain('S04');
    expect(version.symbol('S04')).toBeUndefined();
    expect(version.quote('S04')).toBeUndefined();
    expect(version.rowCount('S04', '1d')).toBe(0);
    expect(version.screener().symbols).not.toContain('S04');
    expect(version.directory.names[4]).toBe('');
    await expectAsFromScratch(paths, contentOf, 'after the removal');

    const options = { createdMs: NOW_MS, currentYear: 2026 };
    for (const kind of ['newest', 'all'] as const) {
      const before = published(paths);
      const states = openCheckpoints(paths.serving, before).rows;
      await compact(paths.serving, before, kind, { ...options, states });
      await expectAsFromScratch(paths, contentOf, `after fold ${kind}`);
    }
    expect(published(paths).directory.names).toHaveLength(21);
  });
});

describe('a daily update', () => {
  it('writes no states and no symbols', async () => {
    const market = new RandomMarket(9);
    const odd = market.symbols.filter((symbol) => Number(symbol.slice(1)) % 2 === 1);
    await loadAll(market.paths, market.segment(odd, 0, 30));
    await run(market.paths);
    const { symbols, actions, layers } = readManifest(market.paths.serving)!;
    expect(layers[0].states?.bytes).toBe(
      8 * Math.ceil(odd.length / 2) + 8 * CHECKPOINT_FIELDS * odd.length,
    );
    market.day = 30;
    await market.append(odd);
    await run(market.paths);
    const after = readManifest(market.paths.serving)!;
    expect(after).toMatchObject({ symbols, actions });
    expect(after.layers[1].states).toBeUndefined();
  });
});
