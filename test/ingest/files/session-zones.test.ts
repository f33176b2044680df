/**
 * Minutes on the clocks of many zones, thin and whole, stamped at the start and the end. All are
 * synthetic (`made-sessions.ts`), but for the real minutes of SPY.
 */

import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import type { SourceOptions } from '../../../src/ingest/contract/source-options.ts';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { isLong, scaled } from '../../faults/scale.ts';
import { hasRealdata, realdata } from '../../support/realdata.ts';
import { long, someOf } from '../../support/store-runs.ts';
import { eachTest } from '../support/each-test.ts';
import { clockOf, type MadeBar, madeSessions } from '../support/made-sessions.ts';
import { fetchAll } from '../support/segment-rows.ts';

const at = eachTest('2026-11-20T22:00:00Z');

const ZONES = [
  'America/New_York',
  'UTC',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Etc/GMT+5',
  'Europe/London',
  'Europe/Warsaw',
  'Asia/Kolkata',
  'Asia/Tokyo',
];

/** Weeks in winter, before and after changes of clocks in New York and in Europe, and in summer. */
const WEEKS = {
  WINTER: ['2024-01-08', '2024-01-12'],
  SPRING: ['2024-03-06', '2024-03-14'],
  EUROPE: ['2024-03-26', '2024-04-03'],
  SUMMER: ['2024-07-01', '2024-07-08'],
} as const;

const HOURS = {
  REGULAR: {},
  WHOLE: { extended: [240, 1200] },
  SOME: { extended: [480, 1140], extendedShare: 0.6 },
  THIN: { extended: [420, 1140], extendedShare: 0.3 },
  SPARSE: { extended: [240, 1200], extendedShare: 0.1, regularShare: 0.7 },
} as const;

const header = 'datetime,open,high,low,close,volume';

function fileOf(bars: readonly MadeBar[], zone: string, endMs = 0): string {
  const lines = bars.map(
    ({ startMs, volume }) => `${clockOf(startMs + endMs, zone)},50,50.2,49.8,50.1,${volume}`,
  );
  return [header, ...lines, ''].join('\n');
}

/** Starts of bars in UTC by symbol, of both hours, and the reasons of refused files by symbol. */
async function load(options: SourceOptions = {}) {
  const starts = new Map<string, string[]>();
  const all = await fetchAll(fetchFiles({ path: at.folder, ...options }, at.context)).catch(
    (error: Error) => error.message,
  );
  if (typeof all === 'string') return { starts, reasons: new Map([['', all]]) };
  for (const { rows } of all) {
    for (const { symbol, date } of rows) {
      const own = starts.get(symbol) ?? [];
      starts.set(symbol, own);
      own.push(date);
    }
  }
  const skipped = all.flatMap(({ segment }) => segment.skipped);
  const reasons = new Map(skipped.map(({ name, reason }) => [name.replace('.csv', ''), reason]));
  return { starts, reasons };
}

const expectedStarts = (bars: readonly MadeBar[]) =>
  bars.map(({ startMs }) => new Date(startMs).toISOString().replace('.000', ''));

