/** One immutable input of rows of a dataset: ingest lands it, the store loads it. Type only. */

export interface RowSegment {
  /** SHA-256, hex, of dataset, source, as-of and rows in any order. */
  id: string;
  /** Name of one of `rowDatasets`. */
  dataset: string;
  /** Must be in the table of source priorities. */
  source: string;
  /** When its content was true. */
  asOfUs: bigint;
  /** Where it came from, as the user or the vendor names it. */
  origin: string;
  kind: 'parquet';
  /**
   * Rows that are checked and have different keys, in the columns that `tableColumns` names.
   * Immutable.
   */
  parquetPath: string;
  /** Of that file, in hexadecimal; undefined where an earlier program has landed it. */
  parquetSha256?: string;
  accepted: number;
  rejected: number;
  /**
   * Rejected rows of files without a good row: each such file is named, and says nothing of the
   * others. Undefined means none.
   */
  refusedFileLines?: number;
}
