/**
 * Check of the price where a vintage goes on without a common bar. Only the jump, and the volume
 * beside it, can show a split there.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { LIKE_SPLIT } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import {
  distance,
  JUMP_MIN,
  NAMED_FALL_MIN,
  RATIO_TOLERANCE,
  SMALL_SPLITS,
  STEADY_TOLERANCE,
  splitText,
  TURNOVER_RATIO_DAY_MAX,
  TURNOVER_RATIO_NAMED_MAX,
  wholeSplit,
} from '../../../base/prices/split-jump.ts';
import type { StoredInterval } from '../../../base/time/intervals.ts';
import { barTable } from '../connection/bar-table.ts';
import { listsOf, listTable, selectRows } from '../connection/sql-rows.ts';
import type { SymbolSplice } from '../vintages/winners.ts';
import { type SeriesHold, timeText } from './series-hold.ts';

type Gap = NonNullable<SymbolSplice['gap']>;

interface Step {
  symbol: string;
  gap: Gap;
  /** Close before the seam and open after it. */
  before: number;
  after: number;
}

export interface StepFindings {
  hold?: SeriesHold;
  /** Seams that may hide a small split, and are not held: such moves happen. */
  named: string[];
}

/** @param apart Splices without a common bar. */
export async function findSteps(
  connection: DuckDBConnection,
  interval: StoredInterval,
  apart: readonly SymbolSplice[],
): Promise<StepFindings> {
  const steps = await readSteps(connection, interval, apart);
  if (steps.length === 0) return { named: [] };
  const turnovers = await readTurnovers(connection, interval, steps);
  const declared = await readDeclared(connection, steps);
  const time = timeText(interval);
  const named: string[] = [];
  const found = steps.flatMap((step, key) => {
    const { symbol, gap, before, after } = step;
    const cause = causeOf(after / before, declared[key], turnovers[key]);
    const [from, to] = [before, after].map((price) => Number(price.toPrecision(8)));
    const move = `from ${from} on ${time(gap.fromUs)} to ${to} on ${time(gap.toUs)}`;
    if (cause !== undefined) return [{ symbol, detail: `${move}, ${cause}` }];
    if (isNamed(after / before, turnovers[key])) named.push(`${symbol} ${move}`);
    return [];
  });
  if (found.length === 0) return { named };
  const text =
    'on at another price level without a common day that would show a split ' +
    '(load a file that reaches back before this day)';
  return { hold: { check: 'a jump', verbs: ['goes', 'go'], text, found }, named };
}

const KEY_COLUMNS = {
  key: 'INTEGER',
  symbol: 'VARCHAR',
  fromUs: 'BIGINT',
  toUs: 'BIGINT',
} as const;

function keysOf(steps: readonly Pick<Step, 'symbol' | 'gap'>[]): string[] {
  const keys = steps.map(({ symbol, gap }, key) => {
    return { key, symbol, fromUs: gap.fromUs, toUs: gap.toUs };
  });
  return listsOf(keys, KEY_COLUMNS);
}

/**
 * Reads seams over which the served price falls by `NAMED_FALL_MIN` or moves by `JUMP_MIN`. A newer vintage that reaches
 * back may have mended the bars on either side, so stored prices tell nothing.
 */
async function readSteps(
  connection: DuckDBConnection,
  interval: StoredInterval,
  apart: readonly SymbolSplice[],
): Promise<Step[]> {
  const seams = apart.map(({ symbol, gap }) => ({ symbol, gap: gap! }));
  if (seams.length === 0) return [];
  const rows = await selectRows<{ key: number; before: number | null; after: number | null }>(
    connection,
    `SELECT k.key, arg_max(b.close * w.factor, b.ts) FILTER (b.ts < make_timestamp(k."toUs")) AS before,
       any_value(b.open * w.factor) FILTER (b.ts = make_timestamp(k."toUs")) AS after
     FROM ${listTable(KEY_COLUMNS)} k
     JOIN winners w ON w.symbol = k.symbol AND w.interval = '${interval}'
       AND w.to_ts >= make_timestamp(k."fromUs") AND w.from_ts <= make_timestamp(k."toUs")
     JOIN ${barTable(interval).bars} b ON b.series_id = w.series_id
       AND b.ts BETWEEN w.from_ts AND w.to_ts
       AND b.ts BETWEEN make_timestamp(k."fromUs") AND make_timestamp(k."toUs")
     GROUP BY k.key ORDER BY k.key`,
    keysOf(seams),
  );
  return rows.flatMap(({ key, before, after }) => {
    if (!before || !after) return [];
    const isLarge = after * NAMED_FALL_MIN <= before || after >= before * JUMP_MIN;
    return isLarge ? [{ ...seams[key], before, after }] : [];
  });
}

/**
 * Reads the traded money of the day after each seam, as a multiple of that of the days before it,
 * for an unchanged price. NaN without volume. Bars of minutes count by the day, at the times of day
 * that the new one has: the first minute alone trades many times the one before it.
 */
