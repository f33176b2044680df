/** All open lists of a published version. */

import { isDeepStrictEqual } from 'node:util';
import type { ListName } from '../../../base/datasets/datasets.ts';
import type { CorruptDataError } from '../../../base/errors.ts';
import type { ListsManifest } from '../format/manifest-types.ts';
import { OpenListLayer, readFoundRows } from './layer.ts';
import { RowSelection } from './row-selection.ts';
import { type ListPart, ServedList } from './served-list.ts';
import { LIST_NAMES, LIST_SPECS, type ListRow, type RowFilter } from './specs.ts';

type Layers = Record<ListName, readonly OpenListLayer[]>;

export class ServedLists {
  readonly manifest: ListsManifest | undefined;
  readonly #layers: Layers;

  /** Opens the lists of a version and shares layers with `previous`, an older version. */
  constructor(folder: string, manifest: ListsManifest | undefined, previous?: ServedLists) {
    this.manifest = manifest;
    const layersOf = (name: ListName) => {
      const known = previous?.layers(name) ?? [];
      return (manifest?.layers[name] ?? []).map(
        (layer) =>
          known.find((one) => isDeepStrictEqual(one.layer, layer) && one.isOfPath()) ??
          new OpenListLayer(folder, layer),
      );
    };
    const layers = LIST_NAMES.map((name) => [name, layersOf(name)]);
    this.#layers = Object.fromEntries(layers);
  }

  layers(name: ListName): readonly OpenListLayer[] {
    return this.#layers[name];
  }

  /** @param key A symbol or `EVERYTHING`; the list of an unknown one is empty. */
  list(name: ListName, key: string): ServedList {
    const { order, isJoined } = LIST_SPECS[name];
    const parts: ListPart[] = [];
    for (let i = this.#layers[name].length - 1; i >= 0; i--) {
      const layer = this.#layers[name][i];
      const entry = layer.entry(key);
      if (entry) parts.push({ layer, entry });
      if (entry && !isJoined) break;
    }
    return new ServedList(order, parts);
  }

  news(keys: readonly string[], filter: RowFilter): RowSelection {
    return new RowSelection(LIST_SPECS.news.order, this.#layers.news.toReversed(), keys, filter);
  }

  /** Returns the newest form of an article, from the list of `EVERYTHING`. */
  article(id: string): ListRow | undefined {
    for (const layer of this.#layers.news.toReversed()) {
      const row = layer.rowOfId(id);
      if (row === undefined) continue;
      return layer.head(row).adds(row) < 0 ? undefined : readFoundRows([{ layer, row }])[0];
    }
    return undefined;
  }

  get damage(): CorruptDataError | undefined {
    for (const layers of Object.values(this.#layers)) {
      for (const { damage } of layers) if (damage) return damage;
    }
    return undefined;
  }

  close(): void {
    for (const layers of Object.values(this.#layers)) for (const layer of layers) layer.close();
  }
}
