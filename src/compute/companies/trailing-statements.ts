/** Sums up the last four quarters, or two halves, as they were known after each filing. Pure. */

import { MILLIS_PER_DAY, type Split } from '../../base/bars.ts';
import type { RowOf } from '../../base/datasets/dataset.ts';
import { evidenceOf } from '../../base/datasets/evidence.ts';
import { statements } from '../../base/datasets/filings.ts';
import { figuresOf } from '../../base/datasets/statement.ts';
import { decimalSum } from '../../base/prices/decimals.ts';
import { ByDay } from './by-day.ts';
import { markedApart, mixedFigures } from './mixed-restatements.ts';
import { CENT_HALF, isCarried, ShareBases } from './share-bases.ts';

export type StatementRow = RowOf<typeof statements>;

/** Columns of an income statement that do not add up over quarters. */
type NotSummed =
  | keyof Pick<StatementRow, 'symbol' | 'date' | 'period' | 'filedAt' | 'fiscalYear'>
  | keyof Pick<StatementRow, 'fiscalQuarter' | 'currency' | 'form' | 'accession'>
  | keyof Pick<StatementRow, 'eps' | 'epsDiluted' | 'sharesBasic' | 'sharesDiluted'>
  | keyof Pick<StatementRow, 'netIncomeToCommon' | 'dividendsPerShare'>;

type SummedName = Exclude<keyof StatementRow, NotSummed>;

/** Figures of an income statement that are the sum of their quarters. */
const SUMMED = figuresOf(statements)
  .filter(({ shown }) => shown.unit === 'usd')
  .map(({ name }) => name) as SummedName[];

/** Income statement of the twelve months up to a day; null = unknown. */
export interface TrailingStatement extends Record<SummedName, number | null> {
  date: number;
  /** Filing time of its newest part, in milliseconds. */
  filedAt: number;
  eps: number | null;
  epsDiluted: number | null;
  dividendsPerShare: number | null;
  /** Mean of its parts; null if one is unknown, or if they differ as after a split. */
  sharesDiluted: number | null;
}

/** Days from one quarter's end to the next: thirteen weeks, or fourteen, or a month more or less. */
const QUARTER_DAYS = [75, 115] as const;
const QUARTERS = 4;

/** Days from one half's end to the next. */
const HALF_DAYS = [160, 210] as const;
const HALVES = 2;

/** Twelve months as one filing left them. They are summed at the first use: most are never shown. */
export class TrailingVersion {
  readonly date: number;
  readonly filedAt: number;
  readonly parts: readonly StatementRow[];
  /** By part, its shares then for one of the split basis on which they are summed. */
  readonly factors: readonly number[];
  #statement: TrailingStatement | undefined;

  constructor(
    date: number,
    filedAt: number,
    parts: readonly StatementRow[],
    factors: readonly number[],
  ) {
    this.date = date;
    this.filedAt = filedAt;
    this.parts = parts;
    this.factors = factors;
  }

  get statement(): TrailingStatement {
    if (!this.#statement) {
      this.#statement = summed(this.parts, this.factors, this.date, this.filedAt);
    }
    return this.#statement;
  }
}

/**
 * Twelve months as filings change them: the year that ends on the day as filed, else four
 * consecutive quarters, else two halves.
 *
 * Figures per share are on the split basis of the newest filing among them: by the known splits,
 * else by those that restated figures show. If counts of shares still differ as after a split,
 * figures per share are unknown.
 */
export class TrailingMonths {
  readonly #splits: readonly Split[];
  readonly #years = new Map<number, StatementRow>();
  readonly #quarters = new ByDay<StatementRow>();
  readonly #halves = new ByDay<StatementRow>();
  readonly #bases = new ShareBases();
  /** Filing times of figures per share that later versions leave as they are. */
  readonly #sinceMs = new Map<StatementRow, number>();

  constructor(splits: readonly Split[]) {
    this.#splits = splits;
  }

