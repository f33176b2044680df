/** Code that sums returns two rows at a time gives the bits of sums row by row. */

import { expect, it } from 'vitest';
import { ReturnSums } from '../../../src/screens/study/return-sums.ts';
import {
  type SignalBars,
  signalReturn,
  splitsOf,
} from '../../../src/screens/study/signal-returns.ts';
import { hasBit } from '../../../src/screens/study/signal-rows.ts';
import { Sums } from '../../../src/screens/study/sums.ts';
import { seededRandom } from '../../compute/support/hostile-series.ts';

const SESSIONS = 90;
const HORIZONS = [1, 5, 40];

const steps = (fromRow: number, numerator: number) => ({
  fromRow,
  ratio: { numerator, denominator: 1 },
  factor: 1,
});

it.each(['next_open', 'next_close'] as const)('sums returns after %s', (entry) => {
  const random = seededRandom(7);
  const all = new ReturnSums(
    { sessions: SESSIONS, rows: SESSIONS, universes: 2 },
    { entry, horizons: HORIZONS },
  );
  const expected = [0, 1].map(() =>
    HORIZONS.map(() => ({ sums: new Sums(SESSIONS), counts: new Float64Array(SESSIONS) })),
  );
  for (let symbol = 0; symbol < 60; symbol++) {
    const days = Array.from({ length: SESSIONS }, (_, i) => i).filter(
      (i) => i >= symbol && (symbol % 3 > 0 || random() > 0.1),
    );
    const sessions = Int32Array.from(symbol % 2 > 0 ? days : days.slice(0, -10));
    if (sessions.length === 0) continue;
    const end = sessions.length;
    for (let row = 0; row < end; row++) {
      const isHole = random() < 0.02;
      all.open[row] = isHole ? Number.NaN : 1 + 100 * random();
      all.close[row] = 1 + 100 * random();
    }
    const bars: SignalBars = {
      open: all.open.subarray(0, end),
      close: all.close.subarray(0, end),
      isEnded: symbol % 2 === 0,
      splits:
        symbol % 5 === 0 ? splitsOf([steps(0, 6), steps(9, 3), steps(11, 1)], end) : undefined,
    };
    const isMember = Uint32Array.from({ length: 3 }, () => 2 ** 32 * random());
    const rows = { start: Math.min(3, end), end: Math.max(0, end - 2) };
    all.add(0, bars, sessions, { start: 0, end }, undefined);
    all.add(1, bars, sessions, rows, isMember);
    for (let row = 0; row < end; row++) {
      const isIn = row >= rows.start && row < rows.end && hasBit(isMember, row);
      for (const [place, horizon] of HORIZONS.entries()) {
        const value = signalReturn(bars, entry, horizon, row);
        if (Number.isNaN(value)) continue;
        for (const universe of isIn ? [0, 1] : [0]) {
          const { sums, counts } = expected[universe][place];
          sums.add(sessions[row], value);
          counts[sessions[row]]++;
        }
      }
    }
  }
  for (const universe of [0, 1]) {
    for (const [place, { means }] of all.returnsOf(universe).entries()) {
      const { sums, counts } = expected[universe][place];
      expect(means).toEqual(counts.map((count, session) => sums.of(session) / count));
      expect(means.some(Number.isFinite)).toBe(true);
    }
  }
});
