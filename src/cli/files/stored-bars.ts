/** Bars as stored, in parts by year or month, each with a hash of what it holds. */

import { createHash, type Hash } from 'node:crypto';
import type { CandleSeries } from '../../api/routes/candles/series.ts';
import { barRows, blankBars, MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../base/bars.ts';
import { rowOfTimestamp } from '../../base/search-sorted.ts';
import { SERVED_INTERVALS, type StoredIntraday } from '../../base/time/intervals.ts';
import type { PublishedVersion } from '../../store/arrow/read/published-version.ts';
import { seriesParts } from '../../store/arrow/read/series-parts.ts';

/** Rows with timestamps in [fromUs, endUs). */
export interface Span {
  year: number;
  /** 1 to 12; null: the whole year. */
  month: number | null;
  fromUs: bigint;
  endUs: bigint;
}

/** A span of bars and the hash of its content. */
export interface HashedSpan {
  span: Span;
  hash: string;
}

function microsOf(year: number, month0: number): bigint {
  return BigInt(Date.UTC(year, month0)) * BigInt(MICROS_PER_MILLI);
}

function yearSpan(year: number): Span {
  return { year, month: null, fromUs: microsOf(year, 0), endUs: microsOf(year + 1, 0) };
}

function monthSpan(year: number, month: number): Span {
  return { year, month, fromUs: microsOf(year, month - 1), endUs: microsOf(year, month) };
}

function dateOf(timestampUs: bigint): Date {
  return new Date(Number(timestampUs / BigInt(MICROS_PER_MILLI)));
}

/** Hashes of spans while their content is read, in any order. */
class SpanHashes {
  readonly #hashes = new Map<number, { span: Span; hash: Hash }>();

  of(span: Span): Hash {
    const key = span.year * 100 + (span.month ?? 0);
    let known = this.#hashes.get(key);
    if (!known) {
      known = { span, hash: createHash('sha256') };
      this.#hashes.set(key, known);
    }
    return known.hash;
  }

  finish(): HashedSpan[] {
    return Array.from(this.#hashes)
      .sort(([a], [b]) => a - b)
      .map(([, { span, hash }]) => ({ span, hash: hash.digest('hex') }));
  }
}

/**
 * Hashes the daily bars of each year: a year has another hash only if a bar or a basis changed.
 *
 * All bars are read once, some 2 GB/s.
 */
export async function* dailySpans(
  version: PublishedVersion,
  tick: () => Promise<void>,
): AsyncGenerator<HashedSpan> {
  const hashes = new SpanHashes();
  let bars = blankBars(0);
  for (const symbol of version.symbols) {
    const info = version.symbol(symbol);
    if (!info) continue;
    const end = version.rowCount(symbol, '1d');
    if (bars.close.length < end) bars = blankBars(2 * end);
    const rows = barRows(bars, 0, end);
    version.copyBars(symbol, '1d', { start: 0, end }, rows);
    for (let start = 0; start < end; ) {
      const span = yearSpan(dateOf(rows.timestampUs[start]).getUTCFullYear());
      const next = rowOfTimestamp(rows.timestampUs, span.endUs);
      const hash = hashes.of(span);
      hash.update(`${symbol} ${info.basis} ${next - start}\n`);
      for (const column of Object.values(barRows(rows, start, next))) hash.update(column);
      start = next;
    }
    await tick();
  }
  yield* hashes.finish();
}

/**
 * Hashes the intraday bars of each month by the checksums of the batches that hold them: a past
 * month keeps its hash until a late bar or a compaction comes.
 *
 * @param endUs Bars from then on are left out: those of a session that has not ended.
 */
export async function* intradaySpans(
  version: PublishedVersion,
  interval: StoredIntraday,
  endUs: bigint,
  tick: () => Promise<void>,
): AsyncGenerator<HashedSpan> {
  const part = version.intradayPart;
  if (!part) return;
  const hashes = new SpanHashes();
  const number = SERVED_INTERVALS.indexOf(interval);
  for (const symbol of intradaySymbols(version, interval)) {
    const series = part.number(symbol, interval)!;
    const basis = part.facts(series)?.basis;
    for (const one of seriesParts(part.layers, number, series)) {
      const { batches } = one.layer;
      const batch = one.layer.batchOfPart(one.part);
      if (batches.first_ts[batch] >= endUs) continue;
      const content = [symbol, basis, batches.candles_crc32[batch], one.start, one.end].join(' ');
      const first = dateOf(batches.first_ts[batch]);
      const months = first.getUTCFullYear() * 12 + first.getUTCMonth();
      for (let i = months; ; i++) {
        const span = monthSpan(Math.floor(i / 12), (i % 12) + 1);
        if (span.fromUs > batches.last_ts[batch] || span.fromUs >= endUs) break;
        const isCut = span.endUs > endUs;
        hashes.of(isCut ? { ...span, endUs } : span).update(`${content} ${isCut ? endUs : ''}\n`);
      }
    }
    await tick();
  }
  yield* hashes.finish();
}

/** Returns the symbols with intraday bars of an interval, ascending. */
export function intradaySymbols(version: PublishedVersion, interval: StoredIntraday): string[] {
  return [...(version.intradayPart?.symbols(interval).keys() ?? [])].sort();
}

/** Yields the bars of a span as stored, a symbol at a time. */
export function* storedSeries(
  version: PublishedVersion,
  interval: '1d' | StoredIntraday,
  { fromUs, endUs }: Span,
): Generator<CandleSeries> {
  const symbols = interval === '1d' ? version.symbols : intradaySymbols(version, interval);
  for (const symbol of symbols) {
    const info = interval === '1d' ? version.symbol(symbol) : version.intraday(symbol, interval);
    if (!info) continue;
    const first = version.rowAt(symbol, interval, fromUs);
    yield {
      symbol,
      adjustment: info.basis,
      rowCount: Math.max(0, version.rowAt(symbol, interval, endUs) - first),
      indicators: [],
      copyRows: (start, end, out) =>
        version.copyBars(symbol, interval, { start: first + start, end: first + end }, out),
    };
  }
}

/** Returns the end of a day in UTC. */
export function endOfDayUs(day: number): bigint {
  return BigInt(day + 1) * BigInt(MILLIS_PER_DAY * MICROS_PER_MILLI);
}