  /**
   * Adds the rows of one moment, which come in the order of their filing.
   *
   * @returns the versions that they change, by their day.
   */
  add(filed: readonly StatementRow[], filedAt: number): TrailingVersion[] {
    const before = filed.map((row) => this.#known(row));
    this.#bases.add(filed, before);
    for (const [i, row] of filed.entries()) {
      const earlier = before[i];
      if (earlier && isCarried(row, earlier)) this.#sinceMs.set(row, this.#sinceOf(earlier));
    }
    const ends: number[] = [];
    for (const row of filed) {
      if (row.period === 'annual') this.#years.set(row.date, row);
      else this.#shorter(row.period).set(row.date, row);
    }
    for (const [i, { period, date }] of filed.entries()) {
      addNew(ends, date);
      // A year that is restated may leave its quarters behind.
      if (period !== 'annual' || before[i]) this.#addLaterEnds(ends, date, period);
    }
    ends.sort((a, b) => a - b);
    const versions: TrailingVersion[] = [];
    for (const date of ends) {
      const version = this.at(date, filedAt);
      if (version) versions.push(version);
    }
    return versions;
  }

  /** Returns the twelve months up to a day, with figures per share on the basis of a moment. */
  at(date: number, momentMs: number): TrailingVersion | undefined {
    const parts = this.#partsOf(date);
    if (!parts) return undefined;
    const factors = parts.map((part) => this.#factorOf(part, momentMs));
    return new TrailingVersion(date, momentMs, this.#ofOneDefinition(parts), factors);
  }

  #sinceOf(row: StatementRow): number {
    return this.#sinceMs.get(row) ?? row.filedAt;
  }

  #known({ period, date }: StatementRow): StatementRow | undefined {
    return period === 'annual' ? this.#years.get(date) : this.#shorter(period).get(date);
  }

  #shorter(period: StatementRow['period']): ByDay<StatementRow> {
    return period === 'semiannual' ? this.#halves : this.#quarters;
  }

  /** Adds the ends of periods whose twelve months hold the one that ends on a day. */
  #addLaterEnds(ends: number[], date: number, period: StatementRow['period']): void {
    const periods = this.#shorter(period);
    for (let place = periods.placeOf(date + 1); place < periods.size; place++) {
      const end = periods.dayAt(place);
      if (end - date > (QUARTERS - 1) * QUARTER_DAYS[1]) break;
      addNew(ends, end);
    }
  }

  #partsOf(date: number): StatementRow[] | undefined {
    const year = this.#years.get(date);
    if (year) return [year];
    return (
      this.#quarters.runTo(date, QUARTERS, QUARTER_DAYS) ??
      this.#halves.runTo(date, HALVES, HALF_DAYS)
    );
  }

  /** Marks figures whose quarters were restated in part, as after a business was sold. */
  #ofOneDefinition(parts: readonly StatementRow[]): readonly StatementRow[] {
    const names = parts.slice(0, -1).flatMap(({ date }) => {
      const year = this.#years.get(date);
      const quarters = year && this.#quarters.runTo(date, QUARTERS, QUARTER_DAYS);
      return quarters ? mixedFigures(parts, { year, quarters }) : [];
    });
    return names.length === 0 ? parts : [...parts.slice(0, -1), markedApart(parts.at(-1)!, names)];
  }

  #factorOf(part: StatementRow, momentMs: number): number {
    let factor = 1;
    let isStated = false;
    for (const { exDay, numerator, denominator } of this.#splits) {
      if (!isBetween(exDay, this.#sinceOf(part), momentMs)) continue;
      factor = (factor * numerator) / denominator;
      isStated = true;
    }
    return isStated ? factor : this.#bases.newest / this.#bases.of(part);
  }
}

function addNew(days: number[], day: number): void {
  if (!days.includes(day)) days.push(day);
}

/**
 * Returns a version for every filing that changes the twelve months.
 *
 * @param rows All versions of one symbol's rows, by filing time.
 * @returns versions by filing time; those of one moment by their day.
 */
export function trailingStatements(
  rows: readonly StatementRow[],
  splits: readonly Split[] = [],
): TrailingStatement[] {
  const months = new TrailingMonths(splits);
  const filings = Map.groupBy(rows, ({ filedAt }) => filedAt);
  return [...filings].flatMap(([filedAt, filed]) =>
    months.add(filed, filedAt).map(({ statement }) => statement),
  );
}

