/** Bars of a series that publishes changed, added before the end or removed. */

import { BAR_FIELDS, type BarColumns, type BarValues } from '../base/bars.ts';
import type { StoredInterval } from '../base/time/intervals.ts';
import { formerTickersOf } from '../store/arrow/snapshot/current-symbols.ts';
import type { BarsSnapshot, Snapshot } from '../store/arrow/snapshot/snapshot.ts';
import type { PastVersions, Replacement } from './past-versions.ts';

/** A bar before and after; null for none. */
export interface ChangedBar {
  timestampUs: bigint;
  older: BarValues | null;
  newer: BarValues | null;
}

/** The changes that one publish made visible. */
export interface Correction {
  publishedMs: number;
  /** Time of the publish before. */
  beforeMs: number;
  /** Source of the series before and after; null without bars. */
  sources: readonly [older: string | null, newer: string | null];
  /** Ascending by time. */
  bars: ChangedBar[];
}

/**
 * Returns the corrections of a series, the newest first; also those under former tickers of the
 * security. The move of a series to another ticker is none.
 */
export function corrections(
  past: PastVersions,
  published: Snapshot,
  symbol: string,
  interval: StoredInterval,
): Correction[] {
  const security = securityOf(published, symbol);
  const row = published.listings.symbol.indexOf(symbol);
  const former = row === -1 ? [] : formerTickersOf(published.listings, row);
  const names = new Set([symbol, ...former.map(({ ticker }) => ticker)]);
  const isMove = (name: string, { after }: Replacement) =>
    name !== symbol && after.rowCount(name, interval) === 0;
  return [...names]
    .flatMap((name) =>
      past
        .replacements(name, interval, published)
        .filter((one) => securityOf(one.before, name) === security && !isMove(name, one))
        .map((one) => correctionOf(one, name, interval)),
    )
    .sort((a, b) => b.publishedMs - a.publishedMs);
}

function securityOf({ listings }: BarsSnapshot, symbol: string): number | undefined {
  return listings.securityId[listings.symbol.indexOf(symbol)];
}

function correctionOf(
  { before, after, start, end, resume }: Replacement,
  symbol: string,
  interval: StoredInterval,
): Correction {
  const older = before.bars(symbol, interval, { start, end });
  const resumed = Math.min(resume, after.rowCount(symbol, interval));
  const newer = after.bars(symbol, interval, { start: Math.min(start, resumed), end: resumed });
  const sourceOf = (version: BarsSnapshot) =>
    (interval === '1d' ? version.symbol(symbol) : version.intraday(symbol, interval))?.source ??
    null;
  const sources = [sourceOf(before), sourceOf(after)] as const;
  const times = { publishedMs: after.createdMs, beforeMs: before.createdMs };
  return { ...times, sources, bars: changedBars(older, newer) };
}

function changedBars(older: BarColumns, newer: BarColumns): ChangedBar[] {
  const found: ChangedBar[] = [];
  const [oldUs, newUs] = [older.timestampUs, newer.timestampUs];
  for (let i = 0, j = 0; i < oldUs.length || j < newUs.length; ) {
    const isOld = j === newUs.length || (i < oldUs.length && oldUs[i] <= newUs[j]);
    const isNew = i === oldUs.length || (j < newUs.length && newUs[j] <= oldUs[i]);
    const bar = {
      timestampUs: isOld ? oldUs[i] : newUs[j],
      older: isOld ? valuesAt(older, i) : null,
      newer: isNew ? valuesAt(newer, j) : null,
    };
    if (isOld) i++;
    if (isNew) j++;
    const isSame =
      bar.older && bar.newer && BAR_FIELDS.every((name) => bar.older![name] === bar.newer![name]);
    if (!isSame) found.push(bar);
  }
  return found;
}

function valuesAt(bars: BarColumns, row: number): BarValues {
  const values = BAR_FIELDS.map((name) => [name, bars[name][row]]);
  return Object.fromEntries(values);
}
