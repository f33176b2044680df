/** Sums up the last four quarters as they were known after each filing. Pure. */

import { MILLIS_PER_DAY, type Split } from '../../base/bars.ts';
import type { RowOf } from '../../base/datasets/dataset.ts';
import type { statements } from '../../base/datasets/filings.ts';
import { ShareBases } from './share-bases.ts';

export type StatementRow = RowOf<typeof statements>;

/** Income statement of the twelve months up to a day; null = unknown. */
export interface TrailingStatement {
  date: number;
  /** Filing time of its newest part, in milliseconds. */
  filedAt: number;
  revenue: number | null;
  costOfRevenue: number | null;
  grossProfit: number | null;
  operatingIncome: number | null;
  netIncome: number | null;
  eps: number | null;
  epsDiluted: number | null;
  dividendsPerShare: number | null;
}

/** Days from one quarter's end to the next: thirteen weeks, or fourteen, or a month more or less. */
const QUARTER_DAYS_MIN = 75;
const QUARTER_DAYS_MAX = 115;
const QUARTERS = 4;

const AMOUNTS = [
  'revenue',
  'costOfRevenue',
  'grossProfit',
  'operatingIncome',
  'netIncome',
] as const;

/**
 * Returns a version for every filing that changes the twelve months: the year that ends on the day
 * as filed, else four consecutive quarters.
 *
 * Figures per share are on the split basis of the newest filing among them: by the known splits,
 * else by those that restated figures show. If counts of shares still differ as after a split,
 * figures per share are unknown.
 *
 * @param rows All versions of one symbol's rows, by filing time.
 * @returns versions by filing time; those of one moment by their day.
 */
export function trailingStatements(
  rows: readonly StatementRow[],
  splits: readonly Split[] = [],
): TrailingStatement[] {
  const years = new Map<number, StatementRow>();
  const quarters = new Map<number, StatementRow>();
  const bases = new ShareBases();
  const trailing: TrailingStatement[] = [];
  for (const [filedAt, filed] of Map.groupBy(rows, (row) => row.filedAt)) {
    const ends = new Set<number>();
    const known = (row: StatementRow) => (row.period === 'annual' ? years : quarters);
    bases.add(filed.map((row) => [row, known(row).get(row.date)]));
    for (const row of filed) {
      known(row).set(row.date, row);
      ends.add(row.date);
      if (row.period === 'quarterly')
        for (const end of laterEnds(quarters, row.date)) ends.add(end);
    }
    for (const date of [...ends].sort((a, b) => a - b)) {
      const year = years.get(date);
      const parts = year ? [year] : lastQuarters(quarters, date);
      if (!parts) continue;
      trailing.push(summed(onBasisOf(parts, splits, bases, filedAt), date, filedAt));
    }
  }
  return trailing;
}

/** Ends of quarters whose twelve months hold the quarter that ends on a day. */
function laterEnds(quarters: ReadonlyMap<number, StatementRow>, date: number): number[] {
  return [...quarters.keys()].filter(
    (end) => end > date && end - date <= (QUARTERS - 1) * QUARTER_DAYS_MAX,
  );
}

function lastQuarters(
  quarters: ReadonlyMap<number, StatementRow>,
  date: number,
): StatementRow[] | undefined {
  const ends = [...quarters.keys()].filter((end) => end <= date).sort((a, b) => a - b);
  const last = ends.slice(-QUARTERS);
  const follow = last.every((end, i) => {
    const days = i === 0 ? QUARTER_DAYS_MIN : end - last[i - 1];
    return days >= QUARTER_DAYS_MIN && days <= QUARTER_DAYS_MAX;
  });
  const isWhole = last.length === QUARTERS && last[QUARTERS - 1] === date && follow;
  return isWhole ? last.map((end) => quarters.get(end)!) : undefined;
}

