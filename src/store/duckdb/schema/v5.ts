/**
 * Schema version 5: filings, news, analysts and dates to come.
 *
 * Each table holds the believed row of each key, which `datasets.ts` names; `segment_seq` says in
 * the ledger where and as of when a row comes from. `ticker` is what the input calls the security.
 */

const PERIOD = `symbol VARCHAR, date DATE, period VARCHAR, filed_at TIMESTAMP, fiscal_year BIGINT,
  fiscal_quarter BIGINT`;
const FILING = 'currency VARCHAR, form VARCHAR, accession VARCHAR';
const ORIGIN = 'ticker VARCHAR, segment_seq INTEGER';

export const schemaV5: readonly string[] = [
  `CREATE TABLE statements (${PERIOD}, revenue DOUBLE, cost_of_revenue DOUBLE, gross_profit DOUBLE,
    operating_income DOUBLE, net_income DOUBLE, eps DOUBLE, eps_diluted DOUBLE,
    net_income_to_common DOUBLE, shares_basic DOUBLE, shares_diluted DOUBLE, ${FILING}, ${ORIGIN})`,
  `CREATE TABLE balance_sheet (${PERIOD}, total_assets DOUBLE, total_liabilities DOUBLE,
    total_equity DOUBLE, cash DOUBLE, total_debt DOUBLE, net_debt DOUBLE, ${FILING}, ${ORIGIN})`,
  `CREATE TABLE shares (symbol VARCHAR, date DATE, filed_at TIMESTAMP, kind VARCHAR, shares DOUBLE,
    ${ORIGIN})`,
  `CREATE TABLE insider (symbol VARCHAR, insider_name VARCHAR, title VARCHAR,
    transaction_type VARCHAR, transaction_code VARCHAR, transaction_date DATE, shares DOUBLE,
    price DOUBLE, total_value DOUBLE, shares_owned_after DOUBLE, filed_at TIMESTAMP,
    is_derivative VARCHAR, accession VARCHAR, line BIGINT, amends VARCHAR, ${ORIGIN})`,
  `CREATE TABLE news (id VARCHAR, title VARCHAR, summary VARCHAR, source VARCHAR, url VARCHAR,
    published_at TIMESTAMP, symbols VARCHAR[], sentiment VARCHAR, tickers VARCHAR[],
    segment_seq INTEGER)`,
  `CREATE TABLE analyst_consensus (symbol VARCHAR, as_of TIMESTAMP, strong_buy BIGINT, buy BIGINT,
    hold BIGINT, sell BIGINT, strong_sell BIGINT, consensus VARCHAR, target_high DOUBLE,
    target_low DOUBLE, target_mean DOUBLE, target_median DOUBLE, ${ORIGIN})`,
  `CREATE TABLE analyst_targets (symbol VARCHAR, firm VARCHAR, analyst_name VARCHAR, target DOUBLE,
    rating VARCHAR, published_at TIMESTAMP, ${ORIGIN})`,
  `CREATE TABLE upgrades_downgrades (symbol VARCHAR, firm VARCHAR, analyst_name VARCHAR,
    action VARCHAR, from_grade VARCHAR, to_grade VARCHAR, published_at TIMESTAMP, ${ORIGIN})`,
  `CREATE TABLE expirations (symbol VARCHAR, as_of TIMESTAMP, date DATE, ${ORIGIN})`,
  `CREATE TABLE earnings_calendar (symbol VARCHAR, company_name VARCHAR, date DATE,
    fiscal_quarter VARCHAR, time VARCHAR, eps_estimate DOUBLE, revenue_estimate DOUBLE,
    as_of TIMESTAMP, ${ORIGIN})`,
  // What publishing must do: the newest load that changed rows of a symbol, or of news an article.
  'CREATE TABLE row_changes (seq BIGINT, dataset VARCHAR, list_key VARCHAR)',
];