describe('synthetic minutes', () => {
  it.each(someOf([5, 1] as const, 2))(
    'of %i are never read an hour or a minute off, and right in New York and UTC',
    async (stepMinutes) => {
      const zones = scaled(ZONES.slice(0, 3), ZONES);
      const cases = zones.flatMap((zone, z) =>
        Object.entries(WEEKS).flatMap(([week, [from, to]], w) =>
          (stepMinutes === 1 || !isLong) && w % 2 === 0
            ? []
            : Object.entries(HOURS).flatMap(([hours, options], h) =>
                [0, stepMinutes * 60_000].map((endMs) => {
                  const bars = madeSessions({ from, to, ...options, stepMinutes, seed: z });
                  const symbol = `Z${'ABCDEFGHIJ'[z]}${'ABCD'[w]}${'ABCDE'[h]}${endMs ? 'E' : 'S'}`;
                  return { symbol, zone, week, hours, endMs, bars };
                }),
              ),
        ),
      );
      await at.write(
        Object.fromEntries(
          cases.map(({ symbol, bars, zone, endMs }) => [
            `${symbol}.csv`,
            fileOf(bars, zone, endMs),
          ]),
        ),
      );
      const { starts, reasons } = await load();
      const wrong: string[] = [];
      const refused: string[] = [];
      for (const { symbol, zone, week, hours, endMs, bars } of cases) {
        const found = starts.get(symbol)?.sort();
        const name = `${zone} ${week} ${hours} ${endMs ? 'end' : 'start'}`;
        if (found === undefined) refused.push(name);
        else if (found.join() !== expectedStarts(bars).join()) {
          wrong.push(`${name}: ${found.length} of ${bars.length} from ${found[0]}`);
        }
      }
      expect(wrong).toEqual([]);
      // A few sparse bars of five minutes may leave it open whether stamps are ends.
      const own = refused.filter(
        (name) => /^(America\/New_York|UTC) /.test(name) && !/SPARSE end/.test(name),
      );
      expect(own).toEqual([]);
      expect([...reasons.values()].every((reason) => /--(zone|stamps)/.test(reason))).toBe(true);
      const right = cases.length - refused.length;
      if (isLong) {
        expect([right, refused.length]).toEqual(stepMinutes === 1 ? [50, 150] : [110, 290]);
      } else expect(right).toBeGreaterThanOrEqual(36);
    },
  );

  it('are judged by each session: New York before UTC is refused', async () => {
    const first = madeSessions({ from: '2024-01-08', to: '2024-01-19' });
    const later = madeSessions({ from: '2024-01-22', to: '2024-01-23' });
    const extended = { extended: [480, 1140], extendedShare: 0.3 } as const;
    const thin = madeSessions({ from: '2024-01-08', to: '2024-01-19', ...extended });
    const thinLater = madeSessions({ from: '2024-01-22', to: '2024-01-24', ...extended });
    const both = (a: MadeBar[], b: MadeBar[], zone: string) =>
      fileOf(a, 'America/New_York') + fileOf(b, zone).slice(header.length + 1);
    await at.write({
      'UTC.csv': both(first, later, 'UTC'),
      'THIN.csv': both(thin, thinLater, 'UTC'),
      'WEST.csv': both(thin, thinLater, 'America/Chicago'),
      'RIGHT.csv': both(first, later, 'America/New_York'),
    });
    const { starts, reasons } = await load();
    expect([...starts.keys()]).toEqual(['RIGHT']);
    expect([...reasons.keys()].sort()).toEqual(['THIN', 'UTC', 'WEST']);
    expect(reasons.get('THIN')).toContain('2024-01-22');
  });

  long('are judged by each session also where --zone states their zone', async () => {
    const [from, change, to] = ['2024-01-08', '2024-01-22', '2024-01-26'];
    const mixed = (hours: object, seed: number, stepMinutes: 1 | 5 = 1) => {
      const [first, later] = [
        madeSessions({ from, to: '2024-01-19', seed, stepMinutes, ...hours }),
        madeSessions({ from: change, to: change, seed, stepMinutes, ...hours }),
      ];
      return fileOf(first, 'America/New_York') + fileOf(later, 'UTC').slice(header.length + 1);
    };
    const right = (zone: string, endMs = 0) =>
      fileOf(madeSessions({ from, to, extended: [420, 1140], extendedShare: 0.3 }), zone, endMs);
    await at.write({
      'DAY.csv': mixed({}, 1),
      'WHOLE.csv': mixed(HOURS.WHOLE, 2),
      'SPARSE.csv': mixed({ ...HOURS.SPARSE, regularShare: 0.5 }, 3),
      'FIVES.csv': mixed(HOURS.THIN, 4, 5),
      'UTC.csv': right('UTC'),
      'CT.csv': right('America/Chicago'),
      'LATE.csv': right('America/Chicago', 60_000),
    });
    expect([...(await load()).starts.keys()]).toEqual(['UTC']);
    const newYork = await load({ zone: 'America/New_York' });
    expect(newYork.reasons.get('')).toContain('--zone says America/New_York, but by bars and');
    expect(newYork.starts.size).toBe(0);
    const chicago = await load({ zone: 'America/Chicago' });
    expect([...chicago.starts.keys()].sort()).toEqual(['CT', 'LATE']);
    // Stamps at the end are found on every clock.
    expect(chicago.starts.get('LATE')).toEqual(chicago.starts.get('CT'));
  });

  long('with a false offset are refused until --zone UTC confirms them', async () => {
    const bars = madeSessions({ from: '2024-01-08', to: '2024-01-12' });
    const falsely = fileOf(bars, 'America/New_York').replace(/(\d\d:\d\d:\d\d),/g, '$1Z,');
    await at.write({ 'ABCD.csv': falsely });
    expect((await load()).reasons.get('')).toContain(
      'its stamps say their zone, but by bars and volume, 5 sessions begin 5 h too early from 2024-01-08 on: if they are right, repeat with --zone UTC',
    );
    expect((await load({ zone: 'UTC', stamps: 'start' })).starts.get('ABCD')?.sort()[0]).toBe(
      '2024-01-08T09:30:00Z',
    );
  });

  it('without volume are judged by their bars', async () => {
    const hours = { extended: [420, 1140], extendedShare: 0.3 } as const;
    const bars = madeSessions({ from: '2024-01-08', to: '2024-01-12', ...hours });
    const without = (zone: string) => fileOf(bars, zone).replace(/,[^,\n]*$/gm, '');
    await at.write({
      'EAST.csv': without('America/New_York'),
      'UTC.csv': without('UTC'),
      'WEST.csv': without('America/Chicago'),
    });
    const { starts, reasons } = await load();
    expect([...starts.keys()].sort()).toEqual(['EAST', 'UTC']);
    expect(starts.get('UTC')?.sort()).toEqual(expectedStarts(bars));
    expect([...reasons.keys()]).toEqual(['WEST']);
  });

  long('with a closing price at 16:00 and 13:00 keep it, outside of regular hours', async () => {
    const bars = madeSessions({ from: '2024-07-01', to: '2024-07-05' });
    const closes = bars.flatMap((bar, i) => {
      const isLast = bars[i + 1] === undefined || bars[i + 1].startMs - bar.startMs > 60_000;
      return isLast ? [bar, { startMs: bar.startMs + 60_000, volume: 900_000 }] : [bar];
    });
    await at.write({ 'ABCD.csv': fileOf(closes, 'America/New_York') });
    const { starts } = await load();
    expect(starts.get('ABCD')?.sort()).toEqual(expectedStarts(closes));
  });
});

