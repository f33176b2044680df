/** Batches of an open file that matched their checksums at their first read. */

import { CorruptDataError } from '../../../base/errors.ts';

export class VerifiedBatches {
  readonly #path: string;
  readonly #verified = new Set<number>();
  /** Damage found at the last read, by number of a batch. */
  readonly #damaged = new Map<number, CorruptDataError>();

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns true if parts of a batch may be read without its checksum. */
  has(batch: number): boolean {
    return this.#verified.has(batch);
  }

  /**
   * Reads a whole batch, and once more if the first read finds damage, as `readAgain` does.
   *
   * @param read Returns true if the batch matches its checksum.
   * @throws {CorruptDataError} the batch does not match its checksum.
   */
  check(batch: number, read: () => boolean): void {
    if (!read() && !read()) throw this.damaged(batch);
    this.#damaged.delete(batch);
    this.#verified.add(batch);
  }

  /** Records that a batch can't be read. @returns the error to throw. */
  damaged(batch: number): CorruptDataError {
    const error = new CorruptDataError(
      `batch ${batch} of "${this.#path}" does not match its checksum`,
    );
    this.#verified.delete(batch);
    this.#damaged.set(batch, error);
    return error;
  }

  /** Error of a batch that was damaged at its last read; undefined if there is none. */
  get damage(): CorruptDataError | undefined {
    return this.#damaged.values().next().value;
  }
}
