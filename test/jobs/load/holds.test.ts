import { describe, expect, it } from 'vitest';
import type { RunDeps } from '../../../jobs/contract/reports.ts';
import { backfill, loadSegments } from '../../../jobs/load/backfill.ts';
import { readHeld } from '../../../jobs/load/held-records.ts';
import { Holds } from '../../../jobs/load/holds.ts';
import { readRecords } from '../../../jobs/load/segment-records.ts';
import { publish } from '../../../jobs/publish/publish.ts';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';
import { HeldLoadError } from '../../../src/base/errors.ts';
import type { Fetched } from '../../../src/ingest/contract/fetch-context.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import type {
  CandleSegment,
  SymbolActions,
} from '../../../src/store/duckdb/connection/candle-segment.ts';
import { queryMarket } from '../../../src/store/duckdb/connection/query.ts';
import {
  emptyPaths,
  NOW_MS,
  type SegmentOptions,
  segmentOf,
} from '../../store/duckdb/support/fixtures.ts';
import { long } from '../../support/store-runs.ts';
import { preparedStore } from '../support/prepared-store.ts';

const SYMBOLS = Array.from({ length: 200 }, (_, i) => `S${String(i).padStart(3, '0')}`);

const RAW: SegmentOptions = { basis: 'raw', source: 'massive' };

/** A day of the first symbols, all at 100 but those that `closeOf` says. */
function day(
  date: string,
  { count = SYMBOLS.length, closeOf = (_: number) => 100, ...options }: DayOptions = {},
): CandleSegment {
  const files = SYMBOLS.slice(0, count).map((symbol, i) => ({
    symbol,
    bars: [[date, closeOf(i)] as [string, number]],
  }));
  const segment = segmentOf(files, { ...RAW, name: date, ...options });
  return { ...segment, origin: `massive market ${date}` };
}

type DayOptions = SegmentOptions & { count?: number; closeOf?: (symbol: number) => number };

async function* asFetched(
  segments: readonly CandleSegment[],
  reasons: [string, number][],
): AsyncGenerator<Fetched> {
  for (const segment of segments) {
    yield { ...segment, skipped: [], rejectedByReason: new Map(reasons) };
  }
}

const DEPS: RunDeps = { verb: 'test', nowMs: NOW_MS, guarded: 'all' };

/** Loads, and does not publish. */
function run(
  paths: ModePaths,
  segments: readonly CandleSegment[],
  { reasons = [], ...deps }: Partial<RunDeps> & { reasons?: [string, number][] } = {},
) {
  return loadSegments(paths, asFetched(segments, reasons), { ...DEPS, ...deps });
}

/** A store with the first day published. */
const market = preparedStore((paths) => backfill(paths, asFetched([day('2024-01-02')], []), DEPS));

const ADJUSTED = { basis: 'all', source: 'files' } as const;

/** The same of adjusted prices. */
const adjustedMarket = preparedStore((paths) => {
  const first = day('2024-01-02', { ...ADJUSTED, asOf: '2024-01-02' });
  return backfill(paths, asFetched([first], []), DEPS);
});

async function storedDays(paths: ModePaths): Promise<unknown[]> {
  const sql = 'SELECT DISTINCT ts::DATE::VARCHAR AS day FROM candles ORDER BY day';
  return (await queryMarket(paths, sql)).rows.map((row) => row.day);
}

/** Publishes, and gives the price of a symbol. */
async function lastClose(paths: ModePaths, symbol: string): Promise<number | undefined> {
  await publish(paths, DEPS);
  const published = openPublished(paths.serving);
  const price = published?.quote(symbol)?.price;
  published?.close();
  return price;
}

describe('a load that rejects more than a hundredth of its rows', () => {
  it('is loaded when it is accepted, or rejects no more than that', async () => {
    const paths = await market();
    const few = { ...day('2024-01-03'), rejectedLines: 2 };
    await run(paths, [few]);
    const bad = { ...day('2024-01-04'), rejectedLines: 500 };
    await run(paths, [bad], { guarded: 'none' });
    expect(await storedDays(paths)).toEqual(['2024-01-02', '2024-01-03', '2024-01-04']);
  });

  it('is loaded below 1,000 rows for a command, and held for a schedule', async () => {
    const paths = await market();
    const two = { ...day('2024-01-02', { count: 2, source: 'files' }), origin: 'two.csv' };
    const small = { ...two, rejectedLines: 997 };
    const large = { ...two, rejectedLines: 998 };
    await expect(run(paths, [small], { guarded: 'all' })).rejects.toThrow(HeldLoadError);
    await expect(run(paths, [large], { guarded: 'large' })).rejects.toThrow(HeldLoadError);
    await run(paths, [small], { guarded: 'large' });
  });

  it('is loaded where the rows are only too early', async () => {
    const paths = await market();
    const early = { ...day('2024-01-03'), rejectedLines: 500 };
    await run(paths, [early], { reasons: [['date is after the latest completed session', 500]] });
    expect(await storedDays(paths)).toContain('2024-01-03');
  });
});

