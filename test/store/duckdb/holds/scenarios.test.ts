/**
 * Random days and histories over an adjusted history: what is right must load, and what is wrong
 * must be held or mended. Counts both kinds of error; the walk, the volume and the news are random.
 */

import { expect, test } from 'vitest';
import type { CandleSegment } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import { loadCandleBatch } from '../../../../src/store/duckdb/load/load-candles.ts';
import { scaled, seededRandom } from '../../../faults/scale.ts';
import { dateAfter, NOW_MS, oneFile, query, type TestBar, withStore } from '../support/fixtures.ts';

const GUARD = { isScheduled: false, published: undefined, earlyRows: () => 0 };
const DAYS = 60;
const date = (i: number) => dateAfter('2024-01-01', i);

/** Traded prices and volumes without any action: the truth on the newest basis. */
function walk(random: () => number, count: number): TestBar[] {
  let close = 20 + 200 * random();
  return Array.from({ length: count }, (_, i): TestBar => {
    close *= 1 + (random() - 0.5) * 0.05;
    return [date(i), Number(close.toFixed(2)), Math.round(1e5 * (0.6 + 0.8 * random()))];
  });
}

/** States bars on a basis before an action: prices times a factor, volumes by its inverse. */
function before(bars: readonly TestBar[], factor: number, hasVolume = true): TestBar[] {
  return bars.map(([day, close, volume = 0]) => {
    return [day, Number((close * factor).toFixed(4)), hasVolume ? volume / factor : volume];
  });
}

const load = (market: MarketDb, segment: CandleSegment) =>
  loadCandleBatch(market, [{ segment, guard: GUARD }], NOW_MS).then(
    () => undefined,
    (error: Error) => error.message,
  );

let named = 0;
const segment = (bars: TestBar[], asOf?: string) =>
  oneFile(bars, { basis: 'all', name: `scenario ${named++}`, asOf });

interface Outcome {
  isHeld: boolean;
  /** Greatest distance of a served close from the truth, as a share. */
  error: number;
}

async function outcomeOf(
  market: MarketDb,
  truth: readonly TestBar[],
  reason: string | undefined,
): Promise<Outcome> {
  const rows = await query(market, 'SELECT ts::DATE::VARCHAR, close FROM candles ORDER BY ts');
  const closes = new Map(truth.map(([day, close]) => [day, close]));
  const errors = rows.map(([day, close]) =>
    Math.abs((close as number) / closes.get(day as string)! - 1),
  );
  return { isHeld: reason !== undefined, error: Math.max(...errors) };
}

type Scenario = (market: MarketDb, random: () => number) => Promise<Outcome>;

const RATIOS = [2, 3, 4, 10, 1.5, 0.1, 0.05];

/** A day's file after a split, without the day before. */
const splitDay: Scenario = async (market, random) => {
  const truth = walk(random, DAYS + 1);
  const ratio = RATIOS[Math.floor(random() * RATIOS.length)];
  await load(market, segment(before(truth.slice(0, DAYS), ratio)));
  return outcomeOf(market, truth, await load(market, segment(truth.slice(DAYS))));
};

/** The same, accepted, and then a file that reaches back over the split. */
const mended: Scenario = async (market, random) => {
  const truth = walk(random, DAYS + 3);
  const ratio = [...RATIOS, 1.25, 1.02, 1.004][Math.floor(random() * (RATIOS.length + 3))];
  await load(market, segment(before(truth.slice(0, DAYS), ratio)));
  for (const i of [DAYS, DAYS + 1]) {
    await loadCandleBatch(market, [{ segment: segment(truth.slice(i, i + 1)) }], NOW_MS);
  }
  const from = DAYS - 1 - Math.floor(random() * 20);
  return outcomeOf(market, truth, await load(market, segment(truth.slice(from))));
};

/** A day's file with the day before, on any newer basis. */
const withDayBefore: Scenario = async (market, random) => {
  const truth = walk(random, DAYS + 1);
  const ratio = [...RATIOS, 1, 1.25, 1.01][Math.floor(random() * (RATIOS.length + 3))];
  await load(market, segment(before(truth.slice(0, DAYS), ratio)));
  return outcomeOf(market, truth, await load(market, segment(truth.slice(DAYS - 1))));
};

/** A whole history on a newer basis, with some corrected bars. */
const reloaded: Scenario = async (market, random) => {
  const truth = walk(random, DAYS + 2);
  const ratio = [...RATIOS, 1, 1.25, 1.01][Math.floor(random() * (RATIOS.length + 3))];
  const old = before(truth.slice(0, DAYS), ratio).map(([day, close, volume], i): TestBar => {
    return [
      day,
      i % 29 === 7 ? Number((close * (0.97 + 0.06 * random())).toFixed(4)) : close,
      volume,
    ];
  });
  await load(market, segment(old));
  return outcomeOf(market, truth, await load(market, segment(truth, '2025-01-01')));
};

/** An ordinary night: up to 20 % either way, with the volume of news. */
const ordinaryDay: Scenario = async (market, random) => {
  const past = walk(random, DAYS);
  const close = Number((past[DAYS - 1][1] * (0.8 + 0.4 * random())).toFixed(2));
  const truth: TestBar[] = [...past, [date(DAYS), close, 1e5 * (1 + 20 * random())]];
  await load(market, segment(past));
  return outcomeOf(market, truth, await load(market, segment(truth.slice(DAYS))));
};

/** A history of which a part is in another unit. */
const wrongUnit: Scenario = async (market, random) => {
  const truth = walk(random, DAYS);
  const unit = [10, 100, 0.01, 0.1, 1000][Math.floor(random() * 5)];
  const start = Math.floor(random() * (DAYS - 1));
  const end = start + 1 + Math.floor(random() * (DAYS - 1 - start));
  const bad = truth.map(([day, close, volume], i): TestBar => {
    return [day, i >= start && i < end ? close * unit : close, volume];
  });
  await load(market, segment(truth));
  return outcomeOf(market, truth, await load(market, segment(bad, '2025-01-01')));
};

const RIGHT: Record<string, Scenario> = { withDayBefore, reloaded, ordinaryDay, mended };
const WRONG: Record<string, Scenario> = { splitDay, wrongUnit };

/** Rounding of the files, and that of the factor. */
const ERROR_MAX = 0.002;

const COUNT = scaled(1, 80);

async function run(scenario: Scenario): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let seed = 1; seed <= COUNT; seed++) {
    outcomes.push(await withStore((market) => scenario(market, seededRandom(seed))));
  }
  return outcomes;
}

test.each(Object.entries(RIGHT))('%s loads, with the right prices', async (_, scenario) => {
  const outcomes = await run(scenario);
  expect(outcomes.filter(({ isHeld }) => isHeld)).toEqual([]);
  expect(outcomes.filter(({ error }) => error > ERROR_MAX)).toEqual([]);
});

test.each(Object.entries(WRONG))('%s is held, and changes nothing', async (_, scenario) => {
  const outcomes = await run(scenario);
  expect(outcomes.filter(({ isHeld }) => !isHeld)).toEqual([]);
});
