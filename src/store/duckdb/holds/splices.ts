/**
 * Checks of the splices between a load's vintages and stored ones: overlaps without one factor,
 * gaps, and price jumps without a common bar that explains them.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { MICROS_PER_MILLI } from '../../../base/bars.ts';
import { limits } from '../../../base/limits.ts';
import { newYorkDay, sessionsBetween } from '../../../base/time/calendar.ts';
import { dateFromDay, dayFromMicros } from '../../../base/time/dates.ts';
import { barTable, type StoredInterval } from '../connection/bar-table.ts';
import { listsOf, listTable, selectRows } from '../connection/sql-rows.ts';
import type { SymbolSplice } from '../vintages/winners.ts';

export interface SeriesHold {
  symbols: string[];
  reason: string;
}

interface SpliceCheck {
  interval: StoredInterval;
  /** Number of the load's symbols with a splice. */
  symbolCount: number;
  isNew(seriesId: number): boolean;
}

/** Returns reasons to hold. @param splices Splices; those between two old series are left out. */
export async function holdsForSplices(
  connection: DuckDBConnection,
  splices: readonly SymbolSplice[],
  { interval, symbolCount, isNew }: SpliceCheck,
): Promise<SeriesHold[]> {
  const fresh = splices.filter(({ seriesId, olderIds }) => [seriesId, ...olderIds].some(isNew));
  const uneven = fresh.filter(({ kind }) => kind === 'uneven');
  const apart = fresh.filter(({ kind }) => kind === 'apart');
  const dayOf = dayOfBar(interval);
  const date = timeText(interval);
  const sessionsIn = ({ fromUs, toUs }: Gap) => {
    const [from, to] = [dayOf(fromUs), dayOf(toUs)];
    return to - from < 2 ? 0 : sessionsBetween(from + 1, to - 1).length;
  };
  const distant = apart.filter(({ gap }) => sessionsIn(gap!) > limits.sanity.joinGapMax);
  const stepped = await readSteps(connection, interval, apart);
  const holds: SeriesHold[] = [];
  const add = <T extends { symbol: string }>(
    found: readonly T[],
    text: string,
    exampleOf: (one: T) => string,
  ) => {
    const reason = `${text}: ${examples(found, (one) => `${one.symbol} ${exampleOf(one)}`)}`;
    holds.push({ symbols: found.map(({ symbol }) => symbol), reason });
  };
  if (uneven.length > 0) {
    const text = `${seriesText(uneven)} no constant factor to the stored bars of the same days`;
    add(uneven, text, ({ differing, factor }) => {
      const { timestampUs, price, older, newer } = differing!;
      const scaled = factor === 1 ? '' : ` × ${Number(factor.toPrecision(6))}`;
      const stored = Number(older.toPrecision(8));
      return `${PRICE_VERBS[price]} ${newer} and ${stored}${scaled} on ${date(timestampUs)}`;
    });
  }
  if (distant.length > 0) {
    const text = `${seriesText(distant)} no day in common with the stored bars and no session beside them`;
    add(distant, text, ({ gap }) => {
      const { fromUs, toUs } = gap!;
      return `ends ${date(fromUs)} and goes on ${date(toUs)}, ${sessionsIn(gap!)} sessions later`;
    });
  }
  if (stepped.length > symbolCount * limits.sanity.steppedShareMax) {
    const text = `${stepped.length} of ${symbolCount} series go on at another price level without a common day that tells of a split`;
    add(stepped, text, ({ gap, before, after }) => {
      return `from ${before} on ${date(gap.fromUs)} to ${after} on ${date(gap.toUs)}`;
    });
  }
  return holds;
}

function dayOfBar(interval: StoredInterval): (us: number) => number {
  return (us) => (interval === '1d' ? dayFromMicros(us) : newYorkDay(us / MICROS_PER_MILLI));
}

/** Returns a function from the start of a bar in microseconds to its date. */
export function timeText(interval: StoredInterval): (us: number) => string {
  const dayOf = dayOfBar(interval);
  return (us) => dateFromDay(dayOf(us));
}

type Gap = NonNullable<SymbolSplice['gap']>;

interface Step {
  symbol: string;
  gap: Gap;
  before: number;
  after: number;
}

/** Reads splices without a common bar over which the price moves by half or more. */
async function readSteps(
  connection: DuckDBConnection,
  interval: StoredInterval,
  apart: readonly SymbolSplice[],
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
    const isStep = Math.max(before / after, after / before) >= 1 / (1 - limits.sanity.movedMin);
    const { symbol, gap } = apart[key];
    return isStep ? [{ symbol, gap: gap!, before, after }] : [];
  });
}

const END_COLUMNS = {
  key: 'INTEGER',
  side: 'INTEGER',
  seriesId: 'INTEGER',
  us: 'BIGINT',
} as const;

const PRICE_VERBS = {
  open: 'opens at',
  high: 'has a high of',
  low: 'has a low of',
  close: 'closes at',
} as const;

function seriesText({ length }: readonly unknown[]): string {
  return length === 1 ? '1 series has' : `${length} series have`;
}

/** Names the first ones, and how many more there are. */
export function examples<T>(all: readonly T[], textOf: (one: T) => string): string {
  const shown = all.slice(0, limits.sanity.shownMax).map(textOf);
  if (all.length > shown.length) shown.push(`and ${all.length - shown.length} more`);
  return shown.join(', ');
}