describe.skipIf(!hasRealdata)('real minutes', () => {
  it('of Alpha Vantage are stamped at the end', async () => {
    const { starts } = await load({
      path: realdata('dialects/real/AAPL-av_1min.csv'),
      symbol: 'AAPL',
    });
    const own = starts.get('AAPL')!.sort();
    expect([own[0], own.at(-1)]).toEqual(['2019-02-11T14:30:00Z', '2019-02-15T20:59:00Z']);
  });

  test.each([['made/08/ABCD.csv', 'say which with --zone']])(
    '%s is refused',
    async (path, reason) => {
      const { reasons } = await load({ path: realdata(`dialects/${path}`) });
      expect([...reasons.values()].join()).toContain(reason);
    },
  );

  it('made/09 is stamped at the end', async () => {
    const { starts } = await load({ path: realdata('dialects/made/09/ABCD.csv') });
    const own = starts.get('ABCD')!.sort();
    expect([own.length, own[0], own.at(-1)]).toEqual([
      1170,
      '2024-03-04T14:30:00Z',
      '2024-03-06T20:59:00Z',
    ]);
  });

  it('of SPY are right on New York clocks, and refused on others', async () => {
    const text = readFileSync(realdata('intraday/skender_intraday_1m_SPY.csv'), 'utf8');
    const [, ...lines] = text.trim().split(/\r?\n/);
    const moved = (minutes: number) =>
      lines
        .map((line) => {
          const [stamp, ...values] = line.split(',');
          const ms = Date.parse(`${stamp.replace(' ', 'T')}:00Z`) + minutes * 60_000;
          return [new Date(ms).toISOString().slice(0, 16).replace('T', ' '), ...values].join(',');
        })
        .join('\n');
    const file = (minutes: number) => `${header}\n${moved(minutes)}\n`;
    await at.write({
      'EAST.csv': file(0),
      'UTC.csv': file(300),
      'ENDS.csv': file(1),
      'CHICAGO.csv': file(-60),
      'DENVER.csv': file(-120),
      'PACIFIC.csv': file(-180),
      'WARSAW.csv': file(360),
    });
    const { starts, reasons } = await load();
    const firsts = [...starts].map(([symbol, own]) => [symbol, own.length, own.sort()[0]]);
    expect(firsts.sort()).toEqual([
      ['EAST', lines.length, '2020-12-15T14:30:00Z'],
      ['ENDS', lines.length, '2020-12-15T14:30:00Z'],
      ['UTC', lines.length, '2020-12-15T14:30:00Z'],
    ]);
    expect([...reasons.keys()].sort()).toEqual(['CHICAGO', 'DENVER', 'PACIFIC', 'WARSAW']);
  });
});

