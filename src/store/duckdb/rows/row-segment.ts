/** One immutable input of rows of a dataset: ingest stages it, the store loads it. */

export interface RowSegment {
  /** SHA-256, hex, of dataset, source, as-of and rows in any order. */
  id: string;
  dataset: string;
  /** Must be in the table of source priorities. */
  source: string;
  asOfUs: bigint;
  origin: string;
  kind: 'parquet';
  /** Rows that are checked and have different keys, in the columns that `tableColumns` names. */
  parquetPath: string;
  /** Hash of that file, in hexadecimal; undefined if an earlier program has staged it. */
  parquetSha256?: string;
  accepted: number;
  rejected: number;
  /** Rejected rows of files without a good row, which do not count against others. */
  refusedFileLines?: number;
  /**
   * Number of the rules that made its rows of companies' filings, which its file names; undefined
   * for other rows, and if a program before there were numbers made them.
   */
  rules?: number;
}
