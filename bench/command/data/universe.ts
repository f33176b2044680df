/** Bars that a bench runs over: synthetic, or the user's own. */

import { join, resolve } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { type BarColumns, barRows, blankBars } from '../../../src/base/bars.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { countText } from '../../../src/base/count-text.ts';
import { UsageError } from '../../../src/base/errors.ts';
import { quoted } from '../../../src/base/quoted.ts';
import { existsSync, mkdtempSync, readFileSync, rmSync } from '../../../src/base/world/files.ts';
import { tmpdir } from '../../../src/base/world/machine.ts';
import { isWhole } from '../../../src/compute/columns/indicator-spec.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import { runTapeworks } from '../measure/measured-child.ts';
import { generatedBars, symbolName } from './synthetic.ts';

export interface Universe {
  symbols: readonly string[];
  /** By symbol, without gaps. */
  bars: readonly BarColumns[];
  barCount: number;
  isSynthetic: boolean;
  /** Describes the bars in one line. */
  description: string;
}

export interface UniverseOptions {
  /** File or folder of own prices. */
  data?: string | undefined;
  /** Bounds of own prices, or the size of synthetic ones. The newest bars are taken. */
  symbols: number | undefined;
  bars: number | undefined;
  /** Size of synthetic prices. */
  defaults: { symbols: number; bars: number };
  /** True for synthetic series of one length. Default: those of a market. */
  isEven?: boolean;
}

const PRICES = ['open', 'high', 'low', 'close', 'volume'] as const;

/** @throws {UsageError} `--data` has no daily bars. */
export async function loadUniverse({
  data,
  symbols,
  bars,
  defaults,
  isEven = false,
}: UniverseOptions): Promise<Universe> {
  if (data === undefined) {
    const made = isEven ? syntheticUniverse : marketUniverse;
    return made(symbols ?? defaults.symbols, bars ?? defaults.bars);
  }
  const path = resolve(data);
  if (!existsSync(path))
    throw new UsageError(`--data must be a file or a folder, ${quoted(data)} does not exist`);
  const series = /\.(arrow|feather|ipc)$/i.test(path) ? arrowSeries(path) : await fileSeries(path);
  const whole = [...series].filter(([, one]) => one.close.length > 0 && isWhole(one, PRICES));
  const chosen = whole.slice(0, symbols).map(([symbol, one]) => {
    const { length } = one.close;
    return [symbol, barRows(one, Math.max(0, length - (bars ?? length)))] as const;
  });
  if (chosen.length === 0)
    throw new UsageError(`--data ${quoted(data)} has no series without gaps`);
  return universeOf(
    chosen.map(([symbol]) => symbol),
    chosen.map(([, one]) => one),
    `own bars of ${data}`,
    false,
  );
}

export function syntheticUniverse(symbolCount: number, barCount: number): Universe {
  const numbers = Array.from({ length: symbolCount }, (_, number) => number);
  return universeOf(
    numbers.map(symbolName),
    numbers.map((number) => generatedBars(barCount, number)),
    'synthetic daily bars (random walks)',
    true,
  );
}

/** Multiples of it spread evenly over 0 to 1, in an order without a pattern. */
const GOLDEN_SHARE = 0.618_033_988_75;

/** One symbol in this number lacks days, as one that was halted does. */
const HALTED_EVERY = 10;
/** One day in this number is missing there. */
const MISSING_EVERY = 50;

/**
 * Returns synthetic series of the lengths of a market: half of the symbols have all bars, and the
 * others are younger, down to one bar.
 */
export function marketUniverse(symbolCount: number, barCount: number): Universe {
  const numbers = Array.from({ length: symbolCount }, (_, number) => number);
  return universeOf(
    numbers.map(symbolName),
    numbers.map((number) => {
      const share = 2 * (((number + 1) * GOLDEN_SHARE) % 1);
      const bars = generatedBars(Math.max(1, Math.ceil(barCount * Math.min(1, share))), number);
      return number % HALTED_EVERY === HALTED_EVERY - 1 ? withoutSomeDays(bars) : bars;
    }),
    'synthetic daily bars (random walks, young and halted symbols among them)',
    true,
  );
}

function withoutSomeDays(bars: BarColumns): BarColumns {
  const isThere = (_: unknown, row: number) => row % MISSING_EVERY !== MISSING_EVERY - 1;
  const { timestampUs, open, high, low, close, volume } = bars;
  return {
    timestampUs: timestampUs.filter(isThere),
    open: open.filter(isThere),
    high: high.filter(isThere),
    low: low.filter(isThere),
    close: close.filter(isThere),
    volume: volume.filter(isThere),
  };
}

function universeOf(
  symbols: readonly string[],
  bars: readonly BarColumns[],
  kind: string,
  isSynthetic: boolean,
): Universe {
  const barCount = bars.reduce((sum, { close }) => sum + close.length, 0);
  const noun = symbols.length === 1 ? 'symbol' : 'symbols';
  const size = `${countText(barCount)} bars of ${countText(symbols.length)} ${noun}`;
  return { symbols, bars, barCount, isSynthetic, description: `${kind}: ${size}` };
}

/** Reads CSV, JSON and Parquet files by loading them into a store that is then deleted. */
async function fileSeries(path: string): Promise<Map<string, BarColumns>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tapeworks-bench-'));
  try {
    await runTapeworks(['backfill', 'files', 'candles', path, '--json'], {
      TAPEWORKS_DATA_DIR: dataDir,
    });
    using version = openPublished(modePaths(dataDir, 'live').serving);
    if (!version) throw new UsageError(`--data ${quoted(path)} has no daily bars`);
    return new Map(version.symbols.map((symbol) => [symbol, version.bars(symbol, '1d')]));
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

/** @throws {UsageError} A column is missing, or the file can't be read. */
function arrowSeries(path: string): Map<string, BarColumns> {
  let table: ReturnType<typeof tableFromIPC>;
  try {
    table = tableFromIPC(readFileSync(path));
  } catch (error) {
    throw new UsageError(
      `--data ${quoted(path)} must be an Arrow IPC file or stream without compression`,
      { cause: error },
    );
  }
  const columnOf = (name: string) => {
    const column = table.getChild(name);
    if (!column) throw new UsageError(`--data ${quoted(path)} has no column "${name}"`);
    return column;
  };
  const prices = PRICES.map((name) => [name, columnOf(name)] as const);
  const symbols = table.getChild('symbol');
  const rows = new Map<string, number[]>();
  for (let row = 0; row < table.numRows; row++) {
    const symbol = symbols ? String(symbols.get(row)) : 'SERIES';
    const known = rows.get(symbol);
    if (known) known.push(row);
    else rows.set(symbol, [row]);
  }
  return new Map(
    [...rows].map(([symbol, places]) => {
      const bars = blankBars(places.length);
      for (const [name, column] of prices) {
        for (const [i, row] of places.entries())
          bars[name][i] = Number(column.get(row) ?? Number.NaN);
      }
      return [symbol, bars];
    }),
  );
}