// Only the clocks of New York and UTC were judged, so that others were a minute late.
it.each(
  someOf(
    [...['America/Chicago', 'Europe/Moscow', 'Asia/Kolkata', 'Europe/London', 'Pacific/Auckland']],
    5,
  ),
)('stamps at the end are found on the clock of %s', async (zone) => {
  const bars = madeSessions({ from: '2024-03-26', to: '2024-04-03' });
  await at.write({ 'AAA.csv': fileOf(bars, zone, 60_000) });
  const { starts, reasons } = await load({ zone });
  expect(reasons).toEqual(new Map());
  expect(starts.get('AAA')).toEqual(expectedStarts(bars));
});

// The first stamp of a session has the volume of a minute before it, or of one in it.
long('the side of stamps is found where the open is quiet, half days included', async () => {
  const days = { from: '2024-06-28', to: '2024-07-08', isQuiet: true } as const;
  const cases = [{}, { extendedShare: 0.3 }, { regularShare: 0.6 }].flatMap((shares) =>
    ([1, 5] as const).flatMap((stepMinutes) =>
      [0, stepMinutes * 60_000].map((endMs) => ({
        endMs,
        bars: madeSessions({ ...days, ...shares, stepMinutes, extended: [240, 1200] }),
      })),
    ),
  );
  const named = cases.map((one, at) => ({ ...one, symbol: `Q${'ABCDEFGHIJKL'[at]}` }));
  const fileOfCase = ({ bars, endMs }: (typeof named)[number]) =>
    fileOf(bars, 'America/New_York', endMs);
  await at.write(Object.fromEntries(named.map((one) => [`${one.symbol}.csv`, fileOfCase(one)])));
  const { starts, reasons } = await load();
  expect(reasons).toEqual(new Map());
  for (const { symbol, bars } of named) {
    const right = expectedStarts(bars).toSorted();
    expect([symbol, starts.get(symbol)?.toSorted()]).toEqual([symbol, right]);
  }
});

