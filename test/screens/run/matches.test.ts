/** Conditions that are computed for few rows match the rows of those that are computed for all. */

import { beforeAll, expect, it } from 'vitest';
import { compileScreen } from '../../../src/screens/plan/compile.ts';
import { matchedRows, matchesOf } from '../../../src/screens/run/matches.ts';
import { ScreenMemory } from '../../../src/screens/run/screen-memory.ts';
import type { Snapshot } from '../../../src/store/arrow/snapshot/snapshot.ts';
import { LAST_DAY } from '../../api/support/market-fixture.ts';
import { sharedFolder } from '../../support/folders.ts';
import { published, screenMarket, universeOf } from './market.ts';
import { finished } from './support/finished.ts';

const folder = sharedFolder();
let snapshot: Snapshot;

beforeAll(async () => {
  snapshot = await published(folder, screenMarket());
});

const screens = [
  'rsi(14) < 50 and close > sma(20)',
  'sma(5) > sma(30) and ema(9) > ema(17) and weekly(rsi(7)) > 40',
  'monthly(close) > 0 and highest(high, 30) > close and not (close > sma(10))',
  'close > 1e9 and supertrend(10, 3) > 0',
  'macd(12, 26, 9).histogram > 0 for 2 and volume > avg(volume, 5)[1]',
];
const columns = 'sma(40), ema(11), weekly(sma(5)), close > sma(3)';

it.each(screens)('%s', (where) => {
  const plan = compileScreen({ where, columns, sort: 'change(close, 5)' });
  const memory = new ScreenMemory(1e8);
  for (const asOfDay of [undefined, LAST_DAY - 30, LAST_DAY - 200]) {
    const universe = universeOf(snapshot, [...snapshot.symbols, 'NONE'], asOfDay);
    const { matches, values } = finished(
      matchedRows(snapshot, plan, universe, new ScreenMemory(1e8), true),
    );
    // Symbols that were left out are computed once they were so often enough.
    for (let run = 0; run < 8; run++) {
      const few = finished(matchedRows(snapshot, plan, universe, memory, false));
      expect(few.matches).toEqual(matches);
      for (const [place, group] of values.bars.entries()) {
        for (const [column, all] of group.entries()) {
          const shown = few.values.bars[place][column];
          const of = (computed: Float64Array) => computed.filter((_, row) => matches![row] === 1);
          if (shown) expect(of(shown)).toEqual(of(all));
        }
      }
      memory.dropValues();
    }
  }
});

it('computes weeks as of a past day, which are not stored, for the rows that are left', () => {
  const plan = compileScreen({ where: 'weekly(rsi(14)) > 0 and close > 1e9' });
  const universe = universeOf(snapshot, snapshot.symbols, LAST_DAY - 30);
  const { values } = finished(matchedRows(snapshot, plan, universe, new ScreenMemory(1e8), false));
  const weeks = plan.bars.findIndex(({ interval }) => interval === '1w');
  expect(values.bars[weeks][0].every(Number.isNaN)).toBe(true);
});

it('marks every row of a screen without conditions', () => {
  const plan = compileScreen({ columns: 'close' });
  const universe = universeOf(snapshot, snapshot.symbols);
  const marks = finished(matchesOf(snapshot, plan, universe, new ScreenMemory(0)));
  expect(marks.every((mark) => mark === 1)).toBe(true);
});
