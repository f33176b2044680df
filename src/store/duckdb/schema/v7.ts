/** Schema version 7: what statements say of dividends, beside their other figures per share. */
export const schemaV7: readonly string[] = [
  'ALTER TABLE statements RENAME TO statements_v5',
  `CREATE TABLE statements AS
   SELECT * EXCLUDE (currency, form, accession, ticker, segment_seq),
     NULL::DOUBLE AS dividends_per_share, currency, form, accession, ticker, segment_seq
   FROM statements_v5`,
  'DROP TABLE statements_v5',
];
