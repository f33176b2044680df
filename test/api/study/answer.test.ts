/** Studies against plain code over the same bars. */

import { beforeAll, describe, expect, it } from 'vitest';
import { studyQuery } from '../../../src/api/routes/study/query.ts';
import { answeredStudy, type StudyAnswer } from '../../../src/api/study/answer.ts';
import { studyRows } from '../../../src/api/study/respond.ts';
import { dateFromDay } from '../../../src/base/time/dates.ts';
import { adjustBars, defaultBasis } from '../../../src/compute/bars/adjust.ts';
import { ScreenMemory } from '../../../src/screens/run/screen-memory.ts';
import type { Snapshot } from '../../../src/store/arrow/snapshot/snapshot.ts';
import { published, screenMarket } from '../../screens/run/market.ts';
import { finished } from '../../screens/run/support/finished.ts';
import { freshFolder, sharedFolder } from '../../support/folders.ts';
import { long } from '../../support/store-runs.ts';
import { type FixtureSymbol, infoOf, weekdayBars } from '../support/market-fixture.ts';
import { differing, isNear } from './support/differing.ts';

const MICROS_PER_DAY = 86_400_000_000n;

/** The market of screens, and two symbols that ended: long ago, and within the last sessions. */
function market(): FixtureSymbol[] {
  const ended = (symbol: string, bars: number, back: number): FixtureSymbol => {
    const { timestampUs, ...columns } = weekdayBars(bars + back, bars);
    const rows = Object.entries(columns).map(([name, values]) => [name, values.slice(0, bars)]);
    return {
      ...{ symbol, basis: 'raw', splits: [], dividends: [], isCovered: true },
      bars: { ...Object.fromEntries(rows), timestampUs: timestampUs.slice(0, bars) },
    };
  };
  return [...screenMarket(), ended('OLD', 120, 40), ended('LATE', 90, 3)];
}

let snapshot: Snapshot;
const folder = sharedFolder();

beforeAll(async () => {
  snapshot = await published(folder, market());
});

function study(query: string, of = snapshot): StudyAnswer {
  return finished(answeredStudy(of, new ScreenMemory(1e8), studyQuery(query, undefined)));
}

interface PlainEvent {
  symbol: string;
  date: string;
  /** By horizon, the return or null, and what the universe made. */
  returns: (number | null)[];
  universe: number[];
  early: boolean[];
  entered: boolean;
}

/** Finds the events of `close < open` in plain loops. */
function plainEvents(horizons: readonly number[], mode: string, entry: string): PlainEvent[] {
  const series = market().map((one) => {
    const info = infoOf(one);
    const bars = adjustBars(one.bars, info, defaultBasis(info));
    const days = [...one.bars.timestampUs].map((us) => Number(us / MICROS_PER_DAY));
    const rowOf = new Map(days.map((day, row) => [day, row]));
    return { symbol: one.symbol, days, rowOf, raw: one.bars, ...bars };
  });
  const sessions = [...new Set(series.flatMap(({ days }) => days))].sort((a, b) => a - b);
  const isEnded = (days: number[]) => (days.at(-1) as number) < (sessions.at(-6) as number);
  type Series = (typeof series)[number];
  const outcome = ({ open, close, days }: Series, row: number, horizon: number) => {
    if (row + 1 >= days.length) return { value: null, early: false };
    const price = entry === 'next_open' ? open[row + 1] : close[row + 1];
    const exit = row + horizon + (entry === 'next_open' ? 0 : 1);
    if (exit < days.length) return { value: close[exit] / price - 1, early: false };
    if (!isEnded(days)) return { value: null, early: false };
    return { value: close[days.length - 1] / price - 1, early: true };
  };
  const holds = ({ open, close }: Series, row: number) => row >= 0 && close[row] < open[row];
  const means = new Map<number, number[]>();
  const meansOn = (day: number) => {
    const made = horizons.map((horizon) => {
      const all = series.flatMap((other) => {
        const at = other.rowOf.get(day);
        return at === undefined ? [] : (outcome(other, at, horizon).value ?? []);
      });
      return all.reduce((sum, value) => sum + value, 0) / all.length;
    });
    means.set(day, made);
    return made;
  };
  const events: PlainEvent[] = [];
  for (const one of series) {
    for (const [row, day] of one.days.entries()) {
      if (!holds(one, row) || (mode === 'begins' && holds(one, row - 1))) continue;
      const outcomes = horizons.map((horizon) => outcome(one, row, horizon));
      const universe = means.get(day) ?? meansOn(day);
      events.push({
        symbol: one.symbol,
        date: dateFromDay(day),
        returns: outcomes.map(({ value }) => value),
        early: outcomes.map(({ early }) => early),
        universe,
        entered: row + 1 < one.days.length,
      });
    }
  }
  return events.sort((a, b) => (`${a.date}${a.symbol}` < `${b.date}${b.symbol}` ? -1 : 1));
}

