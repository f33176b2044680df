/**
 * Limits with which a few publishes lead to a compaction instead of sixteen: to get there is most of
 * the time of its tests.
 */
export const FOLD_EARLY = { deltasMax: 3, intradayL0Max: 3 };
