/** Publishes the five-minute bars of symbols whose minutes are stored too. */

import {
  type BarColumns,
  type Basis,
  barRows,
  joinedBars,
  MICROS_PER_MILLI,
  millisFromMicros,
} from '../../../src/base/bars.ts';
import { sessionCloseMs } from '../../../src/base/time/calendar.ts';
import type { StoredIntraday } from '../../../src/base/time/intervals.ts';
import { resampleIntraday } from '../../../src/compute/bars/resample-intraday.ts';
import { type SessionSpan, sessionSpans } from '../../../src/compute/bars/session-spans.ts';
import type { PublishedVersion } from '../../../src/store/arrow/read/published-version.ts';
import {
  streamWinningBars,
  type WinningSeries,
} from '../../../src/store/duckdb/candles/read-bars.ts';
import type { MarketDb } from '../../../src/store/duckdb/connection/open.ts';
import {
  type Candidate,
  type Closes,
  winnerPieces,
} from '../../../src/store/duckdb/vintages/winner-pieces.ts';
import type { IntradayQuotes } from '../quotes/intraday-quotes.ts';
import { factsOfSeries, type IntradaySeriesWriter } from './series-writer.ts';

const FIVE_MINUTES_US = 300_000_000n;

export interface FiveMinutesTarget {
  market: MarketDb;
  published: PublishedVersion | undefined;
  writer: IntradaySeriesWriter;
  quotes: IntradayQuotes;
}

/** Publishes the five-minute bars that new minutes add or extend. */
export async function addResampled(
  { published, writer, quotes }: FiveMinutesTarget,
  symbol: string,
  firstRow: number,
  minutes: BarColumns,
): Promise<void> {
  if (minutes.close.length === 0) return;
  // Sessions open at a multiple of five minutes.
  const bucketUs = minutes.timestampUs[0] - (minutes.timestampUs[0] % FIVE_MINUTES_US);
  const start = published!.rowAt(symbol, '1m', bucketUs);
  const older = published!.bars(symbol, '1m', { start, end: firstRow });
  const bars = resampleIntraday(joinedBars(older, minutes), '5m');
  const facts = writer.facts(symbol, '5m')!;
  const row = published!.rowAt(symbol, '5m', bucketUs);
  await writer.add(facts, row, bars);
  quotes.add(symbol, '5m', row, bars);
}

/** Makes all five-minute bars of a symbol and writes them from the first one that differs. */
export async function addMerged(
  { market, published, writer, quotes }: FiveMinutesTarget,
  symbol: string,
): Promise<void> {
  const minutes = await readWhole(market, symbol, '1m');
  const stored = await readWhole(market, symbol, '5m');
  if (!stored) return;
  const bars = minutes ? fiveMinutes(minutes, stored) : stored.bars;
  const facts = factsOfSeries(minutes ?? stored, '5m');
  const old = published?.bars(symbol, '5m');
  const firstRow = old ? commonRows(old, bars) : 0;
  writer.set(facts);
  if (firstRow === bars.close.length && firstRow === old?.close.length) return;
  const newer = barRows(bars, firstRow);
  await writer.add(facts, firstRow, newer);
  quotes.add(symbol, '5m', firstRow, newer);
}

async function readWhole(
  market: MarketDb,
  symbol: string,
  interval: StoredIntraday,
): Promise<WinningSeries | undefined> {
  for await (const series of streamWinningBars(market, interval, [symbol])) return series;
  return undefined;
}

function commonRows(a: BarColumns, b: BarColumns): number {
  const columns = ['timestampUs', 'open', 'high', 'low', 'close', 'volume'] as const;
  let row = 0;
  while (row < a.close.length && columns.every((name) => Object.is(a[name][row], b[name][row]))) {
    row++;
  }
  return row;
}

export interface StoredBars {
  basis: Basis;
  bars: BarColumns;
}

/**
 * Resamples minutes, and splices stored five-minute bars before and after them, under the rule for
 * two sources: one basis, and closes of five common sessions that agree after a constant factor.
 */
export function fiveMinutes(minutes: StoredBars, stored: StoredBars): BarColumns {
  const made = resampleIntraday(minutes.bars, '5m');
  const series = [made, stored.bars];
  const bases = [minutes.basis, stored.basis];
  const closes = series.map(sessionCloses);
  if (closes[0].sessions.length === 0) return stored.bars;
  if (closes[1].sessions.length === 0) return made;
  const pieces = winnerPieces(
    closes.map(({ sessions }, seriesId) => candidateOf(sessions, seriesId, bases[seriesId])),
    new Map(closes.entries()),
  );
  return pieces
    .map(({ seriesId, fromUs, toUs, factor, splitFactor }) => {
      const { timestampUs, sessions } = closes[seriesId];
      const within = sessions.filter((_, i) => timestampUs[i] >= fromUs && timestampUs[i] <= toUs);
      const [first, last] = [within[0], within[within.length - 1]];
      return scaled(
        barRows(series[seriesId], first.start, last.end),
        factor,
        splitFactor ?? factor,
      );
    })
    .reduce((before, piece) => joinedBars(before, piece));
}

interface SessionCloses extends Closes {
  sessions: SessionSpan[];
}

function sessionCloses({ timestampUs, close }: BarColumns): SessionCloses {
  const sessions = sessionSpans(millisFromMicros(timestampUs));
  return {
    sessions,
    timestampUs: Float64Array.from(sessions, ({ end }) => Number(timestampUs[end - 1])),
    close: Float64Array.from(sessions, ({ end }) => close[end - 1]),
  };
}

function candidateOf(sessions: readonly SessionSpan[], seriesId: number, basis: Basis): Candidate {
  const [first, last] = [sessions[0], sessions[sessions.length - 1]];
  const lastUs = sessionCloseMs(last.day) * MICROS_PER_MILLI;
  return { seriesId, basis, firstUs: first.openMs * MICROS_PER_MILLI, lastUs };
}

function scaled(bars: BarColumns, factor: number, splitFactor: number): BarColumns {
  if (factor === 1) return bars;
  const { timestampUs, open, high, low, close, volume } = bars;
  const price = (column: Float64Array) => column.map((value) => value * factor);
  return {
    timestampUs,
    open: price(open),
    high: price(high),
    low: price(low),
    close: price(close),
    volume: volume.map((value) => value / splitFactor),
  };
}
