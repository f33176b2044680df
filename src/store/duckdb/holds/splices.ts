/**
 * Doubts about how a load's vintages join the ones that are stored: overlaps without one factor,
 * gaps, and jumps in price where no common bar shows what caused them.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../../base/bars.ts';
import { limits } from '../../../base/limits/limits.ts';
import { newYorkDay, sessionsBetween } from '../../../base/time/calendar.ts';
import { dateFromDay } from '../../../base/time/dates.ts';
import { barTable, type StoredInterval } from '../connection/bar-table.ts';
import { listsOf, listTable, selectRows } from '../connection/sql-rows.ts';
import type { SymbolJoint } from '../vintages/winners.ts';

/** A reason not to believe a load, and the symbols that it is about. */
export interface SeriesDoubt {
  symbols: string[];
  reason: string;
}

interface JointCheck {
  interval: StoredInterval;
  /** Symbols of the load whose series are joined at all. */
  symbolCount: number;
  isNew(seriesId: number): boolean;
}

/** @param joints Those of which neither side is new are left out. */
export async function doubtsOfJoints(
  connection: DuckDBConnection,
  joints: readonly SymbolJoint[],
  { interval, symbolCount, isNew }: JointCheck,
): Promise<SeriesDoubt[]> {
  const fresh = joints.filter(({ seriesId, olderIds }) => [seriesId, ...olderIds].some(isNew));
  const uneven = fresh.filter(({ kind }) => kind === 'uneven');
  const apart = fresh.filter(({ kind }) => kind === 'apart');
  const dayOf = interval === '1d' ? dailyDay : intradayDay;
  const distant = apart.filter((joint) => sessionsInGap(joint, dayOf) > limits.doubt.joinGapMax);
  const stepped = await readSteps(connection, interval, apart);
  const doubts: SeriesDoubt[] = [];
  const add = (found: readonly SymbolJoint[], text: string, example: string) => {
    doubts.push({ symbols: found.map(({ symbol }) => symbol), reason: `${text}: ${example}` });
  };
  if (uneven.length > 0) {
    add(
      uneven,
      `${seriesText(uneven)} no constant factor to the stored bars of the same days`,
      examples(uneven, (joint) => unevenText(joint, dayOf)),
    );
  }
  if (distant.length > 0) {
    add(
      distant,
      `${seriesText(distant)} no day in common with the stored bars and no session beside them`,
      examples(distant, (joint) => distantText(joint, dayOf)),
    );
  }
  if (stepped.length > symbolCount * limits.doubt.steppedShareMax) {
    add(
      stepped.map(({ joint }) => joint),
      `${stepped.length} of ${symbolCount} series go on at another price level without a common day that tells of a split`,
      examples(stepped, ({ joint, before, after }) => {
        const { fromUs, toUs } = joint.gap!;
        return `${joint.symbol} from ${before} on ${dateOf(fromUs, dayOf)} to ${after} on ${dateOf(toUs, dayOf)}`;
      }),
    );
  }
  return doubts;
}

interface Step {
  joint: SymbolJoint;
  before: number;
  after: number;
}

/** Joints without a common bar over which the price moves by half or more. */
async function readSteps(
  connection: DuckDBConnection,
  interval: StoredInterval,
  apart: readonly SymbolJoint[],
): Promise<Step[]> {
  const ends = apart.flatMap(({ seriesId, olderIds: [olderId], gap }, key) => {
    const [first, second] = gap!.olderIsFirst ? [olderId, seriesId] : [seriesId, olderId];
    return [
      { key, side: 0, seriesId: first, us: gap!.fromUs },
      { key, side: 1, seriesId: second, us: gap!.toUs },
    ];
  });
  if (ends.length === 0) return [];
  const rows = await selectRows<{ key: number; before: number | null; after: number | null }>(
    connection,
    `SELECT e.key, any_value(b.close) FILTER (e.side = 0) AS before,
       any_value(b.open) FILTER (e.side = 1) AS after
     FROM ${barTable(interval).bars} b JOIN ${listTable(END_COLUMNS)} e
       ON b.series_id = e."seriesId" AND b.ts = make_timestamp(e.us)
     GROUP BY e.key ORDER BY e.key`,
    listsOf(ends, END_COLUMNS),
  );
  return rows.flatMap(({ key, before, after }) => {
    if (!before || !after) return [];
    const isStep = Math.max(before / after, after / before) >= 1 / (1 - limits.doubt.movedMin);
    return isStep ? [{ joint: apart[key], before, after }] : [];
  });
}

const END_COLUMNS = {
  key: 'INTEGER',
  side: 'INTEGER',
  seriesId: 'INTEGER',
  us: 'BIGINT',
} as const;

function dailyDay(us: number): number {
  return Math.floor(us / (MICROS_PER_MILLI * MILLIS_PER_DAY));
}

function intradayDay(us: number): number {
  return newYorkDay(us / MICROS_PER_MILLI);
}

function sessionsInGap({ gap }: SymbolJoint, dayOf: (us: number) => number): number {
  const [from, to] = [dayOf(gap!.fromUs), dayOf(gap!.toUs)];
  return to - from < 2 ? 0 : sessionsBetween(from + 1, to - 1).length;
}

function dateOf(us: number, dayOf: (us: number) => number): string {
  return dateFromDay(dayOf(us));
}

const PRICE_VERBS = {
  open: 'opens at',
  high: 'has a high of',
  low: 'has a low of',
  close: 'closes at',
} as const;

function unevenText(
  { symbol, differing, factor }: SymbolJoint,
  dayOf: (us: number) => number,
): string {
  const { timestampUs, price, older, newer } = differing!;
  const scaled = factor === 1 ? '' : ` × ${Number(factor.toPrecision(6))}`;
  const stored = Number(older.toPrecision(8));
  return `${symbol} ${PRICE_VERBS[price]} ${newer} and ${stored}${scaled} on ${dateOf(timestampUs, dayOf)}`;
}

function distantText(joint: SymbolJoint, dayOf: (us: number) => number): string {
  const { fromUs, toUs } = joint.gap!;
  const sessions = sessionsInGap(joint, dayOf);
  return `${joint.symbol} ends ${dateOf(fromUs, dayOf)} and goes on ${dateOf(toUs, dayOf)}, ${sessions} sessions later`;
}

function seriesText({ length }: readonly unknown[]): string {
  return length === 1 ? '1 series has' : `${length} series have`;
}

function examples<T>(all: readonly T[], textOf: (one: T) => string): string {
  const shown = all.slice(0, limits.doubt.toldMax).map(textOf);
  if (all.length > shown.length) shown.push(`and ${all.length - shown.length} more`);
  return shown.join(', ');
}
