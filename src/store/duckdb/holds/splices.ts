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
  const dayOf = interval === '1d' ? dayFromMicros : intradayDay;
  const distant = apart.filter((splice) => sessionsInGap(splice, dayOf) > limits.sanity.joinGapMax);
  const stepped = await readSteps(connection, interval, apart);
  const holds: SeriesHold[] = [];
  const add = (found: readonly SymbolSplice[], text: string, example: string) => {
    holds.push({ symbols: found.map(({ symbol }) => symbol), reason: `${text}: ${example}` });
  };
  if (uneven.length > 0) {
    add(
      uneven,
      `${seriesText(uneven)} no constant factor to the stored bars of the same days`,
      examples(uneven, (splice) => unevenText(splice, dayOf)),
    );
  }
  if (distant.length > 0) {
    add(
      distant,
      `${seriesText(distant)} no day in common with the stored bars and no session beside them`,
      examples(distant, (splice) => distantText(splice, dayOf)),
    );
  }
  if (stepped.length > symbolCount * limits.sanity.steppedShareMax) {
    add(
      stepped.map(({ splice }) => splice),
      `${stepped.length} of ${symbolCount} series go on at another price level without a common day that tells of a split`,
      examples(stepped, ({ splice, before, after }) => {
        const { fromUs, toUs } = splice.gap!;
        return `${splice.symbol} from ${before} on ${dateOf(fromUs, dayOf)} to ${after} on ${dateOf(toUs, dayOf)}`;
      }),
    );
  }
  return holds;
}

interface Step {
  splice: SymbolSplice;
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
    return isStep ? [{ splice: apart[key], before, after }] : [];
  });
}

const END_COLUMNS = {
  key: 'INTEGER',
  side: 'INTEGER',
  seriesId: 'INTEGER',
  us: 'BIGINT',
} as const;

function intradayDay(us: number): number {
  return newYorkDay(us / MICROS_PER_MILLI);
}

function sessionsInGap({ gap }: SymbolSplice, dayOf: (us: number) => number): number {
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
  { symbol, differing, factor }: SymbolSplice,
  dayOf: (us: number) => number,
): string {
  const { timestampUs, price, older, newer } = differing!;
  const scaled = factor === 1 ? '' : ` × ${Number(factor.toPrecision(6))}`;
  const stored = Number(older.toPrecision(8));
  return `${symbol} ${PRICE_VERBS[price]} ${newer} and ${stored}${scaled} on ${dateOf(timestampUs, dayOf)}`;
}

function distantText(splice: SymbolSplice, dayOf: (us: number) => number): string {
  const { fromUs, toUs } = splice.gap!;
  const sessions = sessionsInGap(splice, dayOf);
  return `${splice.symbol} ends ${dateOf(fromUs, dayOf)} and goes on ${dateOf(toUs, dayOf)}, ${sessions} sessions later`;
}

function seriesText({ length }: readonly unknown[]): string {
  return length === 1 ? '1 series has' : `${length} series have`;
}

/** Names the first ones, and how many more there are. */
export function examples<T>(all: readonly T[], textOf: (one: T) => string): string {
  const shown = all.slice(0, limits.sanity.shownMax).map(textOf);
  if (all.length > shown.length) shown.push(`and ${all.length - shown.length} more`);
  return shown.join(', ');
}
