/**
 * Schema version 6: events know the load that they tell of, so that publishing can say which of
 * them it has handed over. What earlier programs wrote was never handed over, and is no news.
 */
export const schemaV6: readonly string[] = [
  'DROP TABLE outbox',
  `CREATE TABLE outbox (seq BIGINT, event_id VARCHAR, type VARCHAR, payload JSON,
    created_at TIMESTAMP)`,
];
