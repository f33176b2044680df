/** What a bar can be suspected of. A flag marks; nothing is deleted or changed for it. */
export const QUALITY_FLAGS = [
  'unit-jump',
  'missing-split',
  'doubled-split',
  'unchanged-run',
  'missing-sessions',
  'volume-outlier',
] as const;

/**
 * One suspicion. What its numbers say:
 *
 * | flag | row | value | expected |
 * |---|---|---|---|
 * | `unit-jump` | first bar at another price level | price ÷ close before | the power of ten it is near |
 * | `missing-split` | the same; a split seems not to be adjusted for | price ÷ close before | the split's |
 * | `doubled-split` | the same; a split seems to be adjusted for twice | price ÷ close before | the inverse |
 * | `unchanged-run` | first bar of the run | bars in the run | 1 |
 * | `missing-sessions` | first bar after the hole | sessions without a bar | 0 |
 * | `volume-outlier` | the bar | its volume | median of the bars before |
 */
export interface QualityFlag {
  /** Index of the bar in its series. */
  row: number;
  flag: (typeof QUALITY_FLAGS)[number];
  value: number;
  expected: number;
}
