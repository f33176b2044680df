import { bounded, divide, mean } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';
import { moneyFlowVolume } from './ad.ts';

/**
 * Chaikin Money Flow, −1 to 1: money flow volume of the last `period` bars as a share of their volume.
 * Without any volume there is no value.
 *
 * @see Chaikin, in Colby 2003, The Encyclopedia of Technical Market Indicators.
 */
export const cmf = indicator({
  name: 'cmf',
  title: 'Chaikin Money Flow',
  params: [barsParam('period', 20)],
  bounds: { cmf: [-1, 1] },
  columns: (bars, { period }) => {
    const share = divide(mean(moneyFlowVolume(bars), period), mean(bars.volume, period));
    // Sums of money flow volume and volume are rounded each in its own way.
    return { cmf: bounded(share, -1, 1) };
  },
});
