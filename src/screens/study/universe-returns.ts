/** Returns of a universe by market session, at one horizon. */

import type { RowRange } from '../../store/arrow/snapshot/snapshot.ts';
import { orderOf } from '../plan/ranks.ts';
import { Sums } from './sums.ts';

export class UniverseReturns {
  readonly #sums: Sums;
  readonly #counts: Float64Array;
  #means: Float64Array | undefined;
  #order: Uint32Array | undefined;

  /** @param length Market sessions. */
  constructor(length: number) {
    this.#sums = new Sums(length);
    this.#counts = new Float64Array(length);
  }

  /**
   * Adds the returns of a symbol; NaN is none.
   *
   * @param sessions Numbers of the sessions of its rows.
   * @param isMember Bits of the rows on which it belongs to the universe; undefined for all.
   */
  add(
    sessions: Int32Array,
    returns: Float64Array,
    rows: RowRange,
    isMember: Uint32Array | undefined,
  ): void {
    this.#sums.addAll(sessions, returns, rows, isMember, this.#counts);
  }

  /** Mean return by session, NaN without any. No symbol is added from then on. */
  get means(): Float64Array {
    this.#means ??= this.#counts.map((count, session) => this.#sums.of(session) / count);
    return this.#means;
  }

  /** Sessions by mean return, smallest first; those without one are anywhere. */
  get order(): Uint32Array {
    this.#order ??= orderOf(this.means);
    return this.#order;
  }
}
