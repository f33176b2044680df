/** Schema version 2: what the directories of exchanges and the SEC say of a symbol. */

export const schemaV2: readonly string[] = [
  // `exchange` is the screener's name for the group, `venue` the market itself.
  'ALTER TABLE symbols ADD COLUMN venue VARCHAR',
  'ALTER TABLE symbols ADD COLUMN cik BIGINT',
  'ALTER TABLE symbols ADD COLUMN country VARCHAR',
  'ALTER TABLE symbols ADD COLUMN sector VARCHAR',
  'ALTER TABLE symbols ADD COLUMN industry VARCHAR',
  // When the facts of its source were true: an older file that is loaded later replaces nothing.
  'ALTER TABLE symbols ADD COLUMN as_of TIMESTAMP',
];
