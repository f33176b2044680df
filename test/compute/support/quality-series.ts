/** Daily series for tests of quality flags: made up ones, and real ones from vendors' CSV files. */

import { readFileSync } from 'node:fs';
import {
  type BarColumns,
  blankBars,
  type Dividend,
  microsFromMillis,
  type Split,
} from '../../../src/base/bars.ts';
import { nextSession } from '../../../src/base/time/calendar.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { realdata } from '../../support/realdata.ts';
import { seededRandom } from './hostile-series.ts';

/** A walk of sessions from 2020-01-02 on: cents, opens near the close before, ordinary volume. */
export function quietSeries(barCount: number, seed = 1): BarColumns {
  const random = seededRandom(seed);
  // Of its own, so that four prices repeat as seldom as real ones.
  const shadow = seededRandom(~seed);
  const cents = (price: number) => Math.round(price * 100) / 100;
  const bars = blankBars(barCount);
  let day = dayFromDate('2020-01-01');
  let last = 50;
  for (let i = 0; i < barCount; i++) {
    day = nextSession(day);
    bars.timestampUs[i] = BigInt(day) * 86_400_000_000n;
    bars.open[i] = cents(last * (1 + (random() - 0.5) * 0.01));
    bars.close[i] = cents(bars.open[i] * (1 + (random() - 0.5) * 0.04));
    bars.high[i] = cents(Math.max(bars.open[i], bars.close[i]) * (1.005 + shadow() * 0.01));
    bars.low[i] = cents(Math.min(bars.open[i], bars.close[i]) * (0.995 - shadow() * 0.01));
    bars.volume[i] = Math.round(1e6 * Math.exp(random() - 0.5));
    last = bars.close[i];
  }
  return bars;
}

/** Prices and volume of rows [start, end) times these factors; the bars given stay as they are. */
export function scaledRows(
  bars: BarColumns,
  start: number,
  end: number,
  { price = 1, volume = 1 },
): BarColumns {
  const scale = (column: Float64Array, factor: number) =>
    column.map((value, row) => (row >= start && row < end ? value * factor : value));
  return {
    timestampUs: bars.timestampUs,
    open: scale(bars.open, price),
    high: scale(bars.high, price),
    low: scale(bars.low, price),
    close: scale(bars.close, price),
    volume: scale(bars.volume, volume),
  };
}

export interface RecordedSeries {
  bars: BarColumns;
  splits: Split[];
  dividends: Dividend[];
}

/** A vendor's CSV by its column names, oldest first. Rows that ingest would refuse are left out. */
export function recordedSeries(path: string): RecordedSeries {
  const [header, ...lines] = readFileSync(realdata(path), 'utf8')
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/);
  const names = header.toLowerCase().split(',');
  const rows = lines
    .map((line) => line.split(','))
    .map((cells) => (name: string) => cells[names.indexOf(name)] ?? '')
    .map((cell) => ({
      ms: millisFromText(cell('date') || cell('datetime') || cell('timestamp') || cell('epoch')),
      prices: ['open', 'high', 'low', 'close'].map((name) => Number.parseFloat(cell(name))),
      volume: Number.parseFloat(cell('volume')),
      split: Number.parseFloat(cell('stock splits')) || 0,
      dividend: Number.parseFloat(cell('dividends')) || 0,
    }))
    .filter(({ ms, prices, volume }) => isSound(prices) && volume >= 0 && ms > 0)
    .sort((a, b) => a.ms - b.ms);
  const column = (index: number) => Float64Array.from(rows, ({ prices }) => prices[index]);
  const exDay = (ms: number) => Math.floor(ms / 86_400_000);
  return {
    bars: {
      timestampUs: microsFromMillis(rows.map(({ ms }) => ms)),
      open: column(0),
      high: column(1),
      low: column(2),
      close: column(3),
      volume: Float64Array.from(rows, ({ volume }) => volume),
    },
    splits: rows
      .filter(({ split }) => split > 0)
      .map(({ ms, split }) => ({
        exDay: exDay(ms),
        numerator: Math.round(split * 1e6),
        denominator: 1e6,
      })),
    dividends: rows
      .filter(({ dividend }) => dividend > 0)
      .map(({ ms, dividend }) => ({ exDay: exDay(ms), amount: dividend })),
  };
}

/** The wall clock of the text, taken as UTC: `2022-06-01 00:00:00+02:00`, `1/3/2017`, `01/03/17`. */
function millisFromText(text: string): number {
  const american = /^(\d+)\/(\d+)\/(\d+)$/.exec(text);
  if (!american) return Date.parse(`${text.slice(0, 19).replace(' ', 'T')}Z`) || Date.parse(text);
  const [, month, day, year] = american.map(Number);
  return Date.UTC(year < 100 ? 2000 + year : year, month - 1, day);
}

function isSound([open, high, low, close]: number[]): boolean {
  return low > 0 && low <= Math.min(open, close) && high >= Math.max(open, close);
}
