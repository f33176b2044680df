/** One immutable input of rows of a dataset: ingest stages it, the store loads it. Type only. */

export interface RowSegment {
  /** SHA-256, hex, of dataset, source, as-of and rows in any order. */
  id: string;
  /** Name of one of `rowDatasets`. */
  dataset: string;
  /** Must be in the table of source priorities. */
  source: string;
  /** Time at which its content was true. */
  asOfUs: bigint;
  /** Origin, as the user or the vendor names it. */
  origin: string;
  kind: 'parquet';
  /**
   * Rows that are checked and have different keys, in the columns that `tableColumns` names.
   * Immutable.
   */
  parquetPath: string;
  /** Hash of that file, in hexadecimal; undefined if an earlier program has staged it. */
  parquetSha256?: string;
  accepted: number;
  rejected: number;
  /**
   * Rejected rows of files without a good row. Such a file is reported by name, and does not count
   * against the others. Undefined means none.
   */
  refusedFileLines?: number;
}
