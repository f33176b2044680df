import {
  type Bars,
  type Column,
  divideOr,
  multiply,
  subtract,
  total,
} from '../../columns/column.ts';
import { indicator } from '../../columns/indicator-spec.ts';

/**
 * Volume × ((close − low) − (high − close)) / (high − low): from −volume for a close at the low to
 * the volume for one at the high, and 0 for a bar without a range.
 */
export function moneyFlowVolume({ high, low, close, volume }: Bars): Column {
  const place = subtract(subtract(close, low), subtract(high, close));
  return multiply(divideOr(place, subtract(high, low), 0), volume);
}

/**
 * Accumulation/Distribution line: money flow volume, added up from the first bar.
 *
 * @see Chaikin, in Colby 2003, The Encyclopedia of Technical Market Indicators.
 */
export const ad = indicator({
  name: 'ad',
  title: 'Accumulation/Distribution line',
  columns: (bars) => ({ ad: total(moneyFlowVolume(bars)) }),
});
