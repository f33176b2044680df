/** What can be exported: rows and columns as the API's own answers have them. */

import { type CandleWindow, firstNames } from '../api/candles-series.ts';
import { actionsOf, tableFromActions } from '../api/corporate-actions.ts';
import { tableFromListings } from '../api/symbols.ts';
import type { Table } from '../api/table.ts';
import { ParameterError } from '../errors.ts';
import type { PublishedVersion } from '../store/serving/published-version.ts';
import type { ExportDataset, ExportFormat } from './export.ts';
import { type ExportDeps, writeCandles } from './export-candles.ts';
import type { WrittenRows } from './export-file.ts';

export interface ExportRequest {
  dataset: ExportDataset;
  format: ExportFormat;
  /** Canonical; undefined: all. */
  symbols: readonly string[] | undefined;
  /** Of candles. */
  window: CandleWindow;
}

/**
 * Writes a dataset of one version to a path.
 *
 * @throws {ParameterError} `symbols`: some are unknown.
 */
export function writeDataset(
  path: string,
  version: PublishedVersion,
  { dataset, format, symbols, window }: ExportRequest,
  deps: ExportDeps,
): Promise<WrittenRows> {
  switch (dataset) {
    case 'candles': {
      const asked = symbols ?? version.symbols;
      checkKnown(asked, (symbol) => version.rowCount(symbol, '1d') > 0);
      return writeCandles(path, format, version, asked, window, deps);
    }
    case 'corporate-actions':
      return writeActions(path, format, version, symbols ?? version.symbols);
    case 'symbols':
      return writeSymbols(path, format, version, symbols);
  }
}

/** DuckDB and apache-arrow are loaded by those exports only that need them. */
async function writeTable(path: string, format: ExportFormat, table: Table): Promise<void> {
  const { writeTableFile } = await import('./export-table.ts');
  await writeTableFile(path, format, table);
}

async function writeActions(
  path: string,
  format: ExportFormat,
  version: PublishedVersion,
  symbols: readonly string[],
): Promise<WrittenRows> {
  checkKnown(symbols, (symbol) => actionsOf(version, symbol) !== undefined);
  const actions = symbols.flatMap((symbol) => actionsOf(version, symbol) ?? []);
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
  const asked = symbols ?? listed;
  checkKnown(asked, (symbol) => rowOf.has(symbol));
  const rows = asked.map((symbol) => rowOf.get(symbol)!);
  await writeTable(path, format, tableFromListings(version, rows));
  return { symbols: rows.length, rows: rows.length };
}

function checkKnown(symbols: readonly string[], isKnown: (symbol: string) => boolean): void {
  const unknown = symbols.filter((symbol) => !isKnown(symbol));
  if (unknown.length === 0) return;
  throw new ParameterError('symbols', `--symbols are unknown: ${firstNames(unknown)}`);
}
