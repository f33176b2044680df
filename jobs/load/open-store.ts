import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits.ts';
import { clearTimeout, monotonicMs, setTimeout } from '../../src/base/world/clock.ts';
import { type MarketDb, openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import type { WriterOptions } from '../../src/store/duckdb/connection/writer-lock.ts';

/**
 * Keeps the store open for a short time between loads. Opening costs as much as a small load, but
 * an open store blocks other processes.
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
   * Runs work on the open store, one caller at a time. Closes it at once if it has been open for
   * long.
   */
  async use<T>(work: (market: MarketDb) => Promise<T>): Promise<T> {
    clearTimeout(this.#closing);
    if (!this.#market) {
      this.#market = await openMarketForWriting(this.#paths, this.#options);
      this.#openedAt = monotonicMs();
    }
    try {
      return await work(this.#market);
    } catch (error) {
      this.close();
      throw error;
    } finally {
      const openMs = monotonicMs() - this.#openedAt;
      if (openMs > limits.store.heldMs) this.close();
      else if (this.#market) this.#closing = setTimeout(() => this.close(), limits.store.idleMs);
    }
  }

  close(): void {
    clearTimeout(this.#closing);
    this.#market?.close();
    this.#market = undefined;
  }
}
