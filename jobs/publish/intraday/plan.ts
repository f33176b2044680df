/** Plans the intraday part of a publish from the published version and the changes since. */

import { MICROS_PER_MILLI } from '../../../src/base/bars.ts';
import { newYorkDay, newYorkMidnightMs } from '../../../src/base/time/calendar.ts';
import {
  EXTENDED_INTRADAY,
  INTRADAY_SERIES,
  type IntradaySeriesInterval,
} from '../../../src/base/time/intervals.ts';
import type { PublishedVersion } from '../../../src/store/arrow/read/published-version.ts';
import type { Change } from '../../../src/store/duckdb/connection/changes.ts';
import type { MarketDb } from '../../../src/store/duckdb/connection/open.ts';
import { selectRows } from '../../../src/store/duckdb/connection/sql-rows.ts';

type ByInterval<T> = Record<IntradaySeriesInterval, T>;

export interface IntradayPlan {
  /** First changed bar in microseconds, of published series that keep their older bars. */
  from: ByInterval<Map<string, number>>;
  whole: ByInterval<string[]>;
  /** First new minute of symbols with both intervals whose five-minute bars continue. */
  resampled: Map<string, number>;
  /** Symbols with both intervals whose five-minute bars are made again. */
  merged: string[];
  removed: ByInterval<string[]>;
}

function byInterval<T>(made: () => T): ByInterval<T> {
  const entries = INTRADAY_SERIES.map((interval) => [interval, made()] as const);
  return Object.fromEntries(entries) as ByInterval<T>;
}

/** @param changes Pending changes of intraday series, one each; all series if none is published. */
export async function planIntraday(
  market: MarketDb,
  published: PublishedVersion | undefined,
  changes: readonly Change[],
): Promise<IntradayPlan> {
  const plan: IntradayPlan = {
    from: byInterval(() => new Map()),
    whole: byInterval(() => []),
    resampled: new Map(),
    merged: [],
    removed: byInterval(() => []),
  };
  const changed = byInterval(() => new Map<string, Change>());
  for (const change of changes) {
    if (change.interval !== '1d') changed[change.interval].set(change.symbol, change);
  }
  const isPublished = (symbol: string, interval: IntradaySeriesInterval) =>
    published?.intradayPart?.number(symbol, interval) !== undefined;
  const isStored = (symbol: string, interval: IntradaySeriesInterval) => {
    const change = changed[interval].get(symbol);
    return change ? change.kind !== 'remove' : isPublished(symbol, interval);
  };
  for (const interval of ['1m', ...EXTENDED_INTRADAY] as const) {
    for (const change of changed[interval].values()) addChange(plan, published, interval, change);
  }
  const newMinutes = new Map<string, number>();
  for (const symbol of new Set([...changed['1m'].keys(), ...changed['5m'].keys()])) {
    const [minutes, five] = [changed['1m'].get(symbol), changed['5m'].get(symbol)];
    const isAlone = !minutes && !isStored(symbol, '1m');
    if (!isStored(symbol, '5m') || isAlone) {
      if (five) addChange(plan, published, '5m', five);
    } else if (!five && minutes?.kind === 'append' && isPublished(symbol, '1m')) {
      newMinutes.set(symbol, minutes.fromUs);
    } else plan.merged.push(symbol);
  }
  if (published && newMinutes.size > 0) await addNewMinutes(market, published, plan, newMinutes);
  return plan;
}

function addChange(
  { from, whole, removed }: IntradayPlan,
  published: PublishedVersion | undefined,
  interval: IntradaySeriesInterval,
  { symbol, kind, fromUs }: Change,
): void {
  const isPublished = published?.intradayPart?.number(symbol, interval) !== undefined;
  if (kind === 'remove') {
    if (isPublished) removed[interval].push(symbol);
    return;
  }
  const isFromStart =
    kind === 'rewrite' && Number(published?.intraday(symbol, interval)?.firstBarUs) >= fromUs;
  if (isPublished && !isFromStart) from[interval].set(symbol, fromUs);
  else whole[interval].push(symbol);
}

/**
 * Adds symbols with new minutes and stored five-minute bars. These continue, unless stored ones
 * reach into the session of the new minutes, where the splice may change, or beyond that of the
 * last published minute, where new minutes supersede them.
 */
async function addNewMinutes(
  { connection }: MarketDb,
  published: PublishedVersion,
  plan: IntradayPlan,
  newMinutes: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = await selectRows<{ symbol: string; lastUs: number }>(
    connection,
    `SELECT symbol, epoch_us(max(to_ts))::DOUBLE AS "lastUs" FROM winners
     SEMI JOIN (SELECT unnest(from_json($1, '["VARCHAR"]')) AS symbol) asked USING (symbol)
     WHERE interval = '5m' GROUP BY symbol`,
    [JSON.stringify([...newMinutes.keys()])],
  );
  for (const { symbol, lastUs } of rows) {
    const fromUs = newMinutes.get(symbol)!;
    const lastMinuteUs = Number(published.intraday(symbol, '1m')!.lastBarUs);
    const day = Math.min(dayOf(fromUs), dayOf(lastMinuteUs) + 1);
    const isBefore = lastUs < newYorkMidnightMs(day) * MICROS_PER_MILLI;
    if (isBefore) plan.resampled.set(symbol, fromUs);
    else plan.merged.push(symbol);
  }
}

function dayOf(timestampUs: number): number {
  return newYorkDay(timestampUs / MICROS_PER_MILLI);
}