const near = (value: number | null) => (value === null ? null : expect.closeTo(value, 12));

describe.each([
  ['begins', 'next_open'],
  ['matches', 'next_close'],
])('mode %s, entry %s', (mode, entry) => {
  const horizons = [1, 7, 60];
  const query = `where=close < open&mode=${mode}&entry=${entry}&horizons=1,7,60`;
  let plain: PlainEvent[];
  beforeAll(() => {
    plain = plainEvents(horizons, mode, entry);
  });

  it('finds the events and returns of plain loops', () => {
    const rows = studyRows(study(`${query}&rows=events`).table);
    expect(rows.length).toBeGreaterThan(500);
    expect(rows.map(({ symbol, date }) => `${date} ${symbol}`)).toEqual(
      plain.map(({ symbol, date }) => `${date} ${symbol}`),
    );
    const found = rows.map((row) =>
      horizons.map((horizon) => [row[`return_${horizon}`], row[`early_${horizon}`]]),
    );
    const expected = plain.map(({ returns, early }) =>
      returns.map((value, k) => [value, value === null ? null : early[k]]),
    );
    expect(differing(found, expected, isNear(12))).toEqual([]);
    const universes = rows.map((row) => horizons.map((horizon) => row[`universe_${horizon}`]));
    const means = plain.map(({ universe }) =>
      universe.map((value) => (Number.isNaN(value) ? null : value)),
    );
    expect(differing(universes, means, isNear(12))).toEqual([]);
    expect(plain.some(({ early }) => early[2])).toBe(true);
  });

  it('summarizes them', () => {
    const rows = studyRows(study(query).table);
    for (const [k, horizon] of horizons.entries()) {
      const known = plain.filter(({ returns }) => returns[k] !== null);
      const values = known.map(({ returns }) => returns[k] as number).sort((a, b) => a - b);
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const excess = known.map(({ returns, universe }) => (returns[k] as number) - universe[k]);
      const place = (values.length - 1) * 0.25;
      const below = Math.floor(place);
      expect(rows[k]).toMatchObject({
        horizon,
        events: plain.length,
        entered: plain.filter(({ entered }) => entered).length,
        returns: values.length,
        early: known.filter(({ early }) => early[k]).length,
        open: plain.filter(({ entered, returns }) => entered && returns[k] === null).length,
        days: new Set(plain.map(({ date }) => date)).size,
        symbols: new Set(plain.map(({ symbol }) => symbol)).size,
        mean: near(mean),
        hit: near(values.filter((value) => value > 0).length / values.length),
        p25: near(values[below] + (values[below + 1] - values[below]) * (place - below)),
        sd: near(
          Math.sqrt(
            values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1),
          ),
        ),
        excessMean: near(excess.reduce((sum, value) => sum + value, 0) / excess.length),
        tClustered: near(plainT(known, excess, horizon)),
      });
    }
  });
});

/** The clustered t value, with every market session in an array. */
function plainT(events: readonly PlainEvent[], excess: number[], horizon: number): number {
  const dates = [...new Set(market().flatMap(({ bars }) => [...bars.timestampUs]))]
    .sort((a, b) => Number(a - b))
    .map((us) => dateFromDay(Number(us / MICROS_PER_DAY)));
  const mean = excess.reduce((sum, value) => sum + value, 0) / excess.length;
  const sums = dates.map((date) =>
    events.reduce((sum, event, i) => (event.date === date ? sum + excess[i] - mean : sum), 0),
  );
  let variance = 0;
  for (let lag = 0; lag < horizon; lag++) {
    const product = sums.reduce((sum, value, t) => sum + value * (sums[t - lag] ?? 0), 0);
    variance += (lag === 0 ? 1 : 2) * (1 - lag / horizon) * product;
  }
  return mean / (Math.sqrt(variance) / excess.length);
}

