/**
 * Bars of minutes as months have them: bytes of a bar, and the time to pack and to read it beside a
 * plain copy of its 48 bytes. Prices are random cents, volumes spread over four powers of ten.
 */

import { type BarColumns, blankBars } from '../../src/base/bars.ts';
import { nextSession, sessionOpenMs } from '../../src/base/time/calendar.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import { PackedRows, packBars } from '../../src/store/arrow/format/packed-bars.ts';
import {
  benchSizeFromArgs,
  checkResult,
  machineLine,
  readable,
  tableFromRows,
} from '../harness.ts';

const SIZES = { smoke: 2, quick: 50, full: 400 };
const ROUNDS = 5;
const SESSIONS = 21;
const SESSION_MINUTES = 390;
const NEWEST = { row: (SESSIONS - 1) * SESSION_MINUTES, count: SESSION_MINUTES };
const ALL = { row: 0, count: SESSIONS * SESSION_MINUTES };
const COLUMNS = [0, 1, 2, 3, 4, 5];

/** A generator of fractions, the same in each run. */
function fractions(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0;
    return state / 2 ** 32;
  };
}

function monthOf(seed: number): BarColumns {
  const random = fractions(seed);
  const step = (cents: number) => Math.round((random() - 0.5) * 2 * cents);
  const bars = blankBars(ALL.count);
  let day = dayFromDate('2026-01-05');
  let close = 2000 + seed * 97;
  for (let row = 0; row < ALL.count; row++) {
    if (row > 0 && row % SESSION_MINUTES === 0) day = nextSession(day);
    const open = close + step(3);
    close = Math.max(1, open + step(10));
    const minute = sessionOpenMs(day) + (row % SESSION_MINUTES) * 60_000;
    bars.timestampUs[row] = BigInt(minute) * 1000n;
    bars.open[row] = open / 100;
    bars.close[row] = close / 100;
    bars.high[row] = (Math.max(open, close) + Math.floor(random() * 7)) / 100;
    bars.low[row] = (Math.min(open, close) - Math.floor(random() * 7)) / 100;
    bars.volume[row] = Math.floor(10 ** (2 + 4 * random()));
  }
  return bars;
}

const columnsOf = ({ timestampUs, open, high, low, close, volume }: BarColumns) => [
  new Float64Array(timestampUs.buffer, 0, timestampUs.length),
  ...[open, high, low, close, volume],
];

/** Returns nanoseconds of a processor for a bar: the least of some rounds. */
function nanosOf(bars: number, work: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, ((user + system) * 1000) / bars);
  }
  return least;
}

const months = Array.from({ length: SIZES[benchSizeFromArgs()] }, (_, i) => monthOf(i + 1));
const packed = months.map((bars) => new Uint32Array(Uint8Array.from(packBars(bars)).buffer));
const reader = new PackedRows();
const out = COLUMNS.map(() => new Float64Array(ALL.count));
for (const [i, bars] of months.entries()) {
  reader.copy(packed[i], packed[i], 0, COLUMNS, ALL, out, 0);
  const isSame = columnsOf(bars).every((column, c) => {
    const bytes = Buffer.from(column.buffer, column.byteOffset, column.byteLength);
    return bytes.equals(Buffer.from(out[c].buffer));
  });
  checkResult(isSame, 'bars return to their bits');
}
const barCount = months.length * ALL.count;
const read = (rows: typeof ALL) => () => {
  for (const words of packed) reader.copy(words, words, 0, COLUMNS, rows, out, 0);
};
const copyNanos = nanosOf(barCount, () => {
  for (const bars of months)
    for (const [i, column] of columnsOf(bars).entries()) out[i].set(column);
});
const rows = [
  ['copy, plain', copyNanos],
  ['read all', nanosOf(barCount, read(ALL))],
  ['read the newest session', nanosOf(months.length * NEWEST.count, read(NEWEST))],
  [
    'pack',
    nanosOf(barCount, () => {
      for (const bars of months) packBars(bars);
    }),
  ],
] as const;
console.log(machineLine());
const bytes = packed.reduce((sum, words) => sum + words.byteLength, 0) / barCount;
console.log(`${months.length} months of minutes: ${readable(bytes)} bytes a bar for 48`);
console.log(
  tableFromRows(
    ['', 'ns a bar', '× copy'],
    rows.map(([name, nanos]) => [name, readable(nanos), readable(nanos / copyNanos)]),
  ),
);
