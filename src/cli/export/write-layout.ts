/** Writes the daily bars of a version in the layout of another engine. */

import { dirname } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { dayFromMicros } from '../../base/time/dates.ts';
import { mkdir, rename, rm } from '../../base/world/file-promises.ts';
import { existsSync, readdirSync } from '../../base/world/files.ts';
import { process } from '../../base/world/process.ts';
import type { PublishedVersion } from '../../store/arrow/read/published-version.ts';
import type { ExportDeps } from './candles.ts';
import type { LayoutName } from './formats.ts';
import { knownSymbols } from './known-symbols.ts';
import { type Layout, tradedSeries } from './layout.ts';
import { leanLayout } from './lean.ts';
import { qlibLayout } from './qlib.ts';
import { ziplineLayout } from './zipline.ts';

const LAYOUTS: Record<LayoutName, (firstDay: number) => Layout> = {
  zipline: () => ziplineLayout,
  qlib: qlibLayout,
  lean: () => leanLayout,
};

export interface LayoutReport {
  symbols: number;
  rows: number;
  /** Symbols whose prices as traded are unknown: theirs are as stored, without actions. */
  asStored: string[];
  filled: number;
  rounded: number;
  tooLarge: number;
  /** Symbols that the engine has by name, and not in its list. */
  unlisted: string[];
  /** Decimals of prices that the engine keeps. */
  decimals: number | null;
}

/**
 * Writes into a folder that has nothing yet, which gets its name when all is written.
 *
 * @param symbols Only these; default: all.
 * @throws {UsageError} The folder has files. @throws {ParameterError} Some symbols are unknown.
 */
export async function writeLayout(
  folder: string,
  name: LayoutName,
  version: PublishedVersion,
  symbols: readonly string[] | undefined,
  { onProgress, signal }: ExportDeps,
): Promise<LayoutReport> {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new UsageError(`--out must be a new or an empty folder, "${folder}" has files`);
  }
  const wanted = symbols ? knownSymbols(version, symbols) : version.symbols;
  const firstDays = wanted.flatMap((symbol) => {
    const info = version.symbol(symbol);
    return info ? [dayFromMicros(Number(info.firstBarUs))] : [];
  });
  const layout = LAYOUTS[name](Math.min(...firstDays));
  const partial = `${folder}.partial-${process.pid}`;
  const report: LayoutReport = {
    ...{ symbols: 0, rows: 0, filled: 0, rounded: 0, tooLarge: 0, asStored: [], unlisted: [] },
    decimals: layout.decimals ?? null,
  };
  try {
    await mkdir(partial, { recursive: true });
    for (const [done, symbol] of wanted.entries()) {
      signal.throwIfAborted();
      const series = tradedSeries(version, symbol);
      onProgress('export', done + 1, wanted.length);
      if (!series) continue;
      const notes = await layout.write(partial, series);
      report.symbols++;
      report.rows += series.days.length;
      for (const name of ['filled', 'rounded', 'tooLarge'] as const) {
        report[name] += notes[name] ?? 0;
      }
      if (!series.isTraded) report.asStored.push(symbol);
      if (notes.isUnlisted) report.unlisted.push(symbol);
    }
    if (report.symbols > 0) await layout.finish?.(partial);
    await mkdir(dirname(folder), { recursive: true });
    await rm(folder, { recursive: true, force: true });
    await rename(partial, folder);
    return report;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}
