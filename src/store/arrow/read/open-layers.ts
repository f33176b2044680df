/** Opening the layers of a version, with what an older version has open already. */

import { isDeepStrictEqual } from 'node:util';
import type { ColumnSpec } from '../format/batch-layout.ts';
import type { Layer, VolumeFile } from '../format/manifest.ts';
import { ServingFile } from '../format/serving-file.ts';
import { OpenLayer } from './layer.ts';

/**
 * @param indicators Names of the layers' indicator columns.
 * @param previous Layers of an older version; what is in both is shared.
 * @param verifiedMs As of `ServingOptions`.
 * @throws {CorruptDataError} a file does not match the manifest. ENOENT when one is missing.
 */
export function openLayers(
  folder: string,
  layers: readonly Layer[],
  indicators: readonly string[],
  previous: readonly OpenLayer[],
  verifiedMs?: number,
): OpenLayer[] {
  const open = new Map(previous.map((layer) => [layer.layer.index.name, layer]));
  const files = new Map(filesOfLayers(previous).map((file) => [file.name, file]));
  const openFile = (file: VolumeFile, columns: readonly ColumnSpec[], keepBodies: boolean) => {
    const known = files.get(file.name);
    if (known?.isOfPath()) return known;
    return new ServingFile(folder, file, columns, { keepBodies, verifiedMs });
  };
  return layers.map((layer) => {
    const known = open.get(layer.index.name);
    const isKnown = known !== undefined && isDeepStrictEqual(known.layer, layer);
    return isKnown ? known : new OpenLayer(folder, layer, indicators, openFile);
  });
}

/** Every open file of bars; one that holds indicators too comes twice. */
export function filesOfLayers(layers: readonly OpenLayer[]): ServingFile[] {
  return layers.flatMap(({ volumes }) => volumes.flatMap((v) => [v.candles, v.indicators]));
}
