/** Events and returns of the same market that ends earlier: to the bit, whatever comes later. */

import { beforeAll, expect, it } from 'vitest';
import { studyQuery } from '../../../src/api/routes/study/query.ts';
import { answeredStudy } from '../../../src/api/study/answer.ts';
import { studyRows } from '../../../src/api/study/respond.ts';
import { barRows, MICROS_PER_DAY } from '../../../src/base/bars.ts';
import { dateFromDay, dayFromDate } from '../../../src/base/time/dates.ts';
import { ScreenMemory } from '../../../src/screens/run/screen-memory.ts';
import type { Snapshot } from '../../../src/store/arrow/snapshot/snapshot.ts';
import { seededRandom } from '../../compute/support/hostile-series.ts';
import { isLong } from '../../faults/scale.ts';
import { published as publishedStore } from '../../jobs/support/store.ts';
import { marketUpTo, published, screenMarket } from '../../screens/run/market.ts';
import { finished } from '../../screens/run/support/finished.ts';
import {
  LAST_DAY as STORE_LAST_DAY,
  marketUpTo as storeUpTo,
} from '../../screens/run/support/past-market.ts';
import { freshFolder, sharedFolder } from '../../support/folders.ts';
import { long, someOf } from '../../support/store-runs.ts';
import { type FixtureSymbol, LAST_DAY } from '../support/market-fixture.ts';
import { differing } from './support/differing.ts';

const WHERE = [
  'rsi(14) < 40 and close > 30',
  'close crosses above sma(20)',
  'weekly(close) > weekly(sma(5))',
  'monthly(rsi(3)) < 50 and volume > avg(volume, 10)',
  "close > symbol('S15').close and symbol('S15', close > sma(20))",
  "beta(symbol('S12').close, 20) > 0 and year_to_date > 1",
  "weekday = 3 and date > '2024-01-01' and correlation(symbol('S15').close, 30) > 0",
  'rank(pct_change(close, 10)) > 0.7',
  'standard(rsi(5), among volume > 50) > 1 or demean(close) < -20',
  'count(close > open, 49) >= 25 and bars_since(close crosses above sma(20)) < 4',
  'if(listed_bars > 100, sma(100)[5], close) > 20',
  'close < open',
];

/** Sessions after which a symbol without a bar has ended, and the longest horizon. */
const SETTLED_DAYS = 14;
const HORIZONS = [1, 5];

/** A market of raw prices; prices that a vendor adjusted know later splits. Some symbols end. */
function market(): FixtureSymbol[] {
  const raw = screenMarket().filter(({ basis }) => basis === 'raw');
  const ended = [40, 200, 420].map((bars, i): FixtureSymbol => {
    const whole = raw.at(-1 - i)!;
    const day = LAST_DAY - 30 - 90 * i;
    return {
      ...whole,
      symbol: `E${bars}`,
      bars: barRows(whole.bars, 0, bars),
      splits: [{ exDay: day - 300, numerator: 3, denominator: 1 }],
    };
  });
  return [...raw, ...ended];
}

const LISTED = market();

function study(query: Record<string, string>, of: Snapshot) {
  const text = String(new URLSearchParams({ horizons: String(HORIZONS), ...query }));
  return finished(answeredStudy(of, new ScreenMemory(1e8), studyQuery(text, undefined)));
}

function events(where: string, of: Snapshot, to: number) {
  return studyRows(study({ where, rows: 'events', to: dateFromDay(to) }, of).table);
}

const random = seededRandom(37);
const CUTS = Array.from({ length: 30 }, () => LAST_DAY - 1 - Math.floor(random() * 600));

/** Returns true if a symbol has bars after a day. */
function goesOn(symbol: string, day: number): boolean {
  const { timestampUs } = LISTED.find((one) => one.symbol === symbol)!.bars;
  return timestampUs.at(-1)! > BigInt(day) * MICROS_PER_DAY;
}

let whole: Snapshot;
const wholeFolder = sharedFolder();

beforeAll(async () => {
  whole = await published(wholeFolder, market());
});

it.each(someOf(CUTS, 30))('data cut at day %i gives the same events and returns', async (cut) => {
  const before = await published(freshFolder(), marketUpTo(market(), cut));
  const [here, there]: unknown[][] = [[], []];
  for (const where of WHERE) {
    const later = events(where, whole, cut);
    const then = events(where, before, cut);
    const place = ({ symbol, date }: (typeof then)[number]) => `${date} ${symbol}`;
    expect([where, ...then.map(place)]).toEqual([where, ...later.map(place)]);
    for (const [i, row] of then.entries()) {
      const isSettled = dayFromDate(String(row.date)) < cut - SETTLED_DAYS;
      for (const horizon of HORIZONS) {
        const value = row[`return_${horizon}`];
        // Open returns get a value later, and a symbol that trades again has not ended.
        if (value === null || (row[`early_${horizon}`] && goesOn(String(row.symbol), cut)))
          continue;
        const names = ['return', 'exit_date', 'early'].map((name) => `${name}_${horizon}`);
        names.push('entry');
        if (isSettled) names.push(`universe_${horizon}`);
        const of = (one: typeof row) => [where, place(row), ...names.map((name) => one[name])];
        here.push(of(row));
        there.push(of(later[i]));
      }
    }
  }
  expect(differing(here, there)).toEqual([]);
  expect(here.length).toBeGreaterThan(100);
});

long(
  'a study of a past window is the same after later bars, splits, renames and filings',
  async () => {
    // After a split and a delisting, a rename and a ticker used again, and all else.
    const days = [dayFromDate('2024-09-20'), dayFromDate('2024-12-20'), STORE_LAST_DAY];
    const stores = isLong ? days : [days[0], STORE_LAST_DAY];
    const versions = [];
    for (const day of stores) versions.push(await publishedStore(await storeUpTo(day)));
    const kinds = ['events', 'days', 'groups', 'summary'];
    const studies = [
      'close < open',
      'close > sma(5) and volume > avg(volume, 5)',
      'weekly(rsi(3)) > 50 and pe_ratio > 0',
      'rank(pct_change(close, 3)) > 0.5',
      "in universe('big') and close > 1",
    ].flatMap((where, i) =>
      // Each condition with one kind of rows, the first with all.
      kinds
        .filter((_, k) => isLong || i === 0 || k === (i - 1) % kinds.length)
        .map((rows) => ({ where, rows, by: 'month' })),
    );
    const universe = 'avg(close * volume, 5) > 1';
    for (const one of [...studies, ...studies.slice(0, 4).map((each) => ({ ...each, universe }))]) {
      const query = { ...one, from: '2024-02-01', to: '2024-06-28' };
      const [first, ...later] = versions.map((version) => {
        const { table, definition, warnings } = study(query, version);
        const { version: _, ...rest } = definition;
        return [one.where, one.rows, JSON.stringify([studyRows(table), rest, warnings])];
      });
      expect(first[2]).toContain('"symbols":');
      for (const same of later) expect(same).toEqual(first);
    }
  },
);