// One symbol of three had its hours of Chicago among minutes of New York.
describe('a symbol on another clock than the others of its file', () => {
  const made = (seed: number, hours: object) =>
    madeSessions({ from: '2024-07-01', to: '2024-07-08', seed, ...hours });
  const lines = (symbol: string, bars: readonly MadeBar[], zone: string) =>
    fileOf(bars, zone)
      .split('\n')
      .slice(1, -1)
      .map((line) => `${symbol},${line}`);
  const NEW_YORK = [
    ...lines('WXYA', made(2, {}), 'America/New_York'),
    ...lines('WXYB', made(3, HOURS.SOME), 'America/New_York'),
    ...lines('WXYC', made(4, HOURS.THIN), 'America/New_York'),
  ];
  const write = (more: string[]) =>
    at.write({ 'bars.csv': [`symbol,${header}`, ...NEW_YORK, ...more, ''].join('\n') });

  it.each(
    someOf(
      [
        ['REGULAR', 'America/Chicago'],
        ['SOME', 'America/Chicago'],
        ['WHOLE', 'UTC'],
        ['THIN', 'America/Los_Angeles'],
      ] as const,
      4,
    ),
  )('is refused with %s hours of %s, and the others load', async (hours, zone) => {
    await write(lines('WXYD', made(5, HOURS[hours]), zone));
    const { starts, reasons } = await load();
    expect([[...starts.keys()].toSorted(), [...reasons.values()].join()]).toEqual([
      ['WXYA', 'WXYB', 'WXYC'],
      expect.stringContaining('it is of another clock than New York time: by bars and volume'),
    ]);
  });

  long('is refused with a clock that is not changed in spring', async () => {
    const week = (seed: number) => madeSessions({ from: '2024-03-04', to: '2024-03-15', seed });
    const right = ['WXYE', 'WXYF'].flatMap((symbol, i) =>
      lines(symbol, week(i), 'America/New_York'),
    );
    await write([...right, ...lines('WINTER', week(3), 'Etc/GMT+5')]);
    const { starts, reasons } = await load();
    expect([...starts.keys()].toSorted()).toEqual(['WXYA', 'WXYB', 'WXYC', 'WXYE', 'WXYF']);
    expect([...reasons.values()].join()).toContain('1 h too early from 2024-03-11 on');
  });

  // Nothing in them tells mornings of UTC from afternoons of New York, which both end at 16:00.
  it('is refused with parts of days that no edge of sessions places, until --zone says so', async () => {
    const part = (seed: number, [from, to]: number[], days = {}) =>
      madeSessions({ from: '2024-07-08', to: '2024-07-12', seed, ...days }).filter(
        (_, i) => i % 390 >= from && i % 390 < to,
      );
    const parts = {
      UTCAM: lines('UTCAM', part(5, [0, 150]), 'UTC'),
      CHIPM: lines('CHIPM', part(6, [210, 390]), 'America/Chicago'),
      NOON: lines(
        'NOON',
        part(7, [90, 300]).filter((_, i) => i % 5 < 2),
        'America/Denver',
      ),
      ONEAM: lines('ONEAM', part(8, [0, 150], { to: '2024-07-08' }), 'UTC'),
    };
    const right = lines('FIRST', part(9, [120, 390], { to: '2024-07-08' }), 'America/New_York');
    await write([...Object.values(parts).flat(), ...right]);
    const { starts, reasons } = await load();
    const loaded = ['FIRST', 'WXYA', 'WXYB', 'WXYC'];
    expect([...starts.keys()].toSorted()).toEqual(loaded);
    const told = [...reasons.values()].join();
    for (const hours of ['13:30 to 16:00', '12:00 to 15:00', '09:00 to 12:30']) {
      expect(told).toContain(`New York time: its bars are from ${hours} of each of 5 days`);
    }
    expect(told).toContain('from 13:30 to 16:00 of 2024-07-08;');
    const stated = await load({ zone: 'America/New_York' });
    expect(stated.starts.size).toBe(loaded.length + 4);
  });

  long('is not found among symbols that trade in other hours', async () => {
    const seeds = { SPARSE: 6, WHOLE: 7 } as const;
    const more = (['SPARSE', 'WHOLE'] as const).flatMap((hours) =>
      lines(hours, made(seeds[hours], HOURS[hours]), 'America/New_York'),
    );
    const early = made(8, { to: '2024-07-02' }).filter((_, i) => i % 390 < 60);
    await write([...more, ...lines('EARLY', early, 'America/New_York')]);
    const { starts, reasons } = await load();
    expect([starts.size, reasons.size]).toEqual([6, 0]);
  });
});

