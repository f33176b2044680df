/** The store, kept open between loads that follow each other at once. */

import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits/limits.ts';
import { type MarketDb, openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import type { WriterOptions } from '../../src/store/duckdb/connection/writer-lock.ts';

/**
 * Opens the store on use and closes it soon after. Opening and closing cost as much as a small
 * load, but an open store blocks all other processes.
 */
export class OpenStore {
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
   * Runs work on the open store; one caller at a time. The store stays open for the next caller for
   * a short time, unless it has been open for long: other processes may wait.
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

  /** Closes the store; repeated, does nothing. */
  close(): void {
    clearTimeout(this.#closing);
    this.#market?.close();
    this.#market = undefined;
  }
}
