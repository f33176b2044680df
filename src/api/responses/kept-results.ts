/** Results that are kept for repeated requests: responses, and screens whose pages a client walks. */

interface Entry<T> {
  result: T;
  bytes: number;
}

/** A cache bounded by bytes; the least recently used results go first. */
export class KeptResults<T> {
  readonly #bytesMax: number;
  /** A Map iterates in order of insertion, so re-inserting an entry makes it the newest. */
  readonly #entries = new Map<string, Entry<T>>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.result;
  }

  /** Keeps a result, unless it alone is larger than the bound. */
  put(key: string, result: T, bytes: number): void {
    this.remove(key);
    if (bytes > this.#bytesMax) return;
    const entry = { result, bytes: 0 };
    this.#entries.set(key, entry);
    this.#grow(entry, bytes);
  }

  /** Counts more bytes of a result, unless another one has its place. */
  grow(key: string, result: T, bytes: number): void {
    const entry = this.#entries.get(key);
    if (entry?.result === result) this.#grow(entry, bytes);
  }

  #grow(entry: Entry<T>, bytes: number): void {
    entry.bytes += bytes;
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#bytesMax) return;
      this.remove(oldest);
    }
  }

  /** Removes the results that a check refuses. */
  retain(isNeeded: (result: T) => boolean): void {
    for (const [key, { result }] of this.#entries) if (!isNeeded(result)) this.remove(key);
  }

  remove(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}
