/** Writes published candles to a file, with or without indicators. */

import { labelsOf } from '../../api/responses/sessions.ts';
import type { ShownIndicators } from '../../api/routes/candles/csv.ts';
import type { CandleSeries, CandleWindow } from '../../api/routes/candles/series.ts';
import { checkDerivable } from '../../api/routes/candles/symbols.ts';
import { writeFile } from '../../base/world/file-promises.ts';
import type { BarsSnapshot } from '../../store/arrow/snapshot/snapshot.ts';
import type { ReportProgress } from '../progress.ts';
import type { WrittenRows } from './file.ts';
import type { ExportFormat } from './formats.ts';

export interface ExportDeps {
  onProgress: ReportProgress;
  signal: AbortSignal;
}

/** Series of symbols, in their order. */
export interface ExportedSeries {
  seriesOf(symbols: Iterable<string>): Iterable<CandleSeries>;
  /** Columns of indicators in the series. */
  indicators: ShownIndicators;
}

/**
 * Writes the series of symbols, in their order.
 *
 * @param symbols Symbols of the version; those without bars of the interval have no rows.
 * @throws {ParameterError} `symbols`: the requested adjustment cannot be derived for some.
 */
export async function writeCandles(
  path: string,
  format: ExportFormat,
  version: BarsSnapshot,
  symbols: readonly string[],
  window: CandleWindow,
  { seriesOf, indicators }: ExportedSeries,
  { onProgress, signal }: ExportDeps,
): Promise<WrittenRows> {
  await checkDerivable(version, symbols, window);
  const withRows = new Set<string>();
  let rows = 0;
  function* reported(): Generator<string> {
    for (const [done, symbol] of symbols.entries()) {
      yield symbol;
      onProgress('export', done + 1, symbols.length);
    }
  }
  function* counted(): Generator<CandleSeries> {
    for (const series of seriesOf(reported())) {
      signal.throwIfAborted();
      rows += series.rowCount;
      if (series.rowCount > 0) withRows.add(series.symbol);
      yield series;
    }
  }
  const labels = labelsOf(window);
  if (format === 'csv') {
    const { csvPieces } = await import('../../api/routes/candles/csv.ts');
    await writeFile(path, csvPieces(counted(), labels, indicators));
  } else if (format === 'arrow') {
    const { arrowFilePieces } = await import('../../api/routes/candles/arrow.ts');
    await writeFile(path, arrowFilePieces(counted(), symbols, labels, indicators.names));
  } else {
    const { candlesParquetPieces } = await import('../../api/routes/candles/parquet.ts');
    await writeFile(path, candlesParquetPieces(counted(), labels, indicators.names));
  }
  return { symbols: withRows.size, rows };
}
