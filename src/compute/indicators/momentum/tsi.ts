import { absolute, change, divide, divideOr, multiply, smooth } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * True Strength Index, −100 to 100: the change of the close as a share of its size, both smoothed by
 * an EMA of `long` bars and one of `short` bars. Before the first change there is no value, and the
 * signal counts 0.
 *
 * @see Blau 1991, True Strength Index, Stocks & Commodities 9(11).
 */
export const tsi = indicator({
  name: 'tsi',
  title: 'True Strength Index',
  params: [barsParam('long', 25), barsParam('short', 13), barsParam('signal', 13)],
  outputs: ['tsi', 'signal'],
  bounds: { tsi: [-100, 100], signal: [-100, 100] },
  columns: ({ close }, { long, short, signal }) => {
    const move = change(close);
    // Rounded in the same way, the net never exceeds the gross, nor a mean of shares 1.
    const net = smooth(smooth(move, long), short);
    const gross = smooth(smooth(absolute(move), long), short);
    return {
      tsi: multiply(divide(net, gross), 100),
      signal: multiply(smooth(divideOr(net, gross, 0), signal), 100),
    };
  },
});
