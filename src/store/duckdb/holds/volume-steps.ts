/**
 * Check that the volumes of each symbol of users' files keep their unit: within a history, and where
 * it goes on from stored bars or replaces them. Volumes of some hundred thousand shares do not move a
 * hundredfold from one day to the next, and stay there, while the price is quiet.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { dateFromDay } from '../../../base/time/dates.ts';
import { barTable } from '../connection/bar-table.ts';
import { selectColumn, selectRows } from '../connection/sql-rows.ts';
import { besideSql, fromServedSql, readSampled, symbolList } from './beside-bars.ts';
import type { NewRows } from './replaced-bars.ts';
import type { SeriesHold } from './series-hold.ts';

/** Move between two days from which a day is looked at. */
const LEAP_MIN = 20;
/** Moves of such size in a series at most; thin securities have more. */
const LEAPS_MAX = 4;
/** Days on each side whose volumes are compared. */
const DAYS_BESIDE = 20;
/** Shares a day on the larger side at least: below, a single order moves the volume. */
const SHARES_MIN = 1000;
const [EXPONENT_MIN, EXPONENT_MAX] = [2, 6];
/** Distance of the medians from a power of ten, and of volumes from one side to the other, as log10. */
const [UNIT_NOISE, GAP_MIN, GAP_OF_FEW_MIN] = [0.2, 0.3, 1];
/** Move of the price overnight, and between the medians of both sides. News move it more. */
const [CLOSE_MOVE_MAX, LEVEL_MOVE_MAX] = [0.05, 0.15];
/** Symbols whose days are read together: at most some 100 MB. */
const SYMBOLS_AT_ONCE = 256;
/** Days before a step, and from it on, that show a unit. Each day of minutes has hundreds of bars. */
const DAYS_MIN = { days: { before: 5, after: 3 }, minutes: { before: 2, after: 1 } };
/** Replaced bars that show a unit, and how far from it a tenth of them may be. */
const [COMMON_MIN, COMMON_NOISE] = [2, 0.2];

export interface VolumeSteps {
  hold?: SeriesHold;
  /** Series that replace volumes by none. */
  lost?: SeriesHold;
  /** Steps of one or two days, which single bars make too. */
  named: string[];
}

interface Day {
  symbol: string;
  day: number;
  /** Mean volume of its bars, and of a daily bar its own. */
  volume: number;
  close: number;
  isNew: boolean;
}

/** @param stored Symbols of the load with bars before it. */
export async function findVolumeSteps(
  connection: DuckDBConnection,
  rows: NewRows,
  stored: readonly string[],
): Promise<VolumeSteps> {
  if (rows.interval.endsWith('extended')) return { named: [] };
  const seams = await readSeams(connection, rows, stored);
  const lost = holdForLost(seams);
  const found = seams.flatMap((seam) => {
    const unit = unitOfCommon(seam);
    if (unit === undefined) return [];
    const detail = `has × ${unit} the volumes of the stored bars on ${seam.common} bars`;
    return [{ symbol: seam.symbol, detail }];
  });
  const replaced = new Set(found.map(({ symbol }) => symbol));
  const inside = await readLeaps(connection, rows);
  const leaping = seams.filter(isLeap).map(({ symbol }) => symbol);
  const asked = [...new Set([...inside, ...leaping])]
    .filter((symbol) => !replaced.has(symbol))
    .sort();
  const named: string[] = [];
  // Days of all symbols at once would take memory as the file grows.
  for (let from = 0; from < asked.length; from += SYMBOLS_AT_ONCE) {
    const days = await readDays(connection, rows, asked.slice(from, from + SYMBOLS_AT_ONCE));
    for (const [symbol, ofSymbol] of Map.groupBy(days, (day) => day.symbol)) {
      const step = firstStep(ofSymbol, rows.interval === '1d');
      if (step === undefined) continue;
      const [before, after] = [step.at - 1, step.at].map(
        (at) => `${Math.round(ofSymbol[at].volume)} on ${dateFromDay(ofSymbol[at].day)}`,
      );
      const detail = `from ${before} to ${after} (× ${step.unit})`;
      if (step.isShort) named.push(`${symbol} ${detail}`);
      else found.push({ symbol, detail });
    }
  }
  if (found.length === 0) return { named, ...(lost && { lost }) };
  const text =
    'on with volumes of another unit, while the price is quiet (state the unit in the header, as "Volume (000)", or correct the file)';
  const hold = { check: 'another unit of volume', verbs: ['goes', 'go'] as const, text, found };
  return { hold, named, ...(lost && { lost }) };
}