// Mornings of New York, and of UTC in the next week, showed an open and a close together.
describe('parts of days in a file of one symbol', () => {
  const week = (from: string, to: string, seed: number) => madeSessions({ from, to, seed });
  const first = week('2024-07-08', '2024-07-12', 5);
  const next = week('2024-07-15', '2024-07-19', 6);
  const cut = (bars: readonly MadeBar[], from: number, to: number, part = 1) =>
    bars.filter((_, i) => i % 390 >= from && i % 390 < to && (i * 7) % 100 < part * 100);
  const both = (a: readonly MadeBar[], b: readonly MadeBar[], zone: string, from = NEW_YORK) =>
    fileOf(a, from) + fileOf(b, zone).slice(header.length + 1);
  const NEW_YORK = 'America/New_York';

  it('are refused by each week and day that no session places on its clock', async () => {
    const mornings = cut(first, 0, 150);
    const files = {
      MORNINGS: both(mornings, cut(next, 0, 150), 'UTC'),
      WEEK: both(first, cut(next, 0, 150), 'UTC'),
      BEFORE: both(cut(next, 0, 150), first, NEW_YORK, 'UTC'),
      CLOSES: both(first, cut(next, 210, 390), 'America/Chicago'),
      LATER: both(mornings, cut(next, 60, 210), 'America/Chicago'),
      LONG: both(first, cut(next, 0, 360), 'UTC'),
      TO: both(
        mornings.map((bar) => bar),
        cut(next, 0, 150),
        NEW_YORK,
        'UTC',
      ),
      ONE: both(first, cut(next, 0, 150).slice(0, 150), 'UTC'),
      RIGHT: both(first, cut(next, 0, 150), NEW_YORK),
    };
    await at.write(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [`${name}.csv`, text])),
    );
    const { starts, reasons } = await load();
    expect([...starts.keys()]).toEqual(['RIGHT']);
    expect(starts.get('RIGHT')).toEqual(expectedStarts([...first, ...cut(next, 0, 150)]));
    expect(reasons.get('MORNINGS')).toContain(
      'nothing says that it is of New York time: its bars are from 13:30 to 16:00 of each of 5 days from 2024-07-15 on',
    );
    expect(reasons.get('ONE')).toContain('of 2024-07-15; say the zone of all rows with --zone');
    expect([...reasons.values()].every((reason) => reason.includes('--zone'))).toBe(true);
  });

  it('are told where too few bars show a clock, and refused where they are in sessions of another', async () => {
    const lines = (symbol: string, bars: readonly MadeBar[], zone = NEW_YORK) =>
      fileOf(bars, zone)
        .split('\n')
        .slice(1, -1)
        .map((line) => `${symbol},${line}`);
    const thin = (bars: readonly MadeBar[], part: number) =>
      bars.filter((_, i) => (i * 37) % 390 < part * 390);
    const days = { from: '2024-07-08', to: '2024-07-12', regularShare: 0.03 };
    const spread = madeSessions({ ...days, seed: 9 });
    const rows = [
      ...lines('WXYA', first),
      ...lines('WXYB', next),
      ...lines('THINAM', thin(cut(first, 0, 150), 0.06), 'UTC'),
      ...lines('THINUTC', thin(first, 0.03), 'UTC'),
      ...lines('THINCT', spread, 'America/Chicago'),
      ...lines('THINNY', thin(first, 0.03)),
    ];
    // Forty minutes of one day, alone and beside whole sessions, were read without a word.
    const parts = [
      ...lines('WXYC', first),
      ...lines('WXYD', next),
      ...lines('PART', cut(next, 60, 100).slice(0, 40), 'UTC'),
      ...lines('LASTDAY', [...first, ...cut(next, 60, 100).slice(0, 40)]),
      ...lines('MORNING', [...first, ...cut(next, 0, 40).slice(0, 40)]),
    ];
    const text = (own: readonly string[]) => [`symbol,${header}`, ...own, ''].join('\n');
    await at.write({ 'bars.csv': text(rows), 'parts.csv': text(parts) });
    const fetched = await fetchAll(fetchFiles({ path: at.folder }, at.context));
    const [{ segment }] = fetched;
    const told = segment.skipped.map(({ name, reason }) => `${name}: ${reason}`).join();
    expect(told).toContain('THINUTC of bars.csv: it is of another clock than New York time');
    const notes = fetched.flatMap((one) => one.segment.notes ?? []).join();
    expect(notes).toContain('THINAM: bars from 13:30 to 16:00 on 5 days of the week of 2024-07-08');
    expect(notes).toContain('THINCT: by bars and volume, 5 sessions begin 1 h too early');
    expect(notes).toContain('PART: bars from 14:30 to 15:30 of 2024-07-15');
    expect(notes).toContain('LASTDAY: bars from 10:30 to 11:30 of 2024-07-15');
    expect(notes).not.toMatch(/THINNY|WXY|MORNING/);
  });
});
