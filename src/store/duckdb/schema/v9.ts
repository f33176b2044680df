/** Schema version 9: a flag is a boolean. */

export const schemaV9: readonly string[] = [
  // `sql --json` gave the texts 'true' and 'false'.
  'ALTER TABLE insider ALTER COLUMN is_derivative SET DATA TYPE BOOLEAN',
];
