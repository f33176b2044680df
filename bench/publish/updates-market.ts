/** A generated store of raw daily bars for the benchmark of updates, and its later bars. */

import { createHash } from 'node:crypto';
import type { StoreLeftOpen } from '../../jobs/publish/publish.ts';
import { MILLIS_PER_DAY } from '../../src/base/bars.ts';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { newYorkOffsetMs, sessionOpenMs, sessionsBetween } from '../../src/base/time/calendar.ts';
import type {
  CandleSegment,
  SymbolActions,
} from '../../src/store/duckdb/connection/candle-segment.ts';
import { openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import { acquireWriterLock } from '../../src/store/duckdb/connection/writer-lock.ts';
import { loadCandleBatch } from '../../src/store/duckdb/load/load-candles.ts';

/** Prices in cents that follow from symbol number and time: waves and noise. */
const BAR_SQL = `SELECT s::INTEGER AS file_index, ts, round(c + 0.1, 2) AS open,
    round(c + 1, 2) AS high, round(c - 1, 2) AS low, c AS close, (1000 + hash(s * 100003 + t) % 100000)::DOUBLE AS volume
  FROM (SELECT s, ts, t, round(60 + s % 40 + 20 * sin(t / 37.0 + s)
          + (hash(s * 100019 + t) % 1000) / 500.0, 2) AS c FROM bars)`;

/**
 * Daily bars of all sessions between two days, both included.
 *
 * @param symbols The first of the market's: number s is their place.
 */
export function dailySegment(
  symbols: readonly string[],
  firstDay: number,
  lastDay: number,
  actions?: SymbolActions[],
): CandleSegment {
  const days = [...sessionsBetween(firstDay, lastDay)];
  const bars = `SELECT s, t, make_timestamp(t::BIGINT * 86400000000) AS ts
    FROM range(${symbols.length}) n(s), (SELECT unnest([${days}]) AS t) ORDER BY s, t`;
  return segmentOf('1d', symbols, `${firstDay} ${lastDay}`, days.length, bars, actions);
}

/** One minute of all symbols: number `minute` of a session. */
export function minuteSegment(
  symbols: readonly string[],
  day: number,
  minute: number,
): CandleSegment {
  const startUs = (sessionOpenMs(day) + minute * 60_000) * 1000;
  const bars = `SELECT s, ${minute} + 1000 AS t, make_timestamp(${startUs}) AS ts
    FROM range(${symbols.length}) n(s) ORDER BY s`;
  return segmentOf('1m', symbols, `${day} ${minute}`, 1, bars);
}

/**
 * All minutes of whole sessions.
 *
 * @param first Number of the first symbol in the market.
 * @param version Number of a correction: a later one has other prices and supersedes earlier ones.
 */
export function sessionSegment(
  symbols: readonly string[],
  days: readonly number[],
  { first = 0, version = 0 } = {},
): CandleSegment {
  const bars = `SELECT s, d.day * 1000 + m + ${first + version} AS t,
      make_timestamp(d.open_us + m * 60000000) AS ts
    FROM range(${symbols.length}) n(s), range(${SESSION_MINUTES}) i(m),
      (SELECT unnest([${days}]) AS day,
        unnest([${days.map((day) => sessionOpenMs(day) * 1000)}]) AS open_us) d
    ORDER BY s, ts`;
  const rowsEach = SESSION_MINUTES * days.length;
  const name = `${days} ${first} ${version}`;
  const segment = segmentOf('1m', symbols, name, rowsEach, bars);
  if (version === 0) return segment;
  const asOfMs = afterSessionMs(days[days.length - 1]) + version * 60_000;
  return { ...segment, asOfUs: BigInt(asOfMs * 1000) };
}

export const SESSION_MINUTES = 390;

function segmentOf(
  interval: '1d' | '1m',
  symbols: readonly string[],
  name: string,
  rowsEach: number,
  barsSql: string,
  actions?: SymbolActions[],
): CandleSegment {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const id = sha256(`${interval} ${name} ${symbols.length} ${JSON.stringify(actions)}`);
  return {
    id,
    dataset: 'candles',
    source: 'massive',
    interval,
    basis: 'raw',
    asOfUs: undefined,
    origin: name,
    kind: 'external',
    files: symbols.map((symbol) => ({
      path: symbol,
      symbol,
      dataLines: rowsEach,
      sha256: sha256(`${symbol} ${id}`),
    })),
    groups: [
      {
        selectSql: `WITH bars AS (${barsSql}) ${BAR_SQL}`,
        fileIndexes: [...symbols.keys()],
      },
    ],
    examine: () => Promise.reject(new Error('every generated row is good')),
    actions,
  };
}

/** 20:00 in New York: after a session's close, when its bars are loaded. */
export function afterSessionMs(day: number): number {
  const midnightMs = day * MILLIS_PER_DAY;
  return midnightMs + 20 * 3_600_000 - newYorkOffsetMs(midnightMs);
}

export async function loadSegment(
  paths: ModePaths,
  segment: CandleSegment,
  nowMs: number,
): Promise<void> {
  const { market, lock } = await loadAndKeepOpen(paths, segment, nowMs);
  market.close();
  lock.release();
}

/** Loads a segment, and leaves the store open for a publish. */
export async function loadAndKeepOpen(
  paths: ModePaths,
  segment: CandleSegment,
  nowMs: number,
): Promise<StoreLeftOpen> {
  const lock = await acquireWriterLock(paths, { verb: 'bench' });
  const market = await openMarketForWriting(paths, { verb: 'bench', nowMs, lock });
  await loadCandleBatch(market, [{ segment }], nowMs);
  return { market, lock };
}
