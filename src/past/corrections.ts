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
  return [...names]
    .flatMap((name) =>
      past
        .replacements(name, interval, published)
        .filter((one) => securityOf(one.before, name) === security)
        .map((one) => {
          const newName = security === undefined ? name : symbolOf(one.after, security);
          return correctionOf(one, [name, newName], interval);
        })
        .filter(({ bars }) => bars.length > 0),
    )
    .sort((a, b) => b.publishedMs - a.publishedMs);
}

function securityOf({ listings }: BarsSnapshot, symbol: string): number | undefined {
  return listings.securityId[listings.symbol.indexOf(symbol)];
}

function symbolOf({ listings }: BarsSnapshot, security: number): string | undefined {
  return listings.symbol[listings.securityId.indexOf(security)];
}

/** @param names Symbols of the security before and after; undefined if it is gone. */
function correctionOf(
  { before, after, ...replaced }: Replacement,
  [symbol, newSymbol]: readonly [string, string | undefined],
  interval: StoredInterval,
): Correction {
  const sourceOf = (version: BarsSnapshot, name: string) =>
    (interval === '1d' ? version.symbol(name) : version.intraday(name, interval))?.source ?? null;
  const newSource = newSymbol === undefined ? null : sourceOf(after, newSymbol);
  const sources = [sourceOf(before, symbol), newSource] as const;
  const times = { publishedMs: after.createdMs, beforeMs: before.createdMs, sources };
  if (newSymbol !== symbol) {
    // The rows that were replaced are those of the symbol, which another security may have now.
    const older = before.bars(symbol, interval);
    const range = newSymbol === undefined ? { start: 0, end: 0 } : undefined;
    const newer = after.bars(newSymbol ?? symbol, interval, range);
    const last = older.timestampUs.at(-1)!;
    const bars = changedBars(older, newer).filter(({ timestampUs }) => timestampUs <= last);
    return { ...times, bars };
  }
  const { start, end, resume } = replaced;
  const older = before.bars(symbol, interval, { start, end });
  const resumed = Math.min(resume, after.rowCount(symbol, interval));
  const newer = after.bars(symbol, interval, { start: Math.min(start, resumed), end: resumed });
  return { ...times, bars: changedBars(older, newer) };
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
