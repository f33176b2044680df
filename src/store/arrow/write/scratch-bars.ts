/** Columns that are used again for the next series: first touch costs more than copying. */

import { type BarColumns, barRows, blankBars } from '../../../base/bars.ts';

export class ScratchBars {
  #columns = blankBars(1024);

  /** Columns of `rowCount` rows that last until the next call. */
  bars(rowCount: number): BarColumns {
    if (this.#columns.close.length < rowCount) this.#columns = blankBars(2 * rowCount);
    return barRows(this.#columns, 0, rowCount);
  }
}
