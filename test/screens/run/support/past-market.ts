/**
 * A synthetic market of a year and a half with all that makes the past hard: splits, dividends, a
 * rename, a delisting, a ticker that is used again, late and amended filings, gaps. It can be made
 * as it is at its end, or with what was known on a day.
 */

import { cpSync } from 'node:fs';
import { type ModePaths, modePaths } from '../../../../src/base/config/data-dir.ts';
import type { DatasetRow } from '../../../../src/base/datasets/dataset.ts';
import {
  isSession,
  newYorkMidnightMs,
  sessionEndMs,
  sessionsBetween,
} from '../../../../src/base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../../../src/base/time/dates.ts';
import type { CandleSegment } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import { loadSymbols } from '../../../../src/store/duckdb/securities/symbols.ts';
import { inStore, run } from '../../../jobs/support/store.ts';
import {
  delist,
  emptyPaths,
  load,
  NOW_MS,
  putNewStore,
  rename,
  segmentOf,
} from '../../../store/duckdb/support/fixtures.ts';
import { land, loadSegment } from '../../../store/duckdb/support/row-fixtures.ts';
import { madeOnce } from '../../../support/made-once.ts';

const day = dayFromDate;

export const FIRST_DAY = day('2024-01-02');
export const LAST_DAY = day('2025-06-30');

interface Split {
  exDay: number;
  numerator: number;
  denominator: number;
}

interface Series {
  ticker: string;
  basis: 'raw' | 'split';
  from?: string;
  to?: string;
  splits?: Split[];
  /** Ex-dates of dividends of a quarter. */
  dividends?: string[];
  /** True for a series whose splits no source states. */
  hasNoActions?: true;
  /** True if every fifth session has no bar. */
  hasGaps?: true;
}

const split = (date: string, numerator: number, denominator = 1): Split => ({
  exDay: day(date),
  numerator,
  denominator,
});

const QUARTERS = [
  '2024-02-09',
  '2024-05-10',
  '2024-08-12',
  '2024-11-08',
  '2025-02-10',
  '2025-05-12',
];

/** Loaded before the rest: a ticker is used again only after its first holder has left. */
const SERIES: Series[] = [
  { ticker: 'AAA', basis: 'raw', splits: [split('2024-09-03', 3)], dividends: QUARTERS },
  {
    ticker: 'BBB',
    basis: 'split',
    splits: [split('2024-11-05', 2), split('2025-03-04', 1, 4)],
    dividends: QUARTERS,
  },
  { ticker: 'DDD', basis: 'raw', to: '2024-08-15' },
  { ticker: 'ETF', basis: 'raw', dividends: QUARTERS },
  { ticker: 'FFF', basis: 'raw', to: '2024-09-30' },
  // Between the two names of the security that is renamed.
  { ticker: 'FGA', basis: 'raw' },
  { ticker: 'HHH', basis: 'raw', to: '2024-07-10' },
  { ticker: 'JJJ', basis: 'raw', hasNoActions: true, hasGaps: true },
  { ticker: 'KKK', basis: 'raw', from: '2025-02-03' },
];

const RENAMED = '2024-10-01';
const DELISTED = '2024-08-15';
const GGG: Series = { ticker: 'GGG', basis: 'raw', from: RENAMED };
const NEW_DDD: Series = { ticker: 'DDD', basis: 'raw', from: '2024-12-02' };

function barsOf({ ticker, basis, from, to, splits = [], hasGaps }: Series, lastDay: number) {
  const first = from ? day(from) : FIRST_DAY;
  const days = [...sessionsBetween(first, Math.min(lastDay, to ? day(to) : lastDay))];
  const kept = hasGaps ? days.filter((one) => one % 5 !== 0) : days;
  return kept.map((one): [string, number, number] => {
    const wave = 96 + 24 * Math.sin((one + ticker.charCodeAt(0) * 7) / 19);
    // A price falls by its splits; a vendor's split basis has those up to its vintage undone.
    const inPrice = basis === 'raw' ? one : lastDay;
    let ratio = 1;
    for (const { exDay, numerator, denominator } of splits) {
      if (exDay <= inPrice) ratio *= denominator / numerator;
    }
    const cents = Math.round(wave * 64) / 64;
    return [dateFromDay(one), cents * ratio, Math.round(1000 * wave) / ratio];
  });
}

/** Returns a segment of all series of a basis; undefined if none has bars yet. */
function segment(
  series: readonly Series[],
  basis: Series['basis'],
  lastDay: number,
): CandleSegment | undefined {
  const some = series
    .filter((one) => one.basis === basis)
    .map((one) => ({ ...one, symbol: one.ticker, bars: barsOf(one, lastDay) }))
    .filter(({ bars }) => bars.length > 0);
  if (some.length === 0) return undefined;
  const known = <T extends { exDay: number }>(events: T[]) =>
    events.filter(({ exDay }) => exDay <= lastDay);
  const withActions = some.filter(({ hasNoActions }) => !hasNoActions);
  const actions = withActions.map(({ symbol, splits = [], dividends = [] }) => ({
    symbol,
    splits: known(splits),
    dividends: known(dividends.map((date) => ({ exDay: day(date), amount: 0.5 }))),
    coverageFromDay: day('2023-01-01'),
    coverageToDay: lastDay,
  }));
  return segmentOf(
    some.map(({ symbol, bars }) => ({ symbol, bars })),
    { basis, actions, ...(basis === 'split' && { asOf: dateFromDay(lastDay) }) },
  );
}

/** Last moment whose filings are known on a day. */
export function knownByMs(asOfDay: number): number {
  return isSession(asOfDay) ? sessionEndMs(asOfDay) : newYorkMidnightMs(asOfDay + 1) - 1;
}

