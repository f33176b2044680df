/** Schema version 4: securities, and the tickers that each has had. */

export const schemaV4: readonly string[] = [
  // `symbol` is what every other table carries: the current ticker, or that of the last trading
  // day with the year and month of it where another security has the ticker by now.
  'CREATE TABLE securities (security_id INTEGER, symbol VARCHAR, delisted_on DATE)',
  // Days are inclusive, null is open. A row without any day is a ticker that nobody has dated.
  `CREATE TABLE security_tickers (security_id INTEGER, ticker VARCHAR, from_date DATE,
    to_date DATE)`,
  'INSERT INTO securities SELECT row_number() OVER (ORDER BY symbol), symbol, NULL FROM symbols',
  'INSERT INTO security_tickers SELECT security_id, symbol, NULL, NULL FROM securities',
  // The ticker that an input states: whose it is follows from this, the days of the input's rows
  // and the tables above, so a rename can be corrected.
  'ALTER TABLE series ADD COLUMN ticker VARCHAR',
  'UPDATE series SET ticker = symbol',
  'ALTER TABLE action_coverage ADD COLUMN ticker VARCHAR',
  'UPDATE action_coverage SET ticker = symbol',
  // What a vendor multiplies earlier prices by for a dividend, where it says so.
  'ALTER TABLE stated_actions ADD COLUMN factor DOUBLE',
  // A view keeps the columns that its tables had when it was made.
  `CREATE OR REPLACE VIEW ranked_coverage AS
    SELECT c.*, row_number() OVER (PARTITION BY c.symbol ORDER BY p.priority,
      g.as_of DESC NULLS LAST, g.segment DESC, c.statement_id DESC) AS rank
    FROM action_coverage c JOIN segments g ON g.seq = c.segment_seq
    JOIN source_priority p ON p.source = c.source`,
  `CREATE OR REPLACE VIEW corporate_actions AS
    SELECT a.symbol, a.type, a.ex_date, a.numerator, a.denominator, a.amount, m.source,
      m.segment_seq, a.factor
    FROM stated_actions a JOIN ranked_coverage m ON m.statement_id = a.statement_id
      AND a.ex_date BETWEEN m.from_date AND m.to_date
    WHERE NOT EXISTS (SELECT 1 FROM ranked_coverage o WHERE o.symbol = m.symbol
      AND o.rank < m.rank AND a.ex_date BETWEEN o.from_date AND o.to_date)`,
];
