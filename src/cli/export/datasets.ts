/** Writes datasets to files, with the rows and columns of API responses. */

import { type CandleWindow, candleSeries } from '../../api/routes/candles/series.ts';
import { firstNames, symbolsWithBars } from '../../api/routes/candles/symbols.ts';
import { actionsOf, tableFromActions } from '../../api/routes/corporate-actions/route.ts';
import { tableFromListings } from '../../api/routes/symbols/route.ts';
import { indicatorSeries } from '../../api/routes/technical/bulk-series.ts';
import { columnNames } from '../../api/routes/technical/columns.ts';
import { ParameterError } from '../../base/errors.ts';
import type { DailyInterval } from '../../base/time/intervals.ts';
import { indicatorRequests } from '../../compute/indicators/indicator-request.ts';
import type { PublishedVersion } from '../../store/arrow/read/published-version.ts';
import { type ExportDeps, writeCandles } from './candles.ts';
import type { WrittenRows } from './file.ts';
import type { ExportDataset, ExportFormat } from './formats.ts';
import { writeTable } from './table-file.ts';

export type ExportRequest = {
  format: ExportFormat;
  /** Canonical symbols; default all. */
  symbols: readonly string[] | undefined;
} & (
  | { dataset: 'candles'; window: CandleWindow }
  | { dataset: 'indicators'; window: IndicatorOptions }
  | { dataset: Exclude<ExportDataset, 'candles' | 'indicators'> }
);

interface IndicatorOptions extends CandleWindow {
  interval: DailyInterval;
  /** Comma list of indicators, not yet checked. */
  list: string;
}

/** Writes a dataset of one version. @throws {ParameterError} some symbols are unknown. */
export async function writeDataset(
  path: string,
  version: PublishedVersion,
  request: ExportRequest,
  deps: ExportDeps,
): Promise<WrittenRows> {
  const { format, symbols } = request;
  const asked = symbols && knownSymbols(version, symbols);
  switch (request.dataset) {
    case 'candles': {
      const { window } = request;
      const wanted = asked ?? (await symbolsWithBars(version, window.interval));
      const seriesOf = (names: Iterable<string>) => candleSeries(version, names, window);
      const candles = { seriesOf, indicators: [] };
      return writeCandles(path, format, version, wanted, window, candles, deps);
    }
    case 'indicators': {
      const indicators = indicatorRequests(request.window.list, request.window.interval);
      const window = { ...request.window, indicators };
      const seriesOf = (names: Iterable<string>) => indicatorSeries(version, names, window);
      const columns = { seriesOf, indicators: indicators.flatMap(columnNames) };
      const wanted = asked ?? version.symbols;
      return writeCandles(path, format, version, wanted, window, columns, deps);
    }
    case 'corporate-actions':
      return writeActions(path, format, version, asked ?? version.listings.symbol);
    case 'symbols':
      return writeSymbols(path, format, version, asked);
  }
}

async function writeActions(
  path: string,
  format: ExportFormat,
  version: PublishedVersion,
  symbols: readonly string[],
): Promise<WrittenRows> {
  const actions = symbols.flatMap((symbol) => actionsOf(version, symbol));
  await writeTable(path, format, tableFromActions(actions));
  return { symbols: new Set(actions.map(({ symbol }) => symbol)).size, rows: actions.length };
}

async function writeSymbols(
  path: string,
  format: ExportFormat,
  version: PublishedVersion,
  symbols: readonly string[] | undefined,
): Promise<WrittenRows> {
  const listed = version.listings.symbol;
  const rowOf = new Map(listed.map((symbol, row) => [symbol, row]));
  const rows = (symbols ?? listed).flatMap((symbol) => rowOf.get(symbol) ?? []);
  await writeTable(path, format, tableFromListings(version, rows));
  return { symbols: rows.length, rows: rows.length };
}

/** Returns the current symbols of known names, each once. */
function knownSymbols(version: PublishedVersion, names: readonly string[]): string[] {
  const unknown = names.filter((name) => version.resolve(name) === undefined);
  if (unknown.length > 0) {
    throw new ParameterError('symbols', `--symbols are unknown: ${firstNames(unknown)}`);
  }
  return [...new Set(names.map((name) => version.resolve(name)!))];
}