/** Fields of an income statement that a statement without figures per share lacks. */
const NO_SHARES = {
  ...{ netIncome: null, netIncomeToCommon: null, eps: null, epsDiluted: null },
  ...{ sharesBasic: null, sharesDiluted: null, dividendsPerShare: null },
};

/** A row of a statement whose figures are sums of a period. */
export type SummedRow = Pick<StatementRow, 'date' | 'period' | 'filedAt'>;

/**
 * Sums up figures of twelve months, as `trailingStatements` does.
 *
 * @param names Names of the figures; each is the sum of its quarters, or null.
 */
export function trailingSums(rows: readonly SummedRow[], names: readonly string[]): SummedRow[] {
  const months = new TrailingMonths([]);
  const filings = Map.groupBy(rows, ({ filedAt }) => filedAt);
  return [...filings].flatMap(([filedAt, filed]) => {
    return months.add(filed.map(paddedRow), filedAt).map(({ date, parts }) => {
      const sums = names.map((name) => [name, sumOf(parts, name as keyof StatementRow)]);
      return { date, filedAt, period: 'annual' as const, ...Object.fromEntries(sums) };
    });
  });
}

/**
 * Returns the rows that twelve months were made of at a moment, each with its new shares of one.
 *
 * @param rows All versions, by filing time.
 */
export function trailingParts<T extends SummedRow>(
  rows: readonly T[],
  date: number,
  momentMs: number,
  splits: readonly Split[] = [],
): { part: T; factor: number }[] {
  const months = new TrailingMonths(splits);
  const known = rows.filter(({ filedAt }) => filedAt <= momentMs);
  for (const [filedAt, filed] of Map.groupBy(known, (row) => row.filedAt)) {
    months.add(filed.map(paddedRow), filedAt);
  }
  const { parts = [], factors = [] } = months.at(date, momentMs) ?? {};
  return parts.map((part, i) => ({ part: part as unknown as T, factor: factors[i] }));
}

/** Returns a row of a statement without figures per share as one whose figures per share are null. */
export function paddedRow(row: SummedRow): StatementRow {
  return { ...NO_SHARES, ...row } as StatementRow;
}

/** Returns a part with its figures per share, and counts of shares, on another split basis. */
function onBasis(part: StatementRow, factor: number): StatementRow {
  if (factor === 1) return part;
  return {
    ...part,
    eps: scaled(part.eps, 1 / factor),
    epsDiluted: scaled(part.epsDiluted, 1 / factor),
    sharesBasic: scaled(part.sharesBasic, factor),
    sharesDiluted: scaled(part.sharesDiluted, factor),
    dividendsPerShare: scaled(part.dividendsPerShare, 1 / factor),
  };
}

function scaled(value: number | null, by: number): number | null {
  return value === null ? null : value * by;
}

function isBetween(exDay: number, fromMs: number, toMs: number): boolean {
  return exDay * MILLIS_PER_DAY > fromMs && exDay * MILLIS_PER_DAY <= toMs;
}

function summed(
  filed: readonly StatementRow[],
  factors: readonly number[],
  date: number,
  filedAt: number,
): TrailingStatement {
  const parts = filed.map((part, i) => onBasis(part, factors[i]));
  // Earnings per share are rounded as filed: divided, they look smaller than they were.
  const implied = (perShare: 'eps' | 'epsDiluted') =>
    filed.map((part, i) => scaled(impliedShares(part, part[perShare]), factors[i]));
  return {
    date,
    filedAt,
    ...sumsOf(parts),
    eps: earningsPerShare(parts, 'sharesBasic', 'eps', implied),
    epsDiluted: earningsPerShare(parts, 'sharesDiluted', 'epsDiluted', implied),
    dividendsPerShare: dividendsOf(parts),
    sharesDiluted: meanShares(parts),
  };
}

function meanShares(parts: readonly StatementRow[]): number | null {
  const counts = parts.map(({ sharesDiluted }) => sharesDiluted);
  const sum = sumOf(parts, 'sharesDiluted');
  return sum === null || !isAlike(counts) ? null : sum / parts.length;
}

function sumsOf(parts: readonly StatementRow[]): Record<SummedName, number | null> {
  const sums = {} as Record<SummedName, number | null>;
  for (const name of SUMMED) sums[name] = sumOf(parts, name);
  return sums;
}

