/** The objects that a shared manifest names: lists them, retires them and removes what is left over. */

import { failpoint } from '../../base/failpoints.ts';
import { limits } from '../../base/limits.ts';
import { monotonicMs } from '../../base/world/clock.ts';
import { eachAtOnce } from '../../store/objects/at-once.ts';
import type { ListedObject, ObjectStore } from '../../store/objects/object-store.ts';
import type { SharedManifest } from './shared-manifest.ts';
import type { SharedFile } from './shared-object.ts';

const { replicas } = limits;

interface UploadedObjectsOptions {
  objects: ObjectStore;
  /** All keys below it are of the manifest. */
  prefix: string;
  objectOf: (file: SharedFile) => string;
  nowMs: () => number;
}

type Named = Pick<SharedManifest, 'files' | 'retired'>;

export class UploadedObjects {
  readonly #options: UploadedObjectsOptions;
  /** Time of the next list, by `performance.now()`. */
  #listAtMs = 0;
  /** Retired objects that are removed already. */
  readonly #removed = new Set<string>();

  constructor(options: UploadedObjectsOptions) {
    this.#options = options;
  }

  /** Lists all objects at first, then now and then: only a list shows what is missing. */
  async listedIfDue(signal?: AbortSignal): Promise<Map<string, ListedObject> | undefined> {
    if (monotonicMs() < this.#listAtMs) return undefined;
    const { objects, prefix } = this.#options;
    const listed = new Map<string, ListedObject>();
    for await (const object of objects.list(prefix, signal)) listed.set(object.key, object);
    this.#listAtMs = monotonicMs() + replicas.sweepMs;
    return listed;
  }

  /** Makes the next round list again. */
  listNext(): void {
    this.#listAtMs = 0;
  }

  /** Returns true if objects can be removed by now. */
  hasDue(named: Named | undefined): boolean {
    return monotonicMs() >= this.#listAtMs || this.#due(named).length > 0;
  }

  /** Returns the retired objects of the manifest that follows `before` and names `files`. */
  retiredBy(before: Named | undefined, files: readonly SharedFile[]): Named['retired'] {
    const { objectOf, nowMs } = this.#options;
    const sinceMs = nowMs();
    const needed = new Set(files.map(objectOf));
    const kept = before?.retired.filter(({ object }) => !this.#removed.has(object)) ?? [];
    const dropped = before?.files.map((file) => ({ object: objectOf(file), sinceMs })) ?? [];
    // One that was removed and then uploaded again is there.
    for (const { object } of dropped) this.#removed.delete(object);
    return [...kept, ...dropped].filter(({ object }) => !needed.has(object));
  }

  /** Removes what was retired long ago and, of a list, what no manifest names: killed uploads. */
  async remove(
    named: Named,
    listed: ReadonlyMap<string, ListedObject> | undefined,
    signal?: AbortSignal,
  ): Promise<void> {
    const { objects, objectOf, nowMs } = this.#options;
    const due = this.#due(named);
    const kept = new Set([...named.files.map(objectOf), ...named.retired.map((one) => one.object)]);
    const beforeMs = nowMs() - replicas.strayMs;
    const strays = [...(listed?.values() ?? [])]
      .filter(({ key, modifiedMs }) => !kept.has(key) && modifiedMs < beforeMs)
      .map(({ key }) => key);
    await eachAtOnce([...due, ...strays], replicas.atOnce, async (object) => {
      failpoint('remove object', object);
      await objects.delete(object, signal);
      this.#removed.add(object);
    });
  }

  #due(named: Named | undefined): string[] {
    const beforeMs = this.#options.nowMs() - replicas.keptMs;
    const retired = named?.retired ?? [];
    return retired
      .filter(({ object, sinceMs }) => sinceMs <= beforeMs && !this.#removed.has(object))
      .map(({ object }) => object);
  }
}