describe('a flagged price', () => {
  /** Flat bars with a stray open, and from row 60 on a price of a hundredth. */
  function flagged(): FixtureSymbol {
    const bars = weekdayBars(100, 9);
    for (const name of ['open', 'high', 'low', 'close'] as const) {
      bars[name] = bars[name].map((_, row) => (row < 60 ? 100 : 1));
    }
    bars.open[30] = 10;
    bars.low[30] = 10;
    return { symbol: 'FLAG', basis: 'raw', bars, splits: [], dividends: [], isCovered: true };
  }

  it('is counted with each return whose bars have it', async () => {
    const of = await published(freshFolder(), [flagged()]);
    const { table, warnings } = study('where=close > 0&mode=matches&horizons=1,5', of);
    expect(studyRows(table).map((row) => row.flagged)).toEqual([2, 10]);
    expect(warnings).toContain(
      '12 returns touch flagged prices, which tapeworks gaps --flags lists.',
    );
  });
});

describe('parameters', () => {
  it('$ run a study for each value, the last one fastest', () => {
    const where = encodeURIComponent('rsi($n) < $m');
    const { table, definition } = study(`where=${where}&$n=2..6:2&$m=30,40&horizons=5`);
    const rows = studyRows(table);
    expect(definition.tried).toBe(6);
    expect(rows.map(({ $n, $m }) => [$n, $m])).toEqual(
      [2, 4, 6].flatMap((n) => [30, 40].map((m) => [n, m])),
    );
    const [, one] = rows;
    const alone = studyRows(study(`where=${encodeURIComponent('rsi(2) < 40')}&horizons=5`).table);
    expect(one).toEqual({ $n: 2, $m: 40, ...alone[0] });
  });

  it('$ of a universe belong to their values', () => {
    const where = 'close < open';
    const universe = (value: string) => encodeURIComponent(`close > ${value}`);
    const swept = studyRows(
      study(`where=${where}&universe=${universe('$c')}&$c=50,90,50.5&horizons=5`).table,
    );
    const alone = ['50', '90', '50.5'].flatMap((value) =>
      studyRows(study(`where=${where}&universe=${universe(value)}&horizons=5`).table),
    );
    expect(swept).toEqual(alone.map((row, i) => ({ $c: [50, 90, 50.5][i], ...row })));
    const both = studyRows(
      study(`where=close > $n * open&universe=${universe('50')}&$n=1,1.01&horizons=5`).table,
    );
    const second = study(`where=close > 1.01 * open&universe=${universe('50')}&horizons=5`);
    expect(both[1]).toEqual({ $n: 1.01, ...studyRows(second.table)[0] });
  });

  it('universe takes part in events and in what they are compared with', () => {
    const rows = (universe: string) =>
      studyRows(study(`where=close < open&rows=events&horizons=1${universe}`).table);
    const some = rows(`&universe=${encodeURIComponent("symbol in ('S03', 'S04', 'S05')")}`);
    const all = rows('').filter(({ symbol }) => ['S03', 'S04', 'S05'].includes(String(symbol)));
    expect(some.map(({ universe_1, ...row }) => row)).toEqual(
      all.map(({ universe_1, ...row }) => row),
    );
    expect(some.map((row) => row.universe_1)).not.toEqual(all.map((row) => row.universe_1));
  });

  it('has the same t where a symbol trades on Saturdays', async () => {
    const { timestampUs, ...columns } = weekdayBars(400, 9);
    const first =
      timestampUs[0] +
      BigInt(6 - new Date(Number(timestampUs[0] / 1000n)).getUTCDay()) * MICROS_PER_DAY;
    const saturdays = timestampUs
      .slice(0, 40)
      .map((_, week) => first + BigInt(week) * 7n * MICROS_PER_DAY);
    const bars = Object.entries(columns).map(([name, values]) => [name, values.slice(0, 40)]);
    const of = await published(freshFolder(), [
      ...market(),
      {
        ...{ symbol: 'SAT', basis: 'raw', splits: [], dividends: [], isCovered: true },
        bars: { ...Object.fromEntries(bars), timestampUs: saturdays },
      },
    ]);
    const answer = (from: Snapshot) =>
      study("where=close < open and symbol != 'SAT'&horizons=1,5,20", from);
    expect(answer(of).definition.sessions).toBe(answer(snapshot).definition.sessions);
    const rows = (from: Snapshot) => studyRows(answer(from).table);
    // Sessions of that symbol alone stood between those of the market, and moved the lags.
    expect(rows(of)).toEqual(rows(snapshot));
  });

  it.each([
    ['where=target_price > 1', 'where: target_price has no values of past days'],
    ["where=sector = 'energy'", 'where: sector is known as of today alone'],
    ['where=close > 1&by=sector', 'by: sector is known as of today alone'],
    ['where=close > 1&by=color', 'by must be one of year, month, none, exchange, symbol'],
    ['where=close > 1&by=analyst_consensus', 'by must be one of year'],
    ['where=close > 1&by=target_price', 'by: target_price has no values of past days'],
    ['where=rsi($n) < 30', 'where: $n at position 5 has no values: add $n=2..20:2'],
    ['where=close > 1&$n=1..3', '$n must stand in a text of the study'],
    [
      'where=rsi($n) < 30&$n=5..',
      '$n must be a range like 2..20:2 or a list like 5,10,20, got "5.."',
    ],
    ['where=rsi($n) < 30&$n=2..2000', '$n must have at most 1000 values'],
    ['where=rsi($n) < 30&$n=2,3&rows=days', 'rows=days needs one study'],
    ['where=close > 1&horizons=0', 'horizons must be 1 to 8 different numbers'],
    ['where=close > 1&horizons=5,5', 'horizons must be 1 to 8 different numbers'],
    ['where=close > 1&entry=close', 'entry must be one of next_open, next_close'],
    ['where=close > 1&from=2025-02-01&to=2025-01-01', 'from must not be after to'],
    ['where=close[-1] > 1', 'where: '],
    ['where=close > 1&universe=clos > 1', 'universe: '],
    ["where=close > symbol('NOPE').close", "where: symbol('NOPE') has no bars at position 16"],
    [
      "where=close > 1&universe=close > symbol('NOPE').close",
      "universe: symbol('NOPE') has no bars at position 16",
    ],
    ["factor=close - symbol('NOPE').close", "factor: symbol('NOPE') has no bars at position 16"],
    ['where=close > 1&format=csv', 'format must be json for rows=summary'],
    ['universe=close > 1', 'where must be an expression, or factor a number: both are missing'],
    ['where=close > 1&factor=close', 'factor must not be given with where'],
    ['where=close > 1&rows=deciles', 'rows=deciles needs factor, got rows=deciles'],
    ['factor=close&rows=events', 'factor has rows=summary or rows=deciles, got rows=events'],
    ['factor=clos', 'factor: '],
    ['factor=target_price', 'factor: target_price has no values of past days'],
  ])('%s are refused', (query, message) => {
    const text = query
      .split('&')
      .map((part) => part.replace(/=(.*)/s, (_, value) => `=${encodeURIComponent(value)}`))
      .join('&');
    expect(() => study(text)).toThrow(message);
  });
});

