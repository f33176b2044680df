/** Schema version 8: modification times of files, which rank files of one as-of. */

const UNKNOWN = "TIMESTAMP '1970-01-01'";

export const schemaV8: readonly string[] = [
  // Conflicts are settled by (as_of, modified, sha256). Files of earlier programs and of vendors
  // have no known time. `newest` is the newest bar of a file whose as-of nobody stated; null where
  // it was stated. A new table, as DuckDB can't commit two new columns with an update of one.
  'ALTER TABLE segment_files RENAME TO segment_files_v7',
  `CREATE TABLE segment_files AS
   SELECT *, ${UNKNOWN} AS modified, as_of AS newest FROM segment_files_v7`,
  'DROP TABLE segment_files_v7',
  // Of an adjusted series that of its file, of a raw one the newest of its files.
  `ALTER TABLE series ADD COLUMN modified TIMESTAMP DEFAULT ${UNKNOWN}`,
];
