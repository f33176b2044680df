/** Universes of candle files for the backfill benchmark: CSV, one file a symbol. */

import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { BarColumns } from '../../src/base/bars.ts';
import { dateFromDay, dayFromMicros } from '../../src/base/time/dates.ts';
import { symbolFromFileName } from '../../src/ingest/names/file-name.ts';
import { generatedBars, symbolName } from '../command/data/synthetic.ts';

export interface FileUniverse {
  paths: string[];
  /** By path, the name that tells the symbol. */
  names: string[];
  rowCount: number;
}

/**
 * Bars of a file at each tenth of the files of a real universe, ordered by length: half of them
 * are young, a few are as long as the exchange's records.
 */
const REAL_LENGTHS = [1, 25, 85, 161, 255, 344, 438, 680, 1924, 3202, 12_075];
/** Factor that gives the sample the mean length of its whole universe, 2,057 bars. */
const REAL_LENGTH_SCALE = 1.566;
/** Adjusted prices have as many digits as division left them. */
const ADJUSTMENT = 0.874_31;

/** Files of lengths as a real universe has them, adjusted prices of five digits, an unused column. */
export function writeRealLikeFiles(folder: string, symbolCount: number): FileUniverse {
  const header = 'Date,Open,High,Low,Close,Volume,OpenInt';
  mkdirSync(folder, { recursive: true });
  const universe: FileUniverse = { paths: [], names: [], rowCount: 0 };
  for (let number = 0; number < symbolCount; number++) {
    const bars = generatedBars(realLength(number / symbolCount), number);
    const path = join(folder, `${symbolName(number).toLowerCase()}.us.txt`);
    writeFile(universe, path, header, bars);
  }
  return universe;
}

/** Writes the rows of all files as one file with a column of symbols. Returns its path. */
export function writeOneFile(folder: string, { paths, names }: FileUniverse): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'all.csv');
  for (const [at, from] of paths.entries()) {
    const [header, ...rows] = readFileSync(from, 'latin1').trim().split('\n');
    const symbol = symbolFromFileName(names[at], 'files');
    const lines = rows.map((row) => `${row},${symbol}\n`);
    appendFileSync(path, `${at === 0 ? `${header},Symbol\n` : ''}${lines.join('')}`);
  }
  return path;
}

/** Writes minutes of sessions on New York's clock as one file; the first one has the most volume. */
export function writeMinutes(
  folder: string,
  symbolCount: number,
  dates: readonly string[],
): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'minutes.csv');
  const lines = ['ticker,datetime,open,high,low,close,volume'];
  for (let number = 0; number < symbolCount; number++) {
    const { open, high, low, close } = generatedBars(SESSION_MINUTES * dates.length, number);
    for (let at = 0; at < close.length; at++) {
      const minute = at % SESSION_MINUTES;
      const clock = OPENING_MINUTE + minute;
      const time = [Math.floor(clock / 60), clock % 60].map((part) =>
        String(part).padStart(2, '0'),
      );
      const stamp = `${dates[Math.floor(at / SESSION_MINUTES)]} ${time.join(':')}:00`;
      const volume = minute === 0 ? 90_000 : 1000 + ((at * 7919) % 500);
      const prices = [open[at], high[at], low[at], close[at]].join();
      lines.push(`${symbolName(number)},${stamp},${prices},${volume}`);
    }
  }
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const SESSION_MINUTES = 390;
/** 09:30, in minutes after midnight. */
const OPENING_MINUTE = 570;

/** @param share Of the files that are shorter, 0 to 1. */
function realLength(share: number): number {
  const at = share * (REAL_LENGTHS.length - 1);
  const [low, high] = [REAL_LENGTHS[Math.floor(at)], REAL_LENGTHS[Math.floor(at) + 1]];
  return Math.ceil((low + (high - low) * (at % 1)) * REAL_LENGTH_SCALE);
}

function writeFile(
  universe: FileUniverse,
  path: string,
  header: string,
  { timestampUs, open, high, low, close, volume }: BarColumns,
): void {
  const price = (value: number) => Number((value * ADJUSTMENT).toPrecision(5));
  const lines = [header];
  for (let i = 0; i < close.length; i++) {
    const date = dateFromDay(dayFromMicros(Number(timestampUs[i])));
    const prices = [open[i], high[i], low[i], close[i]].map(price);
    lines.push(`${date},${prices.join()},${volume[i]},0`);
  }
  writeFileSync(path, `${lines.join('\n')}\n`);
  universe.paths.push(path);
  universe.names.push(basename(path));
  universe.rowCount += close.length;
}
