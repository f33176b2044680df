/**
 * Limits with which a few publishes lead to a compaction instead of sixteen: to get there is most of
 * the time of its tests.
 */
export const FOLD_EARLY = { slicesMax: 3, intradaySlicesMax: 3 };
