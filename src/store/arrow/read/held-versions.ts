/**
 * Versions that walks stay on. A held snapshot keeps its files open, which a later publish may have
 * removed from the folder.
 */

export interface VersionLimits {
  /** Time after its replacement for which a version is held. */
  recentMs: number;
  /** Replaced versions that are held even longer. */
  recentVersionsMin: number;
  /** Replaced versions that are held at most. */
  versionsMax: number;
}

interface Held<T> {
  version: T;
  /** Infinite while it is the newest version. */
  replacedMs: number;
}

export class HeldVersions<T extends { readonly id: string }> {
  readonly #limits: VersionLimits;
  /** By id; the version that was walked first comes first. */
  readonly #held = new Map<string, Held<T>>();

  constructor(limits: VersionLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#held.size;
  }

  find(id: string): T | undefined {
    return this.#held.get(id)?.version;
  }

  /** Holds a version, since a walk has begun on it. */
  hold(version: T): void {
    const { id } = version;
    if (!this.#held.has(id)) {
      this.#held.set(id, { version, replacedMs: Number.POSITIVE_INFINITY });
    }
  }

  /**
   * Notes which version is the newest, and lets go of those that were replaced too long ago.
   *
   * @param newestId Undefined while nothing can be read.
   */
  release(newestId: string | undefined, nowMs: number): void {
    const { recentMs, recentVersionsMin, versionsMax } = this.#limits;
    const replaced: [id: string, replacedMs: number][] = [];
    for (const [id, held] of this.#held) {
      if (id === newestId) continue;
      held.replacedMs = Math.min(held.replacedMs, nowMs);
      replaced.push([id, held.replacedMs]);
    }
    for (const [place, [id, replacedMs]] of replaced.reverse().entries()) {
      const isRecent = nowMs - replacedMs < recentMs || place < recentVersionsMin;
      if (!isRecent || place >= versionsMax) this.#held.delete(id);
    }
  }
}