/** Holds series without a volume that replace bars with one. */
function holdForLost(seams: readonly Seam[]): SeriesHold | undefined {
  const found = seams.filter(isLost).map(({ symbol, lost }) => {
    return { symbol, detail: `on ${lost} bars` };
  });
  if (found.length === 0) return undefined;
  const text = 'the volumes of stored bars (load a file that has them)';
  return { check: 'lost volumes', verbs: ['loses', 'lose'], text, found };
}

interface Seam {
  symbol: string;
  /** Volumes of the last stored bar before the new ones, and of the first of these. */
  before: number | null;
  after: number | null;
  /** Bars that are replaced, and the decimal logarithms of new ÷ stored volume. */
  common: number;
  low: number | null;
  high: number | null;
  /** Replaced bars with a volume, where no new one has any. */
  lost: number;
}

const isLost = ({ lost }: Seam) => lost >= COMMON_MIN;

const isLeap = ({ before, after }: Seam) =>
  before !== null && after !== null && Math.max(before / after, after / before) >= LEAP_MIN;

function unitOfCommon({ common, low, high }: Seam): number | undefined {
  if (common < COMMON_MIN || low === null || high === null) return undefined;
  const exponent = Math.round((low + high) / 2);
  if (!isUnit(exponent)) return undefined;
  const isNear = Math.max(high - exponent, exponent - low) <= COMMON_NOISE;
  return isNear ? 10 ** exponent : undefined;
}

function isUnit(exponent: number): boolean {
  return Math.abs(exponent) >= EXPONENT_MIN && Math.abs(exponent) <= EXPONENT_MAX;
}

function readSeams(
  connection: DuckDBConnection,
  rows: NewRows,
  stored: readonly string[],
): Promise<Seam[]> {
  return readSampled<Seam>(
    connection,
    `WITH ${besideSql(rows, 'b.ts, b.volume')},
     firsts AS (SELECT symbol, min(ts) AS ts FROM newer GROUP BY symbol),
     common AS (
       SELECT symbol, count(*) FILTER (n.volume > 0)::INTEGER AS common,
         quantile_cont(log10(nullif(n.volume, 0) / o.volume), 0.1) AS low,
         quantile_cont(log10(nullif(n.volume, 0) / o.volume), 0.9) AS high,
         CASE WHEN max(n.volume) > 0 THEN 0 ELSE count(*) END::INTEGER AS lost
       FROM newer n JOIN older o USING (symbol, ts) WHERE o.volume > 0 GROUP BY symbol)
     SELECT f.symbol, arg_max(o.volume, o.ts) AS before, any_value(nullif(n.volume, 0)) AS after,
       coalesce(any_value(c.common), 0) AS common, any_value(c.low) AS low, any_value(c.high) AS high,
       coalesce(any_value(c.lost), 0) AS lost
     FROM firsts f JOIN newer n USING (symbol, ts)
     LEFT JOIN older o ON o.symbol = f.symbol AND o.ts < f.ts AND o.volume > 0
     LEFT JOIN common c ON c.symbol = f.symbol
     WHERE n.volume > 0 OR c.lost > 0 GROUP BY f.symbol ORDER BY f.symbol`,
    stored,
    (found) =>
      found.some((seam) => isLeap(seam) || isLost(seam) || unitOfCommon(seam) !== undefined),
  );
}

/** Reads the days of bars that a statement gives, in any order. */
const dayVolumes = (key: string, bars: string) => `
  SELECT ${key}, (epoch(b.ts) // 86400)::INTEGER AS day, avg(b.volume) AS volume,
    arg_max(b.close, b.ts) AS close, bool_or(b."isNew") AS "isNew"
  FROM (${bars}) b WHERE b.volume > 0 GROUP BY ALL`;

