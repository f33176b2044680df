/** Files with bars at all hours: their zone and side follow from the profile of their volume. */

import { expect, it } from 'vitest';
import {
  newYorkClockMs,
  newYorkMidnightMs,
  newYorkMomentMs,
} from '../../../src/base/time/calendar.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { hoursOfTradingDay, tradingSpans } from '../../../src/base/time/trading-sessions.ts';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { seededRandom } from '../../faults/scale.ts';
import { someOf } from '../../support/store-runs.ts';
import { eachTest } from '../support/each-test.ts';
import { fetchAll } from '../support/segment-rows.ts';

const at = eachTest();

/** Minutes between bars, and their volume, by session. */
const PROFILE = {
  overnight: [9, 200],
  pre: [3, 900],
  regular: [1, 20_000],
  post: [3, 800],
} as const;

interface Minute {
  ms: number;
  volume: number;
}

function minutesBetween(from: string, to: string, isEveryMinute: boolean): Minute[] {
  const minutes: Minute[] = [];
  for (let day = dayFromDate(from); day <= dayFromDate(to); day++) {
    for (const { session, startMs, endMs } of hoursOfTradingDay(day)) {
      if (session === undefined) continue;
      const [usual, volume] = PROFILE[session];
      const step = isEveryMinute ? 1 : usual;
      for (let ms = startMs; ms < endMs; ms += step * 60_000) {
        minutes.push({ ms, volume: volume + ((ms / 60_000) % 97) });
      }
    }
  }
  return minutes;
}

type Clock = (ms: number) => number;

const CLOCKS: Readonly<Record<string, Clock>> = {
  'New York': newYorkClockMs,
  UTC: (ms) => ms,
  'New York, at the end': (ms) => newYorkClockMs(ms + 60_000),
  'UTC, at the end': (ms) => ms + 60_000,
};

const SPANS = [
  ['the clock change of spring', '2026-02-23', '2026-03-20'],
  ['that of autumn', '2025-10-20', '2025-11-14'],
  ['a holiday and a half day', '2025-11-17', '2025-12-05'],
] as const;

const STAMPS = SPANS.flatMap(([title, from, to]) =>
  Object.keys(CLOCKS).flatMap((clock) =>
    [false, true].map((isEvery) => [clock, title, from, to, isEvery] as const),
  ),
);

// Every third has each clock, span and density.
it.each(someOf(STAMPS, 8))(
  'stamps of %s over %s keep their moments (%s to %s, every minute: %s)',
  async (clock, ...given) => {
    const [, from, to, isEvery] = given;
    const minutes = minutesBetween(from, to, isEvery);
    const lines = minutes.map(({ ms, volume }) => {
      const stamp = new Date(CLOCKS[clock](ms)).toISOString().slice(0, 19).replace('T', ' ');
      return `${stamp},10,10.5,9.5,10,${volume}`;
    });
    await at.write({ 'ABC.csv': ['date,open,high,low,close,volume', ...lines, ''].join('\n') });
    const fetched = await fetchAll(fetchFiles({ path: at.folder }, at.context));
    const of = (hours: string) => fetched.filter(({ segment }) => segment.hours === hours);
    const starts = (hours: string) => of(hours).flatMap(({ rows }) => rows.map(({ date }) => date));
    const text = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
    const spans = [...tradingSpans(Float64Array.from(minutes, ({ ms }) => ms))];
    const wanted = (isRegular: boolean) =>
      spans
        .filter(({ session }) => (session === 'regular') === isRegular)
        .flatMap(({ start, end }) => minutes.slice(start, end).map(({ ms }) => text(ms)));
    const plain = (stamps: unknown[]) =>
      stamps.map((stamp) => String(stamp).slice(0, 19).replace('T', ' '));
    expect(plain(starts('regular'))).toEqual(wanted(true));
    expect(plain(starts('extended'))).toEqual(wanted(false));
  },
);

// A feed's file of a day that is not over was refused: its end looked like a close.
it.each(
  someOf(
    [
      ['07:30', 4],
      ['07:30', 10],
      ['09:10', 2],
      ['09:10', 3],
      ['10:20', 6],
      ['10:52', 2],
      ['10:52', 4],
      ['13:00', 1],
      ['15:40', 1],
    ] as const,
    5,
  ),
)(
  'stamps with a zone that end at %s in New York keep their moments (seed %i)',
  async (clock, seed) => {
    const day = dayFromDate('2026-10-26');
    const [hour, minute] = clock.split(':').map(Number);
    const endMs = newYorkMomentMs(day, hour * 60 + minute);
    const next = seededRandom(seed);
    const minutes = minutesBetween('2026-10-26', '2026-10-26', true)
      .filter(({ ms, volume }) => {
        // A tenth of the minutes of the night, and a third of those around the session.
        const share = volume < 500 ? 0.1 : volume < 2000 ? 0.3 : 0.99;
        return next() < share && ms < endMs && ms >= newYorkMidnightMs(day);
      })
      .map(({ ms, volume }) => ({ ms, volume: Math.round((volume * (1 + next())) / 2) }));
    const lines = minutes.map(({ ms, volume }) => {
      return `${new Date(ms).toISOString().slice(0, 19)}Z,10,10.5,9.5,10,${volume}`;
    });
    await at.write({ 'ABC.csv': ['date,open,high,low,close,volume', ...lines, ''].join('\n') });
    const fetched = await fetchAll(fetchFiles({ path: at.folder, stamps: 'start' }, at.context));
    const rows = fetched.flatMap((one) => one.rows);
    expect(
      rows.map(({ date }) => Date.parse(`${String(date).slice(0, 19).replace(' ', 'T')}Z`)).sort(),
    ).toEqual(minutes.map(({ ms }) => ms).sort());
  },
);

// Volumes of a third as much outside of sessions asked for --stamps.
it.each(
  someOf(
    [
      ['the start', 0, 'from 04:00 to 20:00', [240, 1200], 3],
      ['the end', 1, 'from 04:00 to 20:00', [240, 1200], 3],
      ['the start', 0, 'from 07:00 to 17:00, with a busy opening', [420, 1020], 1],
      ['the end', 1, 'from 07:00 to 17:00, with a busy opening', [420, 1020], 1],
    ] as const,
    3,
  ),
)('stamps at %s show it by bars in all minutes (%i) %s', async (_, late, __, [from, to], times) => {
  const lines = [4, 5, 6, 7, 8].flatMap((date) =>
    Array.from({ length: to - from }, (_, i) => {
      const minute = from + i;
      const isRegular = minute >= 570 && minute < 960;
      const spike = minute === 570 || minute === 959 ? 8 : 1;
      const volume = (1000 + ((minute * 37 + date * 11) % 89)) * (isRegular ? times : 1) * spike;
      const stamp = minute + late;
      const clock = [Math.floor(stamp / 60), stamp % 60].map((n) => String(n).padStart(2, '0'));
      return `2024-03-0${date} ${clock.join(':')}:00,10,10.5,9.5,10,${volume}`;
    }),
  );
  await at.write({ 'ABC.csv': ['date,open,high,low,close,volume', ...lines, ''].join('\n') });
  const fetched = await fetchAll(
    fetchFiles({ path: at.folder, zone: 'America/New_York' }, at.context),
  );
  const regular = fetched.find(({ segment }) => segment.hours === 'regular')!;
  expect([regular.rows.length, regular.rows[0].date]).toEqual([1950, '2024-03-04T14:30:00Z']);
});
