/** The intraday part of a publish: the layers below its own, and the table of its series. */

import type { IntradayManifest, IntradayTier } from '../format/manifest-types.ts';
import { INTRADAY_SERIES_TABLE } from '../format/tables.ts';
import { writeTable } from '../format/write-table.ts';
import type { IntradayFacts } from '../read/intraday-part.ts';
import type { LayerWriter } from './layer-writer.ts';

export interface IntradayContent {
  tier: IntradayTier;
  /** Published layers, counted from the oldest, that stay below the new one. */
  layersKept: number;
  /**
   * Facts by series number, undefined for removed series. Without this list the series stay as
   * published.
   */
  series?: readonly (IntradayFacts | undefined)[];
}

/** Finishes the layer and writes the table of series; undefined if there are no series. */
export async function writeIntraday(
  folder: string,
  tag: string,
  layer: LayerWriter,
  published: IntradayManifest | undefined,
  { tier, layersKept, series }: IntradayContent,
): Promise<IntradayManifest | undefined> {
  const layers = published?.layers.slice(0, layersKept) ?? [];
  if (!layer.isEmpty) layers.push({ tier, ...(await layer.finish()) });
  if (!series) return published && { series: published.series, layers };
  if (series.every((facts) => !facts)) return undefined;
  const name = `intraday-series-${tag}.arrow`;
  const rows = series.map((facts) => ({ ...(facts ?? GAP), as_of: facts?.asOfUs ?? null }));
  return { series: await writeTable(folder, name, INTRADAY_SERIES_TABLE, rows), layers };
}

const GAP = { symbol: '', interval: '', source: '', basis: '' };