/** Finds symbols of which a file has volumes that leap seldom. */
async function readLeaps(
  connection: DuckDBConnection,
  { interval, firstFileId }: NewRows,
): Promise<string[]> {
  const { bars } = barTable(interval);
  const isNew = `file_id >= ${firstFileId} AND volume > 0`;
  // Rows of one load are in order of their series and time.
  const days =
    interval === '1d'
      ? `SELECT series_id, volume, lag(series_id) OVER () AS previous, lag(volume) OVER () AS before
         FROM ${bars} WHERE ${isNew}`
      : `SELECT series_id, volume, lag(series_id) OVER w AS previous, lag(volume) OVER w AS before
         FROM (${dayVolumes('series_id', `SELECT *, true AS "isNew" FROM ${bars} WHERE ${isNew}`)})
         WINDOW w AS (ORDER BY series_id, day)`;
  return selectColumn<string>(
    connection,
    `SELECT DISTINCT s.symbol FROM (
       SELECT series_id FROM (${days})
       WHERE previous = series_id
         AND (volume > ${LEAP_MIN} * before OR before > ${LEAP_MIN} * volume)
       GROUP BY series_id HAVING count(*) <= ${LEAPS_MAX}) JOIN series s USING (series_id)`,
  );
}

/** Reads the served days of symbols, in order. */
async function readDays(
  connection: DuckDBConnection,
  { interval, firstFileId }: NewRows,
  symbols: readonly string[],
): Promise<Day[]> {
  const bars = `SELECT w.symbol, b.ts, b.volume, b.close * w.factor AS close,
      b.file_id >= ${firstFileId} AS "isNew"
    ${await fromServedSql(connection, interval, symbols)}`;
  return selectRows(connection, `${dayVolumes('symbol', bars)} ORDER BY symbol, day`, [
    symbolList(symbols),
  ]);
}

/** Returns the first new day, or the one after new ones, from which on volumes have another unit. */
function firstStep(
  days: readonly Day[],
  isDaily: boolean,
): { at: number; unit: number; isShort: boolean } | undefined {
  const logs = days.map(({ volume }) => Math.log10(volume));
  const leaps = days
    .keys()
    .filter((at) => Math.abs(logs[at] - logs[at - 1]) > Math.log10(LEAP_MIN));
  const places = [...leaps];
  if (places.length > LEAPS_MAX) return undefined;
  for (const [i, at] of places.entries()) {
    if (!(days[at].isNew || days[at - 1].isNew)) continue;
    const from = Math.max(places[i - 1] ?? 0, at - DAYS_BESIDE);
    const to = Math.min(places[i + 1] ?? days.length, at + DAYS_BESIDE);
    const [before, after] = [logs.slice(from, at), logs.slice(at, to)];
    const move = median(after) - median(before);
    const exponent = Math.round(move);
    if (!isUnit(exponent) || Math.abs(move - exponent) > UNIT_NOISE) continue;
    if (isDaily && 10 ** Math.max(median(before), median(after)) < SHARES_MIN) continue;
    const least = isDaily ? DAYS_MIN.days : DAYS_MIN.minutes;
    const isShort = after.length < least.after;
    if (before.length < (isShort ? DAYS_BESIDE : least.before)) continue;
    const isLong = before.length >= DAYS_BESIDE && !isShort;
    const gap = Math.max(
      Math.min(...after) - Math.max(...before),
      Math.min(...before) - Math.max(...after),
    );
    if (gap < (isLong ? GAP_MIN : GAP_OF_FEW_MIN)) continue;
    if (isQuiet(days.slice(from, at), days.slice(at, to)))
      return { at, unit: 10 ** exponent, isShort };
  }
  return undefined;
}

function isQuiet(before: readonly Day[], after: readonly Day[]): boolean {
  const closesOf = (days: readonly Day[]) => days.map(({ close }) => Math.log(close));
  const [old, recent] = [closesOf(before), closesOf(after)];
  const isNear = Math.abs(recent[0] - old[old.length - 1]) < CLOSE_MOVE_MAX;
  return isNear && Math.abs(median(recent) - median(old)) < LEVEL_MOVE_MAX;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