it('groups events by fifths of a number among all symbols of the day', () => {
  const where = 'where=close < open&mode=matches&horizons=5';
  const grouped = studyRows(study(`${where}&rows=groups&by=listed_days`).table);
  const events = (text: string) =>
    studyRows(study(`${where.replace('open', `open and ${encodeURIComponent(text)}`)}`).table)[0];
  const fifth = (from: number) =>
    `rank(listed_days) >= ${from / 5} and rank(listed_days) ${from === 4 ? '<= 1' : `< ${(from + 1) / 5}`}`;
  const found = grouped.map(({ group, ...row }) => [group, row]);
  const expected = [0, 1, 2, 3, 4].map(
    (from) => [`${from + 1} of 5`, events(fifth(from))] as const,
  );
  expect(found).toEqual(expected.filter(([, row]) => row.events !== 0));
  expect(found.length).toBeGreaterThan(3);
});

it('says that no event has a value of the field of its groups', () => {
  const where = 'where=close < open&horizons=5&rows=groups';
  expect(study(`${where}&by=sector&current_fields=true`).warnings.join()).toContain(
    'No event has a value of sector',
  );
  expect(study(`${where}&by=none`).warnings.join()).not.toContain('No event');
});

it('says that the days of a study have no session', () => {
  const { table, warnings } = study('where=close < open&from=2035-01-01');
  expect([table[1].values[0], warnings]).toEqual([
    0,
    ['The data has no session on the days of the study.'],
  ]);
});

