export const alpacaLimits = {
  symbolsPerRequest: 500,
  barsPerPage: 10_000,
  actionsPerPage: 1000,
  /** Delay of the tape of all exchanges on the free subscription. */
  delayMs: 16 * 60_000,
  earliestDate: '2016-01-01',
  /** Missing days below which a request starts at a symbol's own first missing day. */
  ownStartDays: 14,
  /** Longest time between the ex-date of an action and its processing, by which it is found. */
  processDays: 120,
};
