import { divideOr, multiply, previousOrZero, subtract, total } from '../../columns/column.ts';
import { indicator } from '../../columns/indicator-spec.ts';

/**
 * Price Volume Trend: volume × relative change of the close, added up from 0 at the first bar.
 *
 * @see Colby 2003, The Encyclopedia of Technical Market Indicators.
 */
export const pvt = indicator({
  name: 'pvt',
  title: 'Price Volume Trend',
  columns: ({ close, volume }) => {
    const last = previousOrZero(close);
    return { pvt: total(multiply(divideOr(subtract(close, last), last, 0), volume)) };
  },
});
