/** A response as columns, the form from which CSV, Arrow and Parquet are written. */

export type TableColumn =
  /** Microseconds since the epoch, UTC. */
  | { name: string; type: 'timestamp'; values: BigInt64Array }
  /** Microseconds since the epoch, UTC; `NULL_MICROS` is null. */
  | { name: string; type: 'optionalTimestamp'; values: BigInt64Array }
  /** Days since the epoch. */
  | { name: string; type: 'date'; values: Int32Array }
  /** Days since the epoch; `NULL_INT` is null. */
  | { name: string; type: 'optionalDate'; values: Int32Array }
  /** NaN is null. `isKnown` if no value is. */
  | { name: string; type: 'number'; values: Float64Array; isKnown?: true }
  /** Six decimals in CSV, the stored float64 in Arrow; NaN is null. */
  | { name: string; type: 'volume'; values: Float64Array; isKnown?: true }
  /** Whole numbers; an integer in Parquet, float64 in Arrow; NaN is null. */
  | { name: string; type: 'integer'; values: Float64Array }
  /** 1 is true, 0 is false, NaN is null. */
  | { name: string; type: 'flag'; values: Float64Array }
  | { name: string; type: 'text'; values: readonly string[] }
  | { name: string; type: 'optionalText'; values: readonly (string | null)[] };

/** Columns of equal length. */
export type Table = readonly TableColumn[];
