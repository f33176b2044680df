/** Writes datasets to files, with the rows and columns of API responses. */

import type { Table } from '../../api/responses/table.ts';
import { type CandleWindow, candleSeries } from '../../api/routes/candles/series.ts';
import { symbolsWithBars } from '../../api/routes/candles/symbols.ts';
import { indicatorSeries } from '../../api/routes/technical/bulk-series.ts';
import { columnNames } from '../../api/routes/technical/columns.ts';
import type { ModePaths } from '../../base/config/data-dir.ts';
import { fileDatasets, rowDatasets } from '../../base/datasets/datasets.ts';
import type { DailyInterval } from '../../base/time/intervals.ts';
import { seriesIndicators } from '../../screens/study/series-indicators.ts';
import type { PublishedVersion } from '../../store/arrow/read/published-version.ts';
import type { BarsSnapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { recordTables, WHOLE_TABLES } from '../files/record-lists.ts';
import { type ExportDeps, writeCandles } from './candles.ts';
import { noteOnActions } from './complete-actions.ts';
import type { WrittenRows } from './file.ts';
import type { ExportFormat } from './formats.ts';
import { knownSymbols } from './known-symbols.ts';
import { storedTable } from './stored-records.ts';
import { writeTables } from './table-file.ts';

export type ExportRequest = {
  format: ExportFormat;
  /** Canonical symbols; default all. */
  symbols: readonly string[] | undefined;
} & (
  | { dataset: 'candles'; window: CandleWindow }
  | { dataset: 'indicators'; window: IndicatorOptions }
  | RecordsRequest
);

/** Records of any other dataset. */
interface RecordsRequest {
  dataset: 'records';
  name: string;
  /** File to write, as a note names it. */
  out: string;
  /** Place of the store, which has those that are not published. */
  paths: ModePaths;
}

interface IndicatorOptions extends CandleWindow {
  interval: DailyInterval;
  /** Comma list of indicators, not yet checked. */
  list: string;
  /** Significant digits in CSV; undefined: all. */
  digits: number | undefined;
}

/**
 * Writes a dataset of one version.
 *
 * @param bars Version whose candles and indicators are written.
 * @throws {ParameterError} some symbols are unknown.
 */
export async function writeDataset(
  path: string,
  version: PublishedVersion,
  request: ExportRequest,
  deps: ExportDeps,
  bars: BarsSnapshot = version,
): Promise<WrittenRows> {
  const { format, symbols } = request;
  const window = 'window' in request ? request.window : undefined;
  const asked = symbols && knownSymbols(bars, symbols, window, window?.rowsMax === 1);
  switch (request.dataset) {
    case 'candles': {
      const { window } = request;
      const wanted = asked ?? (await symbolsWithBars(bars, window));
      const seriesOf = (names: Iterable<string>) => candleSeries(bars, names, window);
      const candles = { seriesOf, indicators: { names: [] } };
      return writeCandles(path, format, bars, wanted, window, candles, deps);
    }
    case 'indicators': {
      const indicators = seriesIndicators(request.window.list, request.window.interval);
      const window = { ...request.window, indicators };
      const seriesOf = (wanted: Iterable<string>) => indicatorSeries(bars, wanted, window);
      const names = indicators.flatMap(columnNames);
      const { digits } = request.window;
      const columns = { seriesOf, indicators: { names, digits } };
      const wanted = asked ?? bars.symbols;
      return writeCandles(path, format, bars, wanted, window, columns, deps);
    }
    case 'records': {
      const written = await writeTables(path, format, await recordsOf(version, request, asked));
      const isLoadable = request.name === 'corporate-actions' && format !== 'arrow';
      const listed = asked ?? version.listings.symbol;
      return isLoadable
        ? { ...written, note: noteOnActions(version, listed, request.out) }
        : written;
    }
  }
}

/** Returns what the files of the API have, else what the store has. */
async function recordsOf(
  version: PublishedVersion,
  { name, paths }: RecordsRequest,
  symbols: readonly string[] | undefined,
): Promise<Iterable<Table>> {
  const published = fileDatasets.find((one) => one.name === name);
  if (published) return recordTables(version, published.name, symbols);
  const stored = rowDatasets.find((one) => one.name === name);
  if (stored) return [await storedTable(paths, stored, symbols)];
  return [WHOLE_TABLES[name as keyof typeof WHOLE_TABLES](version, symbols)];
}
