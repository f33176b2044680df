/** Bars as stored, in parts by year or month, each with a hash of what it holds. */

import { createHash, type Hash } from 'node:crypto';
import type { CandleSeries } from '../../api/routes/candles/series.ts';
import {
  type BarColumns,
  type Basis,
  barRows,
  blankBars,
  MICROS_PER_MILLI,
  MILLIS_PER_DAY,
} from '../../base/bars.ts';
import { rowOfTimestamp } from '../../base/search-sorted.ts';
import { type IntradaySeriesInterval, SERVED_INTERVALS } from '../../base/time/intervals.ts';
import type { PublishedVersion } from '../../store/arrow/read/published-version.ts';
import { seriesParts } from '../../store/arrow/read/series-parts.ts';

/** Bars of the store: days, and minutes of regular or other hours. */
export type StoredBars = '1d' | IntradaySeriesInterval;

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

export interface CountedSpan extends HashedSpan {
  rows: number;
}

const DAY_US = BigInt(MILLIS_PER_DAY * MICROS_PER_MILLI);
const ALL_TIME = { fromUs: -(2n ** 63n), endUs: 2n ** 63n - 1n };

function microsOf(year: number, month0: number): bigint {
  return BigInt(Date.UTC(year, month0)) * BigInt(MICROS_PER_MILLI);
}

function yearSpan(year: number): Span {
  return { year, month: null, fromUs: microsOf(year, 0), endUs: microsOf(year + 1, 0) };
}

function monthSpan(year: number, month: number): Span {
  return { year, month, fromUs: microsOf(year, month - 1), endUs: microsOf(year, month) };
}

function daySpan(timestampUs: bigint): Span {
  const date = dateOf(timestampUs);
  const fromUs = timestampUs - (timestampUs % DAY_US);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1];
  return { year, month, fromUs, endUs: fromUs + DAY_US };
}

function dateOf(timestampUs: bigint): Date {
  return new Date(Number(timestampUs / BigInt(MICROS_PER_MILLI)));
}

/** Hashes of spans while their content is read, in any order. */
class SpanHashes {
  readonly #hashes = new Map<bigint, { span: Span; hash: Hash; rows: number }>();

  of(span: Span) {
    let known = this.#hashes.get(span.fromUs);
    if (!known) {
      known = { span, hash: createHash('sha256'), rows: 0 };
      this.#hashes.set(span.fromUs, known);
    }
    return known;
  }

  /** Adds the bars of a symbol, ascending, to the spans that they lie in. */
  addRows(symbol: string, basis: Basis, bars: BarColumns, spanOf: (timestampUs: bigint) => Span) {
    const end = bars.close.length;
    for (let start = 0; start < end; ) {
      const known = this.of(spanOf(bars.timestampUs[start]));
      const next = rowOfTimestamp(bars.timestampUs, known.span.endUs);
      known.hash.update(`${symbol} ${basis} ${next - start}\n`);
      for (const column of Object.values(barRows(bars, start, next))) known.hash.update(column);
      known.rows += next - start;
      start = next;
    }
  }

  finish(): CountedSpan[] {
    return Array.from(this.#hashes.values())
      .sort((a, b) => Number(a.span.fromUs - b.span.fromUs))
      .map(({ span, hash, rows }) => ({ span, hash: hash.digest('hex'), rows }));
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
): AsyncGenerator<CountedSpan> {
  const spanOf = (timestampUs: bigint) => yearSpan(dateOf(timestampUs).getUTCFullYear());
  yield* readSpans(storedSeries(version, '1d', ALL_TIME), spanOf, tick);
}

/** Hashes the intraday bars of each day of a span, which are read once. */
export async function* sessionSpans(
  version: PublishedVersion,
  interval: IntradaySeriesInterval,
  within: Span,
  tick: () => Promise<void>,
): AsyncGenerator<CountedSpan> {
  yield* readSpans(storedSeries(version, interval, within), daySpan, tick);
}

async function* readSpans(
  all: Iterable<CandleSeries>,
  spanOf: (timestampUs: bigint) => Span,
  tick: () => Promise<void>,
): AsyncGenerator<CountedSpan> {
  const hashes = new SpanHashes();
  let bars = blankBars(0);
  for (const { symbol, adjustment, rowCount, copyRows } of all) {
    if (bars.close.length < rowCount) bars = blankBars(2 * rowCount);
    const rows = barRows(bars, 0, rowCount);
    copyRows(0, rowCount, rows);
    hashes.addRows(symbol, adjustment, rows, spanOf);
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
  interval: IntradaySeriesInterval,
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
        const { hash } = hashes.of(isCut ? { ...span, endUs } : span);
        hash.update(`${content} ${isCut ? endUs : ''}\n`);
      }
    }
    await tick();
  }
  yield* hashes.finish();
}

/** Returns the symbols with intraday bars of an interval, ascending. */
export function intradaySymbols(
  version: PublishedVersion,
  interval: IntradaySeriesInterval,
): string[] {
  return [...(version.intradayPart?.symbols(interval).keys() ?? [])].sort();
}

/** Returns the symbols that may have bars of an interval. */
export function storedSymbols(version: PublishedVersion, interval: StoredBars): readonly string[] {
  return interval === '1d' ? version.symbols : intradaySymbols(version, interval);
}

/** Returns the facts about a symbol's bars of an interval; undefined if it has none. */
export function storedInfo(version: PublishedVersion, symbol: string, interval: StoredBars) {
  return interval === '1d' ? version.symbol(symbol) : version.intraday(symbol, interval);
}

/** Yields the bars of a span as stored, a symbol at a time. */
export function* storedSeries(
  version: PublishedVersion,
  interval: StoredBars,
  { fromUs, endUs }: Pick<Span, 'fromUs' | 'endUs'>,
): Generator<CandleSeries> {
  for (const symbol of storedSymbols(version, interval)) {
    const info = storedInfo(version, symbol, interval);
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
  return BigInt(day + 1) * DAY_US;
}
