/** The store between loads that follow one another at once. */

import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits/limits.ts';
import { type MarketDb, openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import type { WriterOptions } from '../../src/store/duckdb/connection/writer-lock.ts';

/**
 * Opens the store when it is needed and closes it soon after: opening and closing cost as much as
 * a small load, but while it is open nobody else gets in.
 */
export class HeldStore {
  readonly #paths: ModePaths;
  readonly #options: WriterOptions & { nowMs: number };
  #market: MarketDb | undefined;
  #openedAt = 0;
  #closing: NodeJS.Timeout | undefined;

  constructor(paths: ModePaths, options: WriterOptions & { nowMs: number }) {
    this.#paths = paths;
    this.#options = options;
  }

  /**
   * Gives the open store; one user at a time. It stays open for the next one who comes soon,
   * unless it has been open for long: others may wait.
   */
  async use<T>(work: (market: MarketDb) => Promise<T>): Promise<T> {
    clearTimeout(this.#closing);
    if (!this.#market) {
      this.#market = await openMarketForWriting(this.#paths, this.#options);
      this.#openedAt = performance.now();
    }
    try {
      return await work(this.#market);
    } catch (error) {
      this.close();
      throw error;
    } finally {
      const openMs = performance.now() - this.#openedAt;
      if (openMs > limits.store.heldMs) this.close();
      else if (this.#market) this.#closing = setTimeout(() => this.close(), limits.store.idleMs);
    }
  }

  /** Again does nothing. */
  close(): void {
    clearTimeout(this.#closing);
    this.#market?.close();
    this.#market = undefined;
  }
}
