/**
 * When the batches of an open file were last read whole and matched their checksums. That holds for
 * a while only: what is read often stays in memory, but what is read seldom comes anew from a disk
 * that may have decayed meanwhile.
 */

import { CorruptDataError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits/limits.ts';

export class VerifiedBatches {
  readonly #path: string;
  readonly #verifiedMs: number;
  /** By number of a batch, on the clock of `performance`; 0: never. */
  #untilMs = new Float64Array(8);
  /** Found when last read, by number of a batch. */
  readonly #damaged = new Map<number, CorruptDataError>();

  /** @param verifiedMs How long a batch counts as verified. */
  constructor(path: string, verifiedMs: number = limits.serving.verifiedMs) {
    this.#path = path;
    this.#verifiedMs = verifiedMs;
  }

  /** Whether parts of a batch may be read without its checksum; some 50 ns. */
  has(batch: number): boolean {
    return performance.now() < this.#untilMs[batch];
  }

  /**
   * Notes what a whole read of a batch has shown.
   *
   * @throws {CorruptDataError} it is not whole.
   */
  note(batch: number, isWhole: boolean): void {
    if (!isWhole) throw this.damaged(batch);
    if (this.#damaged.size > 0) this.#damaged.delete(batch);
    if (batch >= this.#untilMs.length) {
      const grown = new Float64Array(Math.max(batch + 1, 2 * this.#untilMs.length));
      grown.set(this.#untilMs);
      this.#untilMs = grown;
    }
    this.#untilMs[batch] = performance.now() + this.#verifiedMs;
  }

  /** Notes that a batch can't be read. @returns what to throw. */
  damaged(batch: number): CorruptDataError {
    const error = new CorruptDataError(
      `batch ${batch} of "${this.#path}" does not match its checksum`,
    );
    if (batch < this.#untilMs.length) this.#untilMs[batch] = 0;
    this.#damaged.set(batch, error);
    return error;
  }

  /** Of some batch that was not whole when it was last read; undefined where all were. */
  get damage(): CorruptDataError | undefined {
    return this.#damaged.values().next().value;
  }
}
