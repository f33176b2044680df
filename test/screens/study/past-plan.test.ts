/** Conditions over all days equal screens as of each day: prices, filings, splits and weeks. */

import { expect, it } from 'vitest';
import { SCREEN_FIELD_NAMES, screenField } from '../../../src/base/fields.ts';
import { dateFromDay } from '../../../src/base/time/dates.ts';
import { LANES } from '../../../src/compute/columns/layout.ts';
import { compileScreen } from '../../../src/screens/plan/compile.ts';
import { matchesOf } from '../../../src/screens/run/matches.ts';
import { ownNames } from '../../../src/screens/run/own-fields.ts';
import { ScreenMemory } from '../../../src/screens/run/screen-memory.ts';
import { PastTruth } from '../../../src/screens/study/past-truth.ts';
import { allTrue, hasBit } from '../../../src/screens/study/signal-rows.ts';
import { studyMarket } from '../../../src/screens/study/study-market.ts';
import { seededRandom } from '../../compute/support/hostile-series.ts';
import { scaled } from '../../faults/scale.ts';
import { published } from '../../jobs/support/store.ts';
import { asOf, finished } from '../run/support/finished.ts';
import { FIRST_DAY, LAST_DAY, marketUpTo } from '../run/support/past-market.ts';

const KNOWN = SCREEN_FIELD_NAMES.filter(
  (name) => screenField(name).kind === 'number' && screenField(name).past === undefined,
);

const TEXTS = [
  'close > sma(5)',
  'rsi(14) < 50 and close > 5',
  'close crosses above sma(10)',
  'weekly(close > sma(3)) and close > open',
  'monthly(rsi(3)) > 40 or volume > avg(volume, 5)',
  'change_pct > 0 and price > 20',
  ...KNOWN.map((name) => `${name} > 0.1 and close > 1`),
  'pe_ratio < 40 and price_to_sales < 20',
  // Fields and bars in one comparison: the prices of fields lay over the columns of the bars.
  'price > sma(3) and price * volume > 100 * open',
  'price - open > short or market_cap / volume < close * 1e5',
  "in universe('big') and close > 1",
  "not in universe('BIG') or in universe('active') and in universe('all')",
  'short > 0.5 and close > 1',
  'short is null and listed_days >= 60',
  'not (market_cap > 1e9) or pe_ratio is null',
];

it('has on each day the truth of a screen as of that day', async () => {
  const market = await published(await marketUpTo(LAST_DAY));
  const memory = new ScreenMemory(1e8);
  const all = finished(studyMarket(market, memory));
  const random = seededRandom(7);
  const days = Array.from(
    { length: scaled(8, 20) },
    () => FIRST_DAY + Math.floor(random() * (LAST_DAY - FIRST_DAY + 1)),
  );
  let [compared, isTrue] = [0, 0];
  for (const text of TEXTS) {
    const plan = compileScreen({ where: text }, ownNames(market));
    const past = new PastTruth(market, all, [plan]);
    const truths = new Map<string, Uint32Array>();
    for (let at = 0; at < all.order.length; at += LANES) {
      const numbers = all.order.subarray(at, at + LANES);
      for (const [i, bits] of finished(past.of(numbers)).entries())
        truths.set(market.symbols[numbers[i]], allTrue(bits, past.conditions[0]));
    }
    for (const day of days) {
      const universe = asOf(market, dateFromDay(day));
      const matches = finished(matchesOf(market, plan, universe, memory));
      for (const [row, symbol] of universe.series.entries()) {
        if (universe.table.columns.lastBarDay[row] !== day) continue;
        const number = market.symbols.indexOf(symbol);
        const at = all.days.rowOf(number, day);
        expect([text, symbol, dateFromDay(day), Number(hasBit(truths.get(symbol)!, at))]).toEqual([
          text,
          symbol,
          dateFromDay(day),
          matches[row],
        ]);
        compared++;
        isTrue += matches[row];
      }
    }
  }
  expect(compared).toBeGreaterThan(1000);
  expect(isTrue).toBeGreaterThan(100);
});
