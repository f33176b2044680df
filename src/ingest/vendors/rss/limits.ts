const DAY_MS = 24 * 3_600_000;

export const newsLimits = {
  /** Size and entries of one feed. */
  feedBytesMax: 16 * 1024 * 1024,
  entriesMax: 5000,
  titleCharsMax: 500,
  /** Longer summaries are cut: some feeds put whole articles there. */
  summaryCharsMax: 1000,
  /** Text of a rejected entry in the quarantine. */
  quarantineCharsMax: 1000,
  /** Time for which a story is kept after a feed last had it, so that a copy is not a new one. */
  storyKeptMs: 7 * DAY_MS,
};
