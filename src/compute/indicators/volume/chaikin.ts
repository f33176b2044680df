import { emaLag, subtract, total } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';
import { moneyFlowVolume } from './ad.ts';

/**
 * Chaikin Oscillator: EMA(`fast`) − EMA(`slow`) of the Accumulation/Distribution line, each seeded with
 * the mean of its own first values. TA-Lib starts both from the first value of the line.
 *
 * @see Chaikin, in Colby 2003, The Encyclopedia of Technical Market Indicators.
 */
export const chaikin = indicator({
  name: 'chaikin',
  title: 'Chaikin Oscillator',
  params: [barsParam('fast', 3), barsParam('slow', 10)],
  columns: (bars, { fast, slow }) => {
    const line = total(moneyFlowVolume(bars));
    return { chaikin: subtract(emaLag(line, fast), emaLag(line, slow)) };
  },
});