const FILERS = ['AAA', 'BBB', 'DDD', 'ETF', 'FFF', 'JJJ'];

/** Quarters whose reports come after the close, before it, at midnight, or a year late. */
function filings(lastMs: number): Record<string, DatasetRow[]> {
  const rows: Record<'shares' | 'statements' | 'balance-sheet', DatasetRow[]> = {
    shares: [],
    statements: [],
    'balance-sheet': [],
  };
  for (const [s, symbol] of FILERS.entries()) {
    for (let q = 0; q < 14; q++) {
      const end = day('2021-12-31') + 91 * q;
      const delay = (symbol === 'JJJ' && q === 9 ? 330 : 40) + s;
      const hour = [13, 21, 0, 22][(q + s) % 4];
      const filedAt = (end + delay) * 86_400_000 + hour * 3_600_000;
      const amended = filedAt + 47 * 86_400_000;
      const period = { symbol, date: end, period: 'quarterly', filedAt };
      const income = 1000 * (s + 1) + 10 * q * q;
      // Counts of shares follow the split of AAA.
      const shares = 5000 * (symbol === 'AAA' && filedAt >= Date.parse('2024-09-03') ? 3 : 1);
      const statement = {
        ...period,
        revenue: 8 * income,
        grossProfit: 4 * income,
        operatingIncome: 2 * income,
        netIncome: income,
        eps: income / shares,
        epsDiluted: income / shares,
        sharesBasic: shares,
        sharesDiluted: shares,
        dividendsPerShare: 0.25,
      };
      rows.statements.push(statement);
      if (q % 3 === 1) {
        rows.statements.push({ ...statement, filedAt: amended, revenue: 7 * income });
      }
      const balance = {
        ...period,
        totalAssets: 90 * income,
        totalLiabilities: 50 * income,
        totalEquity: 40 * income,
        cash: q,
        totalDebt: 3 * q,
      };
      rows['balance-sheet'].push(balance);
      if (q % 4 === 2) {
        rows['balance-sheet'].push({ ...balance, filedAt: amended, totalEquity: 41 * income });
      }
      rows.shares.push({ symbol, date: end + 20, filedAt, kind: 'cover', shares: shares + q });
    }
  }
  const isKnown = ({ filedAt }: DatasetRow) => Number(filedAt) <= lastMs;
  return Object.fromEntries(Object.entries(rows).map(([name, all]) => [name, all.filter(isKnown)]));
}

const MEMBERS: [symbol: string, from: string, to: string | null][] = [
  ['AAA', '2024-01-02', null],
  ['BBB', '2024-03-01', '2024-10-31'],
  ['BBB', '2025-02-03', null],
  // Its ticker belongs to another company from December on.
  ['DDD', '2024-01-02', null],
  // Renamed meanwhile.
  ['FFF', '2024-05-01', null],
  ['JJJ', '2024-01-02', '2025-01-10'],
];

const VALUES: [symbol: string, date: string, value: number | null][] = [
  ['AAA', '2024-02-01', 0.2],
  ['AAA', '2024-09-16', 0.7],
  ['AAA', '2025-03-03', null],
  ['AAA', '2025-04-01', 0.9],
  ['DDD', '2024-03-01', 0.6],
  ['DDD', '2024-12-10', 0.3],
  ['FFF', '2024-09-20', 0.8],
  ['BBB', '2024-04-06', 0.55],
];

/** Memberships and own values; the end of a membership is known on its day. */
function ownRows(lastDay: number): Record<string, DatasetRow[]> {
  const members = MEMBERS.map(([symbol, from, to]) => {
    const toDay = to === null || day(to) > lastDay ? null : day(to);
    return { index: 'big', symbol, from: day(from), to: toDay };
  });
  const values = VALUES.map(([symbol, date, value]) => ({
    ...{ symbol, name: 'short', date: day(date), value },
  }));
  return {
    members: members.filter(({ from }) => from <= lastDay),
    values: values.filter(({ date }) => date <= lastDay),
  };
}

/** Copies a published store with what was known at the end of a day. A run fills it once. */
export async function marketUpTo(lastDay: number): Promise<ModePaths> {
  const made = await madeOnce(`past-market-${lastDay}`, (folder) =>
    fill(putNewStore(modePaths(folder, 'live')), lastDay),
  );
  const paths = emptyPaths();
  cpSync(modePaths(made, 'live').root, paths.root, { recursive: true });
  return paths;
}

async function fill(paths: ModePaths, lastDay: number): Promise<void> {
  const known = { ...filings(knownByMs(lastDay)), ...ownRows(lastDay) };
  const rows = Object.entries(known).filter(([, some]) => some.length > 0);
  const landed = await Promise.all(rows.map(([dataset, some]) => land(dataset, some)));
  await inStore(paths, async (db) => {
    const add = async (...series: Series[]) => {
      for (const basis of ['raw', 'split'] as const) {
        const one = segment(series, basis, lastDay);
        if (one) await load(db, one);
      }
    };
    await add(...SERIES);
    for (const one of landed) await loadSegment(db, one);
    const facts = { symbol: 'ETF', type: 'etf', companyName: 'Fund (synthetic)' };
    await loadSymbols(db, [facts], { source: 'files', nowMs: NOW_MS });
    if (lastDay >= day(RENAMED)) await rename(db, 'FFF', 'GGG', RENAMED);
    if (lastDay >= day(DELISTED)) await delist(db, 'DDD', DELISTED);
    await add(GGG, NEW_DDD);
  });
  await run(paths);
}
