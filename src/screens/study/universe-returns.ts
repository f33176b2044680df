/** Returns of a universe by market session, at one horizon. */

import { orderOf } from '../plan/ranks.ts';

export class UniverseReturns {
  /** Mean return by session, NaN without any. */
  readonly means: Float64Array;
  #order: Uint32Array | undefined;

  constructor(means: Float64Array) {
    this.means = means;
  }

  /** Sessions by mean return, smallest first; those without one are anywhere. */
  get order(): Uint32Array {
    this.#order ??= orderOf(this.means);
    return this.#order;
  }
}
