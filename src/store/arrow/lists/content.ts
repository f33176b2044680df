/** Writes the lists of a publish. */

import type { ListsManifest } from '../format/manifest-types.ts';
import { ListLayerWriter } from './layer-writer.ts';
import type { ListName } from './specs.ts';

export interface ListsContent {
  /** `ListsManifest.seq` and `ListsManifest.storeMark`. */
  seq: number;
  storeMark: string;
  /** Published layers that stay below a new one, by dataset. */
  layersKept: Partial<Record<ListName, number>>;
}

/** The layers that a publish writes, one per dataset. */
export class ListWriters {
  readonly #folder: string;
  readonly #tag: string;
  readonly #writers = new Map<ListName, ListLayerWriter>();

  constructor(folder: string, tag: string) {
    this.#folder = folder;
    this.#tag = tag;
  }

  open(name: ListName): ListLayerWriter {
    const writer = new ListLayerWriter(this.#folder, name, this.#tag);
    this.#writers.set(name, writer);
    return writer;
  }

  /** Makes the layers durable, and returns the lists as the manifest has them. */
  async finish(
    published: ListsManifest | undefined,
    { seq, storeMark, layersKept }: ListsContent,
  ): Promise<ListsManifest> {
    const layers = { ...published?.layers };
    for (const [name, writer] of this.#writers) {
      const kept = (layers[name] ?? []).slice(0, layersKept[name]);
      layers[name] = writer.listCount === 0 ? kept : [...kept, await writer.finish()];
    }
    return { seq, storeMark, layers };
  }

  async abandon(): Promise<void> {
    await Promise.all([...this.#writers.values()].map((writer) => writer.abandon()));
  }
}
