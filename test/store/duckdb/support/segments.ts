/** Small segments for the tests of the market store. */

import { createHash } from 'node:crypto';
import { MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../../../src/base/bars.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import type {
  CandleSegment,
  SymbolActions,
} from '../../../../src/store/duckdb/connection/candle-segment.ts';

/** A bar at a date or time whose high and low follow from its close, and the open unless given; volume 1000 unless given. */
export type TestBar = [ts: string, close: number, volume?: number, open?: number];

export interface TestFile {
  symbol: string;
  bars: TestBar[];
  /** Lines, where they are more than the good bars. */
  dataLines?: number;
  /** Given where several symbols are in one file. */
  path?: string;
}

export type SegmentOptions = Partial<
  Pick<CandleSegment, 'source' | 'interval' | 'hours' | 'basis' | 'rejectedLines' | 'examine'>
> & { asOf?: string; actions?: SymbolActions[]; name?: string };

const ROW_TYPES = JSON.stringify([
  {
    file_index: 'INTEGER',
    ts: 'TIMESTAMP',
    open: 'DOUBLE',
    high: 'DOUBLE',
    low: 'DOUBLE',
    close: 'DOUBLE',
    volume: 'DOUBLE',
  },
]);

/** A segment whose rows stand in its statement; its id and hashes follow from its content. */
export function segmentOf(files: TestFile[], options: SegmentOptions = {}): CandleSegment {
  const { source = 'files', interval = '1d', hours, basis = 'all', asOf, actions } = options;
  const { name = '' } = options;
  const rows = files.flatMap(({ bars }, index) =>
    bars.map(([ts, close, volume = 1000, open = close]) => {
      const prices = { open, high: close * 1.5, low: close / 2, close };
      return { file_index: index, ts, ...prices, volume };
    }),
  );
  return {
    id: hash({ files, source, interval, hours, basis, asOf, actions, name }),
    dataset: 'candles',
    source,
    interval,
    ...(hours && { hours }),
    basis,
    asOfUs: asOf === undefined ? undefined : usOf(asOf),
    origin: `${name}.zip`,
    kind: 'external',
    files: files.map((file) => ({
      path: file.path ?? `${file.symbol}-${hash(file)}.csv`,
      symbol: file.symbol,
      dataLines: file.dataLines ?? file.bars.length,
      sha256: hash(file.path ?? file),
    })),
    groups:
      rows.length === 0
        ? []
        : [
            {
              // One text, where a list of values would be as many expressions to plan.
              selectSql: `SELECT unnest(from_json('${JSON.stringify(rows)}', '${ROW_TYPES}'), recursive := true)`,
              fileIndexes: [...files.keys()],
            },
          ],
    examine: options.examine ?? (() => Promise.reject(new Error('nothing to examine'))),
    ...(options.rejectedLines !== undefined && { rejectedLines: options.rejectedLines }),
    ...(actions && { actions }),
  };
}

/** A segment of one symbol in one file; SPY unless named. */
export function oneFile(bars: TestBar[], options: SegmentOptions = {}, symbol = 'SPY') {
  return segmentOf([{ symbol, bars }], options);
}

/** A corporate-action record from one day to another, with splits 2:1 and dividends on days. */
export function actionsOf(
  symbol: string,
  [from, to]: readonly [string, string],
  { splits = [], dividends = [] }: { splits?: string[]; dividends?: [string, number][] } = {},
): SymbolActions {
  return {
    symbol,
    splits: splits.map((date) => ({ exDay: dayFromDate(date), numerator: 2, denominator: 1 })),
    dividends: dividends.map(([date, amount]) => ({ exDay: dayFromDate(date), amount })),
    coverageFromDay: dayFromDate(from),
    coverageToDay: dayFromDate(to),
  };
}

/** `count` bars on consecutive days from `date`, closes from `close`. */
export function risingBars(date: string, count: number, close = 100, step = 1): TestBar[] {
  return Array.from({ length: count }, (_, i) => [dateAfter(date, i), close + i * step]);
}

/** Bars of one session of a summer, each a minute after the one before, from 09:30 New York. */
export function minuteBars(date: string, count: number, close = 100, firstMinute = 0): TestBar[] {
  return Array.from({ length: count }, (_, i): TestBar => {
    const clock = new Date(Date.parse(`${date}T13:30:00Z`) + (firstMinute + i) * 60_000);
    return [clock.toISOString().slice(0, 19).replace('T', ' '), close + i / 100];
  });
}

export function dateAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * MILLIS_PER_DAY).toISOString().slice(0, 10);
}

export function usOf(date: string): bigint {
  return BigInt(dayFromDate(date) * MILLIS_PER_DAY * MICROS_PER_MILLI);
}

/** One of a family of raw segments that overlap in some symbols and days. */
export function numberedSegment(number: number): CandleSegment {
  const start = `2020-01-${String((number % 20) + 1).padStart(2, '0')}`;
  const files = ['SPY', 'QQQ', `S${number}`].map((symbol) => ({
    symbol,
    bars: risingBars(start, 10, 100 + number),
  }));
  return segmentOf(files, { basis: 'raw', name: `numbered ${number}` });
}

function hash(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
