/**
 * Mark of one suspicious bar. Nothing is deleted or changed because of a flag. Its numbers:
 *
 * | flag | row | value | expected |
 * |---|---|---|---|
 * | `unit-jump` | first bar in other units, or in the old ones again | price ÷ close before | the power of ten it is near |
 * | `missing-split` | the same; a split seems not to be adjusted for | open ÷ close before | the split's |
 * | `doubled-split` | the same; a split seems to be adjusted for twice | open ÷ close before | the inverse of the split's |
 * | `stray-price` | the bar | its farthest price ÷ close before | 1 |
 * | `out-of-line` | the bar | the price of it that is farthest ÷ close before | 1 |
 * | `unlikely-dividend` | the bar of the ex-date | its low ÷ close before | 1 − amount ÷ close before |
 * | `closed-day` | the bar | 1 bar | 0 |
 * | `unchanged-run` | first bar of the run | bars in the run | 1 |
 * | `repeated-bar` | the bar | bars back to the one with the same values | 0 |
 * | `missing-sessions` | first bar after the hole | sessions without a bar | 0 |
 * | `volume-outlier` | the bar | its volume | median of the bars before; both whole numbers |
 */
export interface QualityFlag {
  /** Index of the bar in its series. */
  row: number;
  flag:
    | 'unit-jump'
    | 'missing-split'
    | 'doubled-split'
    | 'stray-price'
    | 'out-of-line'
    | 'unlikely-dividend'
    | 'closed-day'
    | 'unchanged-run'
    | 'repeated-bar'
    | 'missing-sessions'
    | 'volume-outlier';
  value: number;
  expected: number;
}
