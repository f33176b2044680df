/** Compacts layers of figures with new ones on top, as lists are compacted. */

import type { KnownFigures } from '../../../compute/companies/company-history.ts';
import { layersKept } from '../lists/merge.ts';
import type { CompanyFiguresReader } from './company-figures.ts';
import type { OpenFigureLayer } from './layer.ts';
import type { FigureLayerWriter } from './layer-writer.ts';

/** New figures of a symbol; without rows if it has no figures any more. */
export interface NewFigures {
  symbol: string;
  history: readonly KnownFigures[];
}

/**
 * Writes a layer of new figures and of the layers that it replaces. One symbol is in memory at a
 * time, so their number has no limit.
 *
 * @param symbols    Symbols of the new figures.
 * @param newFigures Each of these symbols once, ascending.
 * @returns The number of published layers, counted from the oldest, that stay below it.
 */
export async function mergeFigures(
  writer: FigureLayerWriter,
  published: CompanyFiguresReader,
  symbols: readonly string[],
  newFigures: AsyncIterable<NewFigures>,
): Promise<number> {
  const { layers } = published;
  const rowCounts = layers.map(({ layer }) => layer.rowCount);
  // Most symbols get one more row. A new company may have many, once.
  const newRows = symbols.reduce((sum, symbol) => sum + published.rowCount(symbol) + 1, 0);
  const kept = layersKept(rowCounts, newRows);
  const isNew = new Set(symbols);
  const places = new Map<string, { layer: OpenFigureLayer; place: number }>();
  for (const layer of layers.slice(kept)) {
    for (const [place, symbol] of layer.index.symbol.entries()) {
      if (!isNew.has(symbol)) places.set(symbol, { layer, place });
    }
  }
  const add = async (symbol: string, rows: readonly KnownFigures[]) => {
    if (rows.length > 0 || kept > 0) writer.add(symbol, rows);
    await writer.settle();
  };
  const others = [...places.keys()].sort();
  let next = 0;
  const addOthers = async (before?: string) => {
    for (; next < others.length && (before === undefined || others[next] < before); next++) {
      const { layer, place } = places.get(others[next])!;
      await add(others[next], layer.history(place));
    }
  };
  for await (const { symbol, history } of newFigures) {
    await addOthers(symbol);
    await add(symbol, history);
  }
  await addOthers();
  return kept;
}