describe('a load that is held', () => {
  it('is named with its reason until it is accepted, and then by its record', async () => {
    const paths = await market();
    const bad = { ...day('2024-01-03'), rejectedLines: 3 };
    await expect(run(paths, [bad])).rejects.toThrow(HeldLoadError);
    const reason = expect.stringMatching(/3 of 203 rows were rejected/);
    expect(readHeld(paths)).toEqual([
      { id: bad.id, origin: bad.origin, source: 'massive', heldMs: NOW_MS, reason },
    ]);
    await run(paths, [bad], { guarded: 'none' });
    expect(readHeld(paths)).toEqual([]);
    const { records } = readRecords(paths);
    expect(records.find(({ id }) => id === bad.id)).toMatchObject({ acceptedDespite: reason });
  });
});

describe('a load that halves more than a hundredth of the prices', () => {
  it('is loaded without them', async () => {
    const paths = await market();
    const halved = day('2024-01-03', { closeOf: (i) => (i < 3 ? 50 : 100) });
    await expect(run(paths, [halved])).rejects.toThrow(
      /^3 symbols are held .*, the other 197 of .* are published: 3 of 200 prices move by half or more \(1\.5 %, at most 1 %\): S00\d from 100 to 50/,
    );
    expect(await lastClose(paths, 'S000')).toBe(100);
    expect(await lastClose(paths, 'S003')).toBe(100);
    expect(await storedDays(paths)).toEqual(['2024-01-02', '2024-01-03']);
  });

  long(
    'is loaded without them where they are more than a fiftieth: it was held whole',
    async () => {
      const paths = await market();
      const halved = day('2024-01-03', { closeOf: (i) => (i < 5 ? 50 : 100) });
      await expect(run(paths, [halved])).rejects.toThrow(
        /^5 symbols are held .*, the other 195 of .* are published/,
      );
      expect(await storedDays(paths)).toEqual(['2024-01-02', '2024-01-03']);
      await expect(run(paths, [halved], { accepted: ['S000'] })).rejects.toThrow(
        /^4 symbols are held .*, the other 196 of .* are published/,
      );
      expect(await lastClose(paths, 'S000')).toBe(50);
    },
  );

  it('is refused where the others have too many rejected rows: 0 were reported as published', async () => {
    const paths = await market();
    const halved = {
      ...day('2024-01-03', { closeOf: (i) => (i < 5 ? 50 : 100) }),
      rejectedLines: 2,
    };
    await expect(run(paths, [halved])).rejects.toThrow(
      /^1 input was held .*: massive market 2024-01-03: 5 of 200 prices .*; .*: 2 of 197 rows/,
    );
    expect(readHeld(paths)).toEqual([expect.not.objectContaining({ symbols: expect.anything() })]);
    expect(await storedDays(paths)).toEqual(['2024-01-02']);
  });

  long('is refused where it corrects the published bar, too', async () => {
    const paths = await market();
    const wrong = day('2024-01-02', { closeOf: (i) => (i < 3 ? 150 : 100), asOf: '2024-02-01' });
    await expect(run(paths, [wrong])).rejects.toThrow(/^3 symbols are held/);
  });

  long('is loaded where a hundredth of them halve, and where a split explains it', async () => {
    const paths = await market();
    await run(paths, [day('2024-01-03', { closeOf: (i) => (i < 2 ? 50 : 100) })]);
    await publish(paths, DEPS);
    const actions = SYMBOLS.map(
      (symbol): SymbolActions => ({
        symbol,
        splits: [{ exDay: 19_726, numerator: 2, denominator: 1 }],
        dividends: [],
        coverageFromDay: 19_700,
        coverageToDay: 19_726,
      }),
    );
    // 2024-01-04.
    await run(paths, [day('2024-01-04', { closeOf: (i) => (i < 2 ? 25 : 50), actions })]);
    expect(await lastClose(paths, 'S199')).toBe(50);
  });

  long('is loaded months later', async () => {
    const paths = await market();
    await run(paths, [day('2024-03-04', { closeOf: () => 40 })]);
    expect(await lastClose(paths, 'S000')).toBe(40);
  });

  long(
    'is loaded for adjusted prices that continue for months: a split may be in them',
    async () => {
      const paths = await adjustedMarket();
      const files = SYMBOLS.map((symbol) => ({
        symbol,
        bars: [['2024-01-02', 40] as [string, number], ['2024-05-02', 41] as [string, number]],
      }));
      await run(paths, [segmentOf(files, { ...ADJUSTED, asOf: '2024-05-02' })]);
      expect(await lastClose(paths, 'S000')).toBe(41);
    },
  );

  // A file that reaches back over missed splits was held for the very prices that it mends.
  long('is loaded where a week of common days has the factor of a split', async () => {
    const days = ['02', '03', '04', '05', '08', '09', '10', '11', '12'].map((d) => `2024-01-${d}`);
    const closes = (count: number, factorOf: (symbol: number) => number) =>
      SYMBOLS.map((symbol, i) => ({
        symbol,
        bars: days
          .slice(0, count)
          .map((date): [string, number] => [date, (100 + (i % 7)) * factorOf(i)]),
      }));
    const paths = emptyPaths();
    const history = segmentOf(
      closes(8, () => 1),
      { ...ADJUSTED, asOf: '2024-01-11' },
    );
    await backfill(paths, asFetched([history], []), DEPS);
    const all = closes(9, () => 0.5);
    const whole = run(paths, [segmentOf(all, { ...ADJUSTED, name: 'all', asOf: '2024-01-12' })]);
    await expect(whole).rejects.toThrow(/200 of 200 prices move/);
    // More than ten, of many symbols: a whole universe loaded after a week of splits was held.
    const reach = closes(9, (i) => (i < 20 ? 0.5 : 1));
    await run(paths, [segmentOf(reach, { ...ADJUSTED, name: 'reach', asOf: '2024-01-12' })]);
    expect(await lastClose(paths, 'S001')).toBe(50.5);
    expect(await lastClose(paths, 'S020')).toBe(106);
  });

  it('is refused where it replaces an adjusted series whole', async () => {
    const paths = await adjustedMarket();
    const halved = day('2024-01-02', { ...ADJUSTED, asOf: '2024-01-05', closeOf: () => 40 });
    await expect(run(paths, [halved])).rejects.toThrow(/200 of 200 prices move/);
    expect(await lastClose(paths, 'S000')).toBe(100);
  });
});