async function readTurnovers(
  connection: DuckDBConnection,
  interval: StoredInterval,
  steps: readonly Step[],
): Promise<number[]> {
  const rows = await selectRows<{ key: number; before: number | null; day: number | null }>(
    connection,
    `WITH near AS (
       SELECT k.key, b.ts::DATE AS day, b.ts::TIME AS clock, b.volume,
         b.ts > make_timestamp(k."fromUs") AS is_after
       FROM ${listTable(KEY_COLUMNS)} k
       JOIN winners w ON w.symbol = k.symbol AND w.interval = '${interval}'
       JOIN ${barTable(interval).bars} b ON b.series_id = w.series_id
         AND b.ts BETWEEN w.from_ts AND w.to_ts
         AND b.ts >= make_timestamp(k."fromUs") - INTERVAL 30 DAY
         AND b.ts < make_timestamp(k."toUs")::DATE + INTERVAL 1 DAY
       WHERE b.volume > 0),
     hours AS (
       SELECT key, min(clock) AS opens, max(clock) AS closes FROM near WHERE is_after GROUP BY key),
     days AS (
       SELECT key, is_after, sum(volume) AS volume,
         row_number() OVER (PARTITION BY key, is_after ORDER BY day DESC) AS place
       FROM near JOIN hours USING (key) WHERE clock BETWEEN opens AND closes
       GROUP BY key, is_after, day)
     SELECT key, median(volume) FILTER (NOT is_after)::DOUBLE AS before,
       any_value(volume) FILTER (is_after)::DOUBLE AS day
     FROM days WHERE place <= ${limits.quality.splitVolumeBars} GROUP BY key`,
    keysOf(steps),
  );
  const turnovers = steps.map(() => Number.NaN);
  for (const { key, before, day } of rows) turnovers[key] = (day ?? NaN) / (before ?? NaN);
  return turnovers;
}

/** Reads the price ratios of splits that some source declares for a day near each seam. */
async function readDeclared(
  connection: DuckDBConnection,
  steps: readonly Step[],
): Promise<number[][]> {
  const { splitDaysMax } = limits.quality;
  const rows = await selectRows<{ key: number; ratio: number }>(
    connection,
    `SELECT k.key, (denominator / numerator)::DOUBLE AS ratio
     FROM ${listTable(KEY_COLUMNS)} k JOIN corporate_actions a USING (symbol)
     WHERE a.type = 'split' AND a.ex_date BETWEEN make_timestamp(k."fromUs")::DATE - ${splitDaysMax}
       AND make_timestamp(k."toUs")::DATE + ${splitDaysMax}`,
    keysOf(steps),
  );
  const declared: number[][] = steps.map(() => []);
  for (const { key, ratio } of rows) declared[key].push(ratio);
  return declared;
}

/**
 * Returns the likely cause of a jump that is to be held. Falls of a third and more happen on bad
 * news, but then the traded money multiplies.
 */
function causeOf(
  value: number,
  declared: readonly number[],
  volumeRatio: number,
): string | undefined {
  const known = declared.find((ratio) => distance(value, ratio) <= RATIO_TOLERANCE);
  if (known !== undefined) return `the ratio of a split that is declared near this day`;
  const tolerance = isSteady(value, volumeRatio) ? STEADY_TOLERANCE : RATIO_TOLERANCE;
  const ratio = splitNear(value, tolerance);
  const isDouble = distance(value, 1) >= Math.log(1 / (1 - limits.sanity.movedMin));
  const turnover = volumeRatio * value;
  const isLikeSplit = Math.abs(Math.log(turnover)) <= Math.log(TURNOVER_RATIO_DAY_MAX) + 1e-9;
  if (ratio !== undefined && isLikeSplit)
    return `${LIKE_SPLIT} ${splitText(ratio)}, as the volume tells too`;
  if (!isDouble) return undefined;
  const text = ratio === undefined ? 'not like a usual split' : `${LIKE_SPLIT} ${splitText(ratio)}`;
  if (Number.isNaN(turnover)) return `${text}; there is no volume to tell`;
  if (Math.min(turnover, volumeRatio) > TURNOVER_RATIO_DAY_MAX)
    return `${text}; the volume speaks for news`;
  return text;
}

/** Returns the ratio of a split that a load is held for. */
function splitNear(value: number, tolerance: number): number | undefined {
  return wholeSplit(value, tolerance) ?? (distance(value, 2 / 3) <= tolerance ? 2 / 3 : undefined);
}

/** Returns true if the traded money stays near that of the days before, by volumes. */
function isSteady(value: number, volumeRatio: number): boolean {
  return Math.abs(Math.log(volumeRatio * value)) <= Math.log(TURNOVER_RATIO_NAMED_MAX);
}

/**
 * Returns true for a jump of any size with the traded money of the days before, or none known, and
 * for one by the ratio of a small split with more or less of it, and of a larger one with so little
 * that it is no news either.
 */
function isNamed(value: number, volumeRatio: number): boolean {
  const isLow = volumeRatio * value < 1 / TURNOVER_RATIO_DAY_MAX;
  if (isLow && splitNear(value, RATIO_TOLERANCE) !== undefined) return true;
  const isSmall = SMALL_SPLITS.some((ratio) => distance(value, ratio) <= RATIO_TOLERANCE);
  const factorMax = isSmall ? TURNOVER_RATIO_DAY_MAX : TURNOVER_RATIO_NAMED_MAX;
  return !(Math.abs(Math.log(volumeRatio * value)) > Math.log(factorMax));
}
