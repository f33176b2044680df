export const compactionLimits = {
  /** Free share of a store below which a scheduled compaction skips it. */
  freeShareMin: 0.2,
  /** Free bytes below which it skips the store too. */
  freeBytesMin: 256 * 1024 * 1024,
};
