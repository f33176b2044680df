/** Compacts layers of figures with new ones on top, as lists are compacted. */

import type { KnownFigures } from '../../../compute/companies/company-history.ts';
import { layersKept } from '../lists/merge.ts';
import type { CompanyFiguresReader } from './company-figures.ts';
import type { FigureLayerWriter } from './layer-writer.ts';

/** New figures by symbol; without rows if the symbol has no figures any more. */
export type NewFigures = ReadonlyMap<string, readonly KnownFigures[]>;

/**
 * Writes a layer of new figures and of the layers that it replaces.
 *
 * @returns The number of published layers, counted from the oldest, that stay below it.
 */
export async function mergeFigures(
  writer: FigureLayerWriter,
  { layers }: CompanyFiguresReader,
  newFigures: NewFigures,
): Promise<number> {
  const newRows = newFigures.values().reduce((sum, rows) => sum + rows.length, 0);
  const rowCounts = layers.map(({ layer }) => layer.rowCount);
  const kept = layersKept(rowCounts, newRows);
  const merged = layers.slice(kept).reverse();
  const places = merged.map(({ index }) => new Map(index.symbol.map((name, at) => [name, at])));
  const symbols = new Set([...newFigures.keys(), ...places.flatMap((one) => [...one.keys()])]);
  for (const symbol of [...symbols].sort()) {
    const at = places.findIndex((one) => one.has(symbol));
    const rows = newFigures.get(symbol) ?? merged[at].history(places[at].get(symbol)!);
    if (rows.length > 0 || kept > 0) writer.add(symbol, rows);
    await writer.settle();
  }
  return kept;
}