/** Sums the dividends. A quarter without the figure had none if other quarters state one. */
function dividendsOf(parts: readonly StatementRow[]): number | null {
  const paid = parts.flatMap(({ dividendsPerShare }) => dividendsPerShare ?? []);
  if (paid.length === 0) return null;
  const isOneBasis = isAlike(parts.map((part) => part.sharesDiluted ?? part.sharesBasic));
  return isOneBasis ? decimalSum(paid) : null;
}

export function sumOf(parts: readonly StatementRow[], name: keyof StatementRow): number | null {
  if (parts.slice(1).some((part) => isApart(part, name))) return null;
  const values = parts.map((part) => part[name]).filter((value) => typeof value === 'number');
  return values.length === parts.length ? decimalSum(values) : null;
}

/** Returns true for a figure of another definition than that of the quarter before. */
function isApart(part: StatementRow, name: keyof StatementRow): boolean {
  // Most rows have no such figure, and their text is not parsed.
  return part.evidence?.includes('"isApart"') === true && evidenceOf(part)[name]?.isApart === true;
}

/**
 * Returns the earnings per share of all quarters: their sum, or by mean shares if a quarter has no
 * figure of its own. Null if counts of shares differ as after an unknown split.
 */
function earningsPerShare(
  parts: readonly StatementRow[],
  shares: 'sharesBasic' | 'sharesDiluted',
  perShare: 'eps' | 'epsDiluted',
  implied: (perShare: 'eps' | 'epsDiluted') => (number | null)[],
): number | null {
  if (parts.slice(1).some((part) => isApart(part, perShare))) return null;
  const stated = parts.map((part) => part[shares]);
  const all = stated.includes(null) ? implied(perShare).map((one, i) => stated[i] ?? one) : stated;
  if (isAlike(all)) return sumOf(parts, perShare) ?? overMean(parts, all, perShare);
  return isAlike(stated) ? overMean(parts, stated, perShare) : null;
}

function overMean(
  parts: readonly StatementRow[],
  counted: readonly (number | null)[],
  perShare: 'eps' | 'epsDiluted',
): number | null {
  let income = 0;
  let known = 0;
  for (const [i, part] of parts.entries()) {
    const own = toCommon(part);
    if (own === null) return null;
    if (part.netIncomeToCommon !== null) known++;
    else if (isOfOthers(own, part[perShare], counted[i])) return null;
    income += own;
  }
  if (known > 0 && known < parts.length) return null;
  const counts = counted.filter((count) => count !== null);
  if (counts.length === 0) return null;
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return mean > 0 ? income / mean : null;
}

/** Largest gap, as a share of income, between it and earnings per share × shares. */
const COMMON_SHARE = 0.02;

/** Returns true if earnings per share show that others, as preferred shares, have a part of income. */
function isOfOthers(income: number, perShare: number | null, count: number | null): boolean {
  if (perShare === null || count === null) return false;
  const most = COMMON_SHARE * Math.abs(income) + CENT_HALF * count;
  return Math.abs(perShare * count - income) > most;
}

export function toCommon({ netIncomeToCommon, netIncome }: StatementRow): number | null {
  return netIncomeToCommon ?? netIncome;
}

/** Counts of shares may differ so much within a year; more is a split, or a listing. */
const ALIKE_RATIO_MAX = 1.5;

export function isAlike(counts: readonly (number | null)[]): boolean {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const count of counts) {
    if (count === null) continue;
    if (count < least) least = count;
    if (count > most) most = count;
  }
  return most <= ALIKE_RATIO_MAX * least;
}

/** Earnings per share are rounded to a cent, so half of one is 2 % of this. */
const EPS_MIN = 0.25;

/**
 * Returns the mean shares of a company that counts each class separately, as Alphabet did until
 * 2024: income ÷ earnings per share, which are equal for all classes.
 */
export function impliedShares(part: StatementRow, perShare: number | null): number | null {
  const income = toCommon(part);
  if (income === null || perShare === null || Math.abs(perShare) < EPS_MIN) return null;
  const shares = income / perShare;
  return shares > 0 ? shares : null;
}
