export const massiveLimits = {
  barsPerPage: 50_000,
  actionsPerPage: 5000,
  symbolsPerActions: 100,
  /** History of the free subscription: two years. */
  historyDays: 730,
  /** Age up to which a list of actions holds all ex-dates until today. */
  announcedDays: 7,
  /** Earlier ex-dates that are requested again, for late announcements and corrections. */
  lookbackDays: 14,
};
