/**
 * Check of users' files that bring one new daily bar of a symbol: nothing after it confirms a date or
 * a price that its series contradicts.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { isTenfold, sessionMonthsBefore } from '../../../base/prices/lone-bar.ts';
import { distance } from '../../../base/prices/split-jump.ts';
import type { PublishedQuotes } from '../../../base/published-quotes.ts';
import {
  CALENDAR_FIRST_DAY,
  newYorkDay,
  nextSession,
  sessionsBetween,
} from '../../../base/time/calendar.ts';
import { dateFromDay, dayFromMicros } from '../../../base/time/dates.ts';
import type { LoadedFile } from '../candles/insert-rows.ts';
import { jsonTable, selectRows } from '../connection/sql-rows.ts';
import type { SeriesHold } from './series-hold.ts';

interface LoneBar {
  symbol: string;
  day: number;
  close: number;
  before: { day: number; price: number };
}

/** @param symbols Symbols of the files' securities, by file. */
export async function holdForLoneBars(
  connection: DuckDBConnection,
  { files, symbols }: { files: readonly LoadedFile[]; symbols: readonly string[] },
  published: PublishedQuotes,
): Promise<SeriesHold[]> {
  const bars = await readLoneBars(connection, loneDays({ files, symbols }, published), published);
  const late = bars.filter(({ day, before }) => sessionMonthsBefore(day, before.day) !== undefined);
  const dated = (await withoutThin(connection, late)).map(({ symbol, day, before }) => {
    const [date, last, next] = [day, before.day, nextSession(before.day)].map(dateFromDay);
    return { symbol, detail: `on ${date} after ${last} (${next} is missing)` };
  });
  const tenfold = await withoutSplits(
    connection,
    bars.filter(
      // A bar of a later session agrees with one that was held, or follows a pause.
      ({ day, close, before }) => day === nextSession(before.day) && isTenfold(close, before.price),
    ),
  );
  return [
    ...hold('one bar months off', 'with one bar months or years after the one before', dated),
    ...hold(
      'one bar in another unit',
      'with one bar of eight times the close before or an eighth, and no known split (a bar of the next session confirms it; if there was a split, load it first)',
      tenfold.map(({ symbol, close, before }) => ({
        symbol,
        detail: `from ${before.price} on ${dateFromDay(before.day)} to ${close}`,
      })),
    ),
  ];
}

function hold(check: string, text: string, found: SeriesHold['found']): SeriesHold[] {
  return found.length === 0 ? [] : [{ check, verbs: ['goes on', 'go on'], text, found }];
}

/** Days of the symbols that have one bar in the load, later than the published one. */
function loneDays(
  { files, symbols }: { files: readonly LoadedFile[]; symbols: readonly string[] },
  published: PublishedQuotes,
): Map<string, number> {
  const bySymbol = Map.groupBy(
    files.filter(({ accepted }) => accepted > 0),
    ({ fileIndex }) => symbols[fileIndex],
  );
  const days = new Map<string, number>();
  for (const [symbol, [{ accepted, firstUs }, ...others]] of bySymbol) {
    const quote = published.quote(symbol);
    if (accepted > 1 || others.length > 0 || quote === undefined) continue;
    const [day, before] = [dayFromMicros(firstUs), newYorkDay(quote.timestampMs)];
    if (day > before && before >= CALENDAR_FIRST_DAY) days.set(symbol, day);
  }
  return days;
}

/** Reads the closes of such bars that are served. */
async function readLoneBars(
  connection: DuckDBConnection,
  days: ReadonlyMap<string, number>,
  published: PublishedQuotes,
): Promise<LoneBar[]> {
  if (days.size === 0) return [];
  const wanted = [...days].map(([symbol, day]) => ({ symbol, day }));
  const found = await selectRows<{ symbol: string; day: number; close: number }>(
    connection,
    `SELECT w.symbol, wanted.day, b.close * w.factor AS close
     FROM ${jsonTable({ symbol: 'VARCHAR', day: 'INTEGER' })} AS wanted
     JOIN winners w ON w.symbol = wanted.symbol AND w.interval = '1d'
     JOIN bars b ON b.series_id = w.series_id AND b.ts BETWEEN w.from_ts AND w.to_ts
       AND b.ts = DATE '1970-01-01' + wanted.day`,
    [JSON.stringify(wanted)],
  );
  return found.map((bar) => {
    const { price, timestampMs } = published.quote(bar.symbol)!;
    return { ...bar, before: { day: newYorkDay(timestampMs), price } };
  });
}

/** Leaves out bars that a known split near them explains. */
async function withoutSplits(
  connection: DuckDBConnection,
  bars: readonly LoneBar[],
): Promise<LoneBar[]> {
  if (bars.length === 0) return [];
  const splits = await selectRows<{ symbol: string; ratio: number; day: number }>(
    connection,
    `SELECT symbol, (ex_date - DATE '1970-01-01')::INTEGER AS day,
       (denominator / numerator)::DOUBLE AS ratio
     FROM corporate_actions SEMI JOIN ${jsonTable({ symbol: 'VARCHAR' })} USING (symbol)
     WHERE type = 'split'`,
    [JSON.stringify(bars.map(({ symbol }) => ({ symbol })))],
  );
  return bars.filter(
    ({ symbol, day, close, before }) =>
      !splits.some(
        (split) =>
          split.symbol === symbol &&
          split.day > before.day &&
          split.day <= day &&
          distance(close / before.price, split.ratio) < Math.log(2),
      ),
  );
}

/** Sessions before a bar of which a series has nearly all, and the part of them that it may lack. */
const SESSIONS_BEFORE_DAYS = 90;
const LACKING_SHARE_MAX = 0.05;

/** Leaves out symbols that do not trade every day, and so may pause for months. */
async function withoutThin(
  connection: DuckDBConnection,
  bars: readonly LoneBar[],
): Promise<LoneBar[]> {
  if (bars.length === 0) return [];
  const wanted = bars.map(({ symbol, before: { day } }) => ({ symbol, day }));
  const found = await selectRows<{ symbol: string; firstDay: number; count: number }>(
    connection,
    `SELECT wanted.symbol, (min(b.ts)::DATE - DATE '1970-01-01')::INTEGER AS "firstDay",
       count(*)::DOUBLE AS count
     FROM ${jsonTable({ symbol: 'VARCHAR', day: 'INTEGER' })} AS wanted
     JOIN winners w ON w.symbol = wanted.symbol AND w.interval = '1d'
     JOIN bars b ON b.series_id = w.series_id AND b.ts BETWEEN w.from_ts AND w.to_ts
       AND b.ts BETWEEN DATE '1970-01-01' + (wanted.day - ${SESSIONS_BEFORE_DAYS})
         AND DATE '1970-01-01' + wanted.day
     GROUP BY wanted.symbol`,
    [JSON.stringify(wanted)],
  );
  const bySymbol = new Map(found.map((row) => [row.symbol, row]));
  return bars.filter(({ symbol, before: { day } }) => {
    const { firstDay = day, count = 0 } = bySymbol.get(symbol) ?? {};
    return count >= sessionsBetween(firstDay, day).length * (1 - LACKING_SHARE_MAX);
  });
}
