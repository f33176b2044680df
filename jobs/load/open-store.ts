import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits.ts';
import { clearTimeout, monotonicMs, setTimeout } from '../../src/base/world/clock.ts';
import { type MarketDb, openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import {
  acquireWriterLock,
  type WriterLock,
  type WriterOptions,
} from '../../src/store/duckdb/connection/writer-lock.ts';
import type { StoreLeftOpen } from '../publish/publish.ts';

/**
 * Keeps the store open for a short time between loads. Opening costs as much as a small load, but
 * an open store blocks other processes.
 */
export class OpenStore implements Disposable {
  readonly #paths: ModePaths;
  readonly #options: WriterOptions & { nowMs: number };
  #lock: WriterLock | undefined;
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
    try {
      return await work(await this.#open());
    } catch (error) {
      this.close();
      throw error;
    } finally {
      const openMs = monotonicMs() - this.#openedAt;
      if (openMs > limits.store.heldMs) this.close();
      else if (this.#market) this.#closing = setTimeout(() => this.close(), limits.store.idleMs);
    }
  }

  async #open(): Promise<MarketDb> {
    if (this.#market) return this.#market;
    this.#lock = await acquireWriterLock(this.#paths, this.#options);
    const options = { ...this.#options, lock: this.#lock };
    this.#market = await openMarketForWriting(this.#paths, options);
    this.#openedAt = monotonicMs();
    return this.#market;
  }

  /** Returns the store if it is open, for a publish, which closes it; it stays open until then. */
  leftOpen(): StoreLeftOpen | undefined {
    clearTimeout(this.#closing);
    return this.#market && { market: this.#market, lock: this.#lock! };
  }

  close(): void {
    clearTimeout(this.#closing);
    try {
      this.#market?.close();
    } finally {
      this.#market = undefined;
      this.#lock?.release();
    }
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