describe('a load that shrinks the universe', () => {
  it('by more than a fiftieth is refused', async () => {
    const paths = await market();
    const short = day('2024-01-03', { count: 195 });
    await expect(run(paths, [short])).rejects.toThrow(
      /its newest session has 195 symbols, and the published one 200 \(2\.5 %, at most 2 % fewer\)/,
    );
    await run(paths, [day('2024-01-03', { count: 196 })]);
  });

  long(
    'says nothing where it is a part of an input, of an earlier day, or a few files',
    async () => {
      const paths = await market();
      await run(paths, [day('2023-12-29', { count: 120 })]);
      const few = { ...day('2024-01-03', { count: 80 }), origin: 'few.zip' };
      await run(paths, [few]);
      const part = { ...day('2024-01-03', { count: 140 }), origin: 'a.zip', isPart: true };
      await run(paths, [part]);
    },
  );
});

describe('a run with held inputs among others', () => {
  it('publishes the others and names the held ones', async () => {
    const paths = await market();
    const segments = [
      { ...day('2024-01-03'), rejectedLines: 100 },
      day('2024-01-04'),
      day('2024-01-05', { closeOf: () => 49 }),
    ];
    await expect(backfill(paths, asFetched(segments, []), DEPS)).rejects.toThrow(
      /^2 of 3 inputs were held by a sanity check and not loaded; the other 1 are published: massive market 2024-01-03: .*massive market 2024-01-05: /,
    );
    expect(await storedDays(paths)).toEqual(['2024-01-02', '2024-01-04']);
    await run(paths, segments, { guarded: 'none' });
    expect(await lastClose(paths, 'S000')).toBe(49);
  });
});

it('writes a note on what was loaded as one sentence after another', async () => {
  const holds = new Holds(await emptyPaths(), {});
  holds.add('a.zip: it moves');
  const note = 'these go on:\n  AAA from 3 to 2\n  BBB from 4 to 3\nLoad a longer file.';
  expect(() => holds.throwHeld(0, [], [note])).toThrow(
    'Note: these go on: AAA from 3 to 2; BBB from 4 to 3. Load a longer file.',
  );
});
