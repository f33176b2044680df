/** One source of several that can give the same bars: the next one is better than a long wait. */
export const anySourceLimits = {
  triesMax: 2,
  retryAfterMaxMs: 5000,
  paceWaitMaxMs: 90_000,
  symbolsPerPartition: 20,
  symbolsMax: 500,
};
