import { divide, highest, mean, multiply, squareRoot, subtract } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Ulcer index: the root of the mean square of the last `period` drawdowns, each the distance of the
 * close from the highest close of `period` bars in percent.
 *
 * @see Martin and McCann 1989, The Investor's Guide to Fidelity Funds.
 */
export const ulcer = indicator({
  name: 'ulcer',
  title: 'Ulcer index',
  params: [barsParam('period')],
  bounds: { ulcer: [0, 100] },
  columns: ({ close }, { period }) => {
    const top = highest(close, period);
    const drawdown = multiply(divide(subtract(top, close), top), 100);
    return { ulcer: squareRoot(mean(multiply(drawdown, drawdown), period)) };
  },
});