/** Parts with their figures per share, and counts of shares, on the split basis of a moment. */
function onBasisOf(
  parts: readonly StatementRow[],
  splits: readonly Split[],
  bases: ShareBases,
  momentMs: number,
): StatementRow[] {
  return parts.map((part) => {
    const stated = splits.filter(({ exDay }) => isBetween(exDay, part.filedAt, momentMs));
    const factor =
      stated.length > 0
        ? stated.reduce((product, split) => (product * split.numerator) / split.denominator, 1)
        : bases.newest / bases.of(part);
    if (factor === 1) return part;
    const scaled = (value: number | null, by: number) => (value === null ? null : value * by);
    return {
      ...part,
      eps: scaled(part.eps, 1 / factor),
      epsDiluted: scaled(part.epsDiluted, 1 / factor),
      sharesBasic: scaled(part.sharesBasic, factor),
      sharesDiluted: scaled(part.sharesDiluted, factor),
      dividendsPerShare: scaled(part.dividendsPerShare, 1 / factor),
    };
  });
}

function isBetween(exDay: number, fromMs: number, toMs: number): boolean {
  return exDay * MILLIS_PER_DAY > fromMs && exDay * MILLIS_PER_DAY <= toMs;
}

function summed(parts: readonly StatementRow[], date: number, filedAt: number): TrailingStatement {
  const amounts = AMOUNTS.map((name) => [name, sumOf(parts, name)] as const);
  return {
    date,
    filedAt,
    ...(Object.fromEntries(amounts) as Record<(typeof AMOUNTS)[number], number | null>),
    eps: earningsPerShare(parts, 'sharesBasic', 'eps'),
    epsDiluted: earningsPerShare(parts, 'sharesDiluted', 'epsDiluted'),
    dividendsPerShare: dividendsOf(parts),
  };
}

/** Sums the dividends. A quarter without the figure had none if other quarters state one. */
function dividendsOf(parts: readonly StatementRow[]): number | null {
  const told = parts.map((part) => part.dividendsPerShare ?? null).filter((one) => one !== null);
  const isOneBasis = isAlike(parts.map((part) => part.sharesDiluted ?? part.sharesBasic ?? null));
  return told.length === 0 || !isOneBasis ? null : told.reduce((sum, one) => sum + one, 0);
}

function sumOf(
  parts: readonly StatementRow[],
  name: (typeof AMOUNTS)[number] | 'eps' | 'epsDiluted',
): number | null {
  let sum = 0;
  for (const part of parts) {
    const value = part[name];
    if (value === null) return null;
    sum += value;
  }
  return sum;
}

/**
 * Returns the earnings per share of all quarters: their sum, or by mean shares if a quarter has no
 * figure of its own. Null if counts of shares differ as after an unknown split.
 */
function earningsPerShare(
  parts: readonly StatementRow[],
  shares: 'sharesBasic' | 'sharesDiluted',
  perShare: 'eps' | 'epsDiluted',
): number | null {
  const stated = parts.map((part) => part[shares]);
  const all = parts.map((part, i) => stated[i] ?? impliedShares(part, part[perShare]));
  if (isAlike(all)) return sumOf(parts, perShare) ?? overMean(parts, all);
  return isAlike(stated) ? overMean(parts, stated) : null;
}

function overMean(
  parts: readonly StatementRow[],
  counted: readonly (number | null)[],
): number | null {
  let income = 0;
  for (const part of parts) {
    const own = toCommon(part);
    if (own === null) return null;
    income += own;
  }
  const counts = counted.filter((count) => count !== null);
  if (counts.length === 0) return null;
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return mean > 0 ? income / mean : null;
}

function toCommon({ netIncomeToCommon, netIncome }: StatementRow): number | null {
  return netIncomeToCommon ?? netIncome;
}

/** Counts of shares may differ so much within a year; more is a split, or a listing. */
const ALIKE_RATIO_MAX = 1.5;

function isAlike(counts: readonly (number | null)[]): boolean {
  const known = counts.filter((count) => count !== null);
  return Math.max(...known) <= ALIKE_RATIO_MAX * Math.min(...known);
}

/** Earnings per share are rounded to a cent, so half of one is 2 % of this. */
const EPS_MIN = 0.25;

/**
 * Returns the mean shares of a company that counts each class separately, as Alphabet did until
 * 2024: income ÷ earnings per share, which are equal for all classes.
 */
function impliedShares(part: StatementRow, perShare: number | null): number | null {
  const income = toCommon(part);
  if (income === null || perShare === null || Math.abs(perShare) < EPS_MIN) return null;
  const shares = income / perShare;
  return shares > 0 ? shares : null;
}
