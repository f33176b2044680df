/** Shapes that the parts of the incremental computation share. */

/** One row of float64 fields per symbol; changed in place. */
export interface StateRows {
  rows: Float64Array;
  rowLength: number;
}

/** New bars, an entry each; a symbol may have several, which are then in the order of time. */
export interface NewBars {
  /** Index of the state row. */
  symbols: Int32Array;
  closes: Float64Array;
}
