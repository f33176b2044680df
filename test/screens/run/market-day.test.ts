/** Bars on wrong dates in a store that an earlier version loaded: the other symbols stay as they are. */

import { expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { dateFromDay } from '../../../src/base/time/dates.ts';
import { ScreenMemory } from '../../../src/screens/run/screen-memory.ts';
import { daysBetween, monthEnds, studyMarket } from '../../../src/screens/study/study-market.ts';
import { newestBarDay, universeNamed } from '../../../src/store/arrow/snapshot/universes.ts';
import { readNewestDay } from '../../../src/store/duckdb/candles/last-days.ts';
import { inStore, published, publishOf } from '../../jobs/support/store.ts';
import { segmentOf, type TestBar } from '../../store/duckdb/support/fixtures.ts';
import { sharedFolder } from '../../support/folders.ts';
import { asOf, finished } from './support/finished.ts';

const folder = sharedFolder();

const bars = (...dates: string[]): TestBar[] => dates.map((date) => [date, 10]);
const SESSIONS = ['2026-05-28', '2026-05-29', '2026-06-01', '2026-06-25', '2026-06-26'];

it('a Saturday of one symbol and a year later of another move no day of the others', async () => {
  const paths = modePaths(folder, 'live');
  await publishOf(
    paths,
    segmentOf([
      ...['AAAA', 'BBBB', 'CCCC'].map((symbol) => ({ symbol, bars: bars(...SESSIONS) })),
      {
        symbol: 'WEEK',
        bars: bars(...SESSIONS.slice(0, 2), '2026-05-30', ...SESSIONS.slice(2), '2026-06-27'),
      },
      { symbol: 'YEAR', bars: bars(...SESSIONS.slice(0, 4), '2027-06-28') },
    ]),
  );
  const version = published(paths);
  const newest = newestBarDay(version)!;
  expect(dateFromDay(newest)).toBe('2026-06-26');
  expect(universeNamed(version, 'active')!.on(newest)).toHaveLength(5);
  expect(dateFromDay(version.screener().marketDay!)).toBe('2026-06-26');
  expect(dateFromDay((await inStore(paths, (db) => readNewestDay(db, '1d')))!)).toBe('2026-06-26');

  const late = asOf(version, '2027-06-30').table;
  expect([dateFromDay(late.marketDay!), late.symbols.length]).toEqual(['2026-06-26', 5]);

  const market = finished(studyMarket(version, new ScreenMemory(0)));
  expect(monthEnds(market).map((session) => dateFromDay(market.sessions[session]))).toEqual([
    '2026-05-29',
  ]);
  const [, friday, monday] = market.sessionsOf(version.symbols.indexOf('AAAA'));
  expect([monday - friday, daysBetween(market, friday, monday)]).toEqual([2, 0]);
});
