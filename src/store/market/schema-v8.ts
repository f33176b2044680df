/** Schema version 8: modification times of files, which rank files of one as-of. */

const UNKNOWN = "TIMESTAMP '1970-01-01'";

export const schemaV8: readonly string[] = [
  // Conflicts are settled by (as_of, modified, sha256). Files of earlier programs and of vendors
  // have no known time.
  `ALTER TABLE segment_files ADD COLUMN modified TIMESTAMP DEFAULT ${UNKNOWN}`,
  // The newest bar of a file whose as-of nobody stated; null where it was stated.
  'ALTER TABLE segment_files ADD COLUMN newest TIMESTAMP',
  'UPDATE segment_files SET newest = as_of',
  // Of an adjusted series that of its file, of a raw one the newest of its files.
  `ALTER TABLE series ADD COLUMN modified TIMESTAMP DEFAULT ${UNKNOWN}`,
];