describe('a factor', () => {
  const SYMBOLS = 125;

  /** Raw series without splits; every ninth begins late, so that months differ in their symbols. */
  const many = Array.from(
    { length: SYMBOLS },
    (_, i): FixtureSymbol => ({
      symbol: `T${String(i).padStart(3, '0')}`,
      basis: 'raw',
      bars: weekdayBars(i % 9 === 0 ? 60 + i : 200, 500 + i),
      ...{ splits: [], dividends: [], isCovered: true },
    }),
  );

  it('divides the symbols into tenths at the ends of months, as plain code does', async () => {
    const of = await published(freshFolder(), many);
    const query = `factor=${encodeURIComponent('close - open')}&horizons=3,10&rows=deciles`;
    const rows = studyRows(study(query, of).table);
    const days = [...many[1].bars.timestampUs].map((us) => Number(us / MICROS_PER_DAY));
    const dates = days.map(dateFromDay);
    const ends = dates.flatMap((date, at) =>
      at + 1 < dates.length && dates[at + 1].slice(0, 7) !== date.slice(0, 7) ? [at] : [],
    );
    const expected: object[] = [];
    let before: Map<string, number> | undefined;
    for (const end of ends) {
      const members = many
        .flatMap(({ symbol, bars }) => {
          const row = bars.close.length - (days.length - end);
          return row < 0 ? [] : [{ symbol, row, bars, factor: bars.close[row] - bars.open[row] }];
        })
        .sort((a, b) => a.factor - b.factor || (a.symbol < b.symbol ? -1 : 1));
      if (members.length < 100) {
        before = undefined;
        continue;
      }
      const tenths = members.map((_, place) => Math.floor((place * 10) / members.length) + 1);
      for (const horizon of [3, 10]) {
        const returns = members.map(({ row, bars }) =>
          row + horizon < bars.close.length
            ? bars.close[row + horizon] / bars.open[row + 1] - 1
            : NaN,
        );
        for (let decile = 1; decile <= 10; decile++) {
          const own = members.flatMap((_, i) => (tenths[i] === decile ? [i] : []));
          const values = own.map((i) => returns[i]).filter((value) => !Number.isNaN(value));
          const moved = own.filter((i) => before?.get(members[i].symbol) !== decile).length;
          expected.push({
            ...{ date: dates[end], horizon, decile, symbols: own.length },
            mean: values.length === 0 ? null : near(values.reduce((a, b) => a + b) / values.length),
            turnover: before ? near(moved / own.length) : null,
          });
        }
      }
      before = new Map(members.map(({ symbol }, i) => [symbol, tenths[i]]));
    }
    expect(expected.length).toBeGreaterThan(100);
    expect(rows.map(({ median, ic, ...row }) => row)).toEqual(expected);
    expect(rows[0].ic).toBeCloseTo(rows[9].ic as number, 12);
  });

  it('sums the months of a tenth up', async () => {
    const of = await published(freshFolder(), many);
    const query = `factor=${encodeURIComponent('close - open')}&horizons=3,10`;
    const months = studyRows(study(`${query}&rows=deciles`, of).table);
    const rows = studyRows(study(query, of).table);
    expect(rows.map(({ horizon, decile }) => [horizon, decile])).toEqual(
      [3, 10].flatMap((horizon) => Array.from({ length: 10 }, (_, i) => [horizon, i + 1])),
    );
    const meanOf = (values: readonly unknown[]) => {
      const known = values.filter((value) => typeof value === 'number');
      return known.reduce((sum, value) => sum + value, 0) / known.length;
    };
    for (const row of rows) {
      const ofHorizon = months.filter(({ horizon }) => horizon === row.horizon);
      const own = ofHorizon.filter(({ decile }) => decile === row.decile);
      const [first, last] = [1, 10].map((tenth) =>
        ofHorizon.filter(({ decile }) => decile === tenth).map(({ mean }) => mean as number),
      );
      // The exits of the last months are still to come.
      const hasReturn = (month: number) => own[month].mean !== null;
      const spreads = first.map((mean, month) => last[month] - mean).filter((_, i) => hasReturn(i));
      const ics = own.map(({ ic }) => ic as number).filter((_, i) => hasReturn(i));
      expect(row.months).toBe(ics.length);
      for (const name of ['mean', 'median', 'turnover', 'ic'] as const) {
        expect(row[name]).toBeCloseTo(meanOf(own.map((one) => one[name])), 12);
      }
      expect(row.spread).toBeCloseTo(meanOf(spreads), 12);
      // Months are farther apart than these horizons, so no returns overlap.
      for (const [name, values] of [
        ['tIc', ics],
        ['tSpread', spreads],
      ] as const) {
        const mean = meanOf(values);
        const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
        expect(row[name]).toBeCloseTo((mean * values.length) / Math.sqrt(squares), 9);
      }
    }
  });

  it('has the tenths of each combination of a sweep', async () => {
    const of = await published(freshFolder(), many);
    const factor = (text: string, more = '') =>
      study(`factor=${encodeURIComponent(text)}&horizons=3${more}`, of);
    // Only the first value was studied, and `tried` said three.
    const sweep = '&universe=volume > 0&$n=1,5,9';
    const { table, definition, warnings } = factor('close - close[$n]', sweep);
    const alone = ['1', '5', '9'].flatMap((n) =>
      studyRows(factor(`close - close[${n}]`).table).map((row) => ({ $n: Number(n), ...row })),
    );
    expect(alone).toHaveLength(30);
    expect(studyRows(table)).toEqual(alone);
    expect([definition.tried, warnings]).toEqual([
      3,
      [expect.stringMatching(/^3 combinations were tried.* of 6 t values, one above 2\.64 /)],
    ]);
    expect(() => factor('close - close[$n]', `${sweep}&rows=deciles`)).toThrow('one study');
  });

  long('orders equal values by the tickers of the day, which no later rename changes', async () => {
    const [one, first, ...rest] = many;
    const others = [one, ...rest];
    const factor = 'factor=listed_days&horizons=3&rows=deciles';
    const then = await published(freshFolder(), [...others, { ...first, symbol: 'ZED' }]);
    const now = await published(freshFolder(), many);
    const { listings } = now;
    const formerTickers = listings.symbol.map((symbol) =>
      symbol === first.symbol ? 'ZED 2030-01-01' : '',
    );
    const renamed = new Proxy(now, {
      get(target, name) {
        const value = Reflect.get(target, name, target);
        if (name === 'listings') return { ...listings, formerTickers };
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const rows = studyRows(study(factor, then).table);
    expect(rows.length).toBeGreaterThan(0);
    expect(studyRows(study(factor, renamed).table)).toEqual(rows);
    expect(studyRows(study(factor, now).table)).not.toEqual(rows);
  });

  it('says whether the condition is true on no day, or only begins on none', () => {
    const warningsOf = (query: string) => study(query).warnings;
    expect(warningsOf('where=close > 1000000')).toEqual([
      expect.stringContaining('begins on no day'),
    ]);
    expect(warningsOf('where=close > 1000000&mode=matches')).toEqual([
      expect.stringContaining('true on no day'),
    ]);
  });

  it('has no tenths of fewer than 100 symbols, and names a factor that is null for all', () => {
    const { table, warnings } = study('factor=close');
    expect(table[0].values.length).toBe(0);
    expect(warnings).toEqual([expect.stringContaining('No month has 100 symbols')]);
    for (const query of ['factor=close / market_cap', 'factor=close&universe=market_cap > 1']) {
      expect(study(query).warnings[1]).toBe(
        'There are none because no symbol has a value of market_cap.',
      );
    }
  });
});
