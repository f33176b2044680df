/** Published candles as the content of a file. */

import { open } from 'node:fs/promises';
import {
  type CandleSeries,
  type CandleWindow,
  candleSeries,
  checkDerivable,
} from '../api/candles-series.ts';
import { isDailyInterval } from '../api/served-bars.ts';
import type { PublishedVersion } from '../store/serving/published-version.ts';
import type { ExportFormat } from './export.ts';
import type { WrittenRows } from './export-file.ts';
import type { ReportProgress } from './progress.ts';

export interface ExportDeps {
  onProgress: ReportProgress;
  signal: AbortSignal;
}

/**
 * Writes the candles of symbols, in their order.
 *
 * @param symbols Symbols of the version that have bars.
 * @throws {ParameterError} `symbols` can't be given on the adjustment asked.
 */
export async function writeCandles(
  path: string,
  format: ExportFormat,
  version: PublishedVersion,
  symbols: readonly string[],
  window: CandleWindow,
  { onProgress, signal }: ExportDeps,
): Promise<WrittenRows> {
  if (window.adjustment) await checkDerivable(version, symbols, window.adjustment);
  const written = { symbols: 0, rows: 0 };
  function* counted(): Generator<CandleSeries> {
    let done = 0;
    for (const series of candleSeries(version, symbols, window)) {
      signal.throwIfAborted();
      written.rows += series.rowCount;
      if (series.rowCount > 0) written.symbols++;
      yield series;
      onProgress('export', ++done, symbols.length);
    }
  }
  const hasDates = isDailyInterval(window.interval);
  if (format === 'csv') {
    const { csvPieces } = await import('../api/candles-csv.ts');
    await writePieces(path, csvPieces(counted(), hasDates));
  } else if (format === 'arrow') {
    const { arrowFilePieces } = await import('../api/candles-arrow.ts');
    await writePieces(path, arrowFilePieces(counted(), symbols, hasDates));
  } else {
    const { writeCandlesParquet } = await import('./export-parquet.ts');
    await writeCandlesParquet(path, counted(), symbols);
  }
  return written;
}

async function writePieces(path: string, pieces: Iterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (const piece of pieces) await file.writeFile(piece);
  } finally {
    await file.close();
  }
}
