/** Columns over all days have on each day the value that a screen as of that day has. */

import { expect } from 'vitest';
import { DAILY_INTERVALS } from '../../../src/base/time/intervals.ts';
import { bar, type Column } from '../../../src/compute/columns/column.ts';
import { LANES } from '../../../src/compute/columns/layout.ts';
import { defaultParams, indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import { KeptColumns } from '../../../src/screens/run/kept-columns.ts';
import { ScreenMemory } from '../../../src/screens/run/screen-memory.ts';
import { PastColumns } from '../../../src/screens/study/past-columns.ts';
import { LAST_DAY } from '../../api/support/market-fixture.ts';
import { scaled } from '../../faults/scale.ts';
import { freshFolder } from '../../support/folders.ts';
import { long } from '../../support/store-runs.ts';
import { published, runAll, screenMarket } from '../run/market.ts';

const columns: readonly Column[] = [
  bar.open,
  bar.volume,
  ...indicatorCatalogue.flatMap((spec) => spec.expressions(defaultParams(spec))),
];

/** Days around splits, and others. */
const DAYS = scaled(
  [-700, -301, -300, -41, -40, 0],
  [-700, -301, -300, -299, -200, -61, -60, -42, -41, -40, -9, -2, -1, 0],
);

function done<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

long('has the values of a screen as of each day', async () => {
  const snapshot = await published(freshFolder(), screenMarket());
  const memory = new ScreenMemory(1e8);
  const series = done(memory.series(snapshot, '1d'));
  const days = done(memory.days(snapshot, '1d'));
  const infos = done(memory.infos(snapshot));
  const bars = DAILY_INTERVALS.map((interval) => ({ interval, columns }));
  // Some columns are read from memory, and the rest from files.
  const rowCount = series.ends.reduce((sum, end) => sum + end, 0);
  const kept = new KeptColumns(series, 2.5 * rowCount * Float64Array.BYTES_PER_ELEMENT);
  const past = new PastColumns({ series, days, infos, columns: kept }, bars);
  let compared = 0;
  for (let at = 0; at < snapshot.symbols.length; at += LANES) {
    const numbers = Int32Array.from(snapshot.symbols.slice(at, at + LANES), (_, i) => at + i);
    const values = past.of(numbers);
    for (const daysBack of DAYS) {
      const asOfDay = LAST_DAY + daysBack;
      const symbols = Array.from(numbers, (number) => snapshot.symbols[number]);
      const seen = runAll(snapshot, bars, memory, { series: symbols, asOfDay });
      for (const [lane, number] of numbers.entries()) {
        const row = days.rowOf(number, asOfDay + 1) - 1;
        if (row < 0) continue;
        for (const [part, { interval }] of bars.entries()) {
          const place = [symbols[lane], daysBack, interval];
          expect([...place, ...values[lane][part].map((column) => column[row])]).toEqual([
            ...place,
            ...seen[part].map((column) => column[lane]),
          ]);
          compared++;
        }
      }
    }
  }
  expect(compared).toBeGreaterThan(100);
});
