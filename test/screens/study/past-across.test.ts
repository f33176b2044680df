/** Ranks and distances across symbols against plain loops, and comparisons of few and equal values. */

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { screenerQuery } from '../../../src/api/routes/screener/query.ts';
import { screenedDays } from '../../../src/api/study/screened-days.ts';
import { limits } from '../../../src/base/limits.ts';
import { compareAcross } from '../../../src/screens/plan/across.ts';
import { ScreenMemory } from '../../../src/screens/run/screen-memory.ts';
import type { Snapshot } from '../../../src/store/arrow/snapshot/snapshot.ts';
import { sharedFolder } from '../../support/folders.ts';
import { published, screenMarket } from '../run/market.ts';
import { finished } from '../run/support/finished.ts';

let market: Snapshot;
const folder = sharedFolder();
const memory = new ScreenMemory(1e8);

beforeAll(async () => {
  market = await published(folder, screenMarket());
});

/** Values of columns by row, with the day of each row. */
function days(where: string, columns: string) {
  const query = new URLSearchParams({ where, columns, from: '2000-01-01' });
  const { days } = screenerQuery(String(query), undefined);
  const rows = finished(screenedDays(market, memory, days!));
  return { days: rows.days, values: rows.columns.map(({ values }) => values as Float64Array) };
}

const known = (value: number) => Number.isFinite(value);

/** The definitions, by counting. */
const PLAIN: Readonly<Record<string, (value: number, all: number[]) => number>> = {
  rank(value, all) {
    const below = all.filter((one) => one < value).length;
    const equal = all.filter((one) => one === value).length;
    const rank = below + (equal + 1) / 2;
    return all.length === 1 ? Number.NaN : (rank - 1) / (all.length - 1);
  },
  demean: (value, all) => value - all.reduce((a, b) => a + b) / all.length,
  standard(value, all) {
    const mean = all.reduce((a, b) => a + b) / all.length;
    const variance = all.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (all.length - 1);
    return new Set(all).size < 2 ? Number.NaN : (value - mean) / Math.sqrt(variance);
  },
};

describe.each(Object.keys(PLAIN))('%s', (name) => {
  const xs = [
    'close',
    'rsi(5)',
    'if(close > open, 1, 0)',
    'pct_change(close, 30)',
    'weekly(rsi(2))',
  ];

  it.each(xs)('of %s is that of the symbols with a bar and a value that session', (x) => {
    const among = 'close > 30';
    const { days: dates, values } = days(
      'close > 0',
      `${x}, ${name}(${x}), ${name}(${x}, among ${among}), ${among}`,
    );
    const [value, all, some, isMember] = values;
    const rows = Map.groupBy(dates.keys(), (row) => dates[row]);
    let compared = 0;
    for (const [day, members] of rows) {
      const others = members.filter((row) => known(value[row]));
      const inside = others.filter((row) => isMember[row] === 1);
      for (const row of members) {
        const of = (group: number[]) =>
          group.includes(row)
            ? PLAIN[name](
                value[row],
                group.map((one) => value[one]),
              )
            : Number.NaN;
        for (const [got, want] of [
          [all[row], of(others)],
          [some[row], of(inside)],
        ]) {
          const isSame = Number.isNaN(want) ? Number.isNaN(got) : Math.abs(got - want) < 1e-9;
          if (!isSame) expect([day, row, got]).toEqual([day, row, want]);
          compared++;
        }
      }
    }
    expect(compared).toBeGreaterThan(5000);
  });

  it('does not depend on the order of symbols, to the bit', () => {
    const values = fc.array(fc.oneof(fc.double(), fc.constantFrom(0, -0, 1, Number.NaN)), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 20 }), (list, shift) => {
        const turned = [...list.slice(shift), ...list.slice(0, shift)];
        const [a, b] = [Float64Array.from(list), Float64Array.from(turned)];
        compareAcross(name as 'rank', a);
        compareAcross(name as 'rank', b);
        const cut = Math.min(shift, list.length);
        expect([...b]).toEqual([...a.slice(cut), ...a.slice(0, cut)]);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a comparison', () => {
  const compared = (name: 'rank' | 'demean' | 'standard', values: number[], groups?: string[]) => {
    const out = Float64Array.from(values);
    compareAcross(name, out, groups && ((place) => groups[place]));
    return [...out];
  };

  it('gives equal values their mean rank, and null none', () => {
    expect(compared('rank', [5, Number.NaN, 1, 5, 9])).toEqual([0.5, Number.NaN, 0, 0.5, 1]);
    expect(compared('rank', [2, 2, 2])).toEqual([0.5, 0.5, 0.5]);
  });

  it('of one value is null, and the distance from its own mean 0', () => {
    expect(compared('rank', [7, Number.NaN])).toEqual([Number.NaN, Number.NaN]);
    expect(compared('standard', [7])).toEqual([Number.NaN]);
    expect(compared('standard', [0.1, 0.1, 0.1])).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect(compared('demean', [7])).toEqual([0]);
  });

  it('by a text compares in its groups, and nothing without a text', () => {
    const groups = ['a', 'b', 'a', 'b', undefined] as string[];
    expect(compared('rank', [1, 9, 2, 8, 5], groups)).toEqual([0, 1, 1, 0, Number.NaN]);
    expect(compared('demean', [1, 9, 3, 7, 5], groups)).toEqual([-1, 1, 1, -1, Number.NaN]);
  });

  it('of more sessions than its memory holds is refused', () => {
    const { study } = limits as { study: { acrossBytesMax: number } };
    const before = study.acrossBytesMax;
    study.acrossBytesMax = 1000;
    try {
      expect(() => days('rank(close) > 0.5', 'rank(open)')).toThrow(
        /^from and to have too many sessions for rank, demean and standard/,
      );
    } finally {
      study.acrossBytesMax = before;
    }
  });
});
