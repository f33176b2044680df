import { above, choose, smooth, subtract, typicalMove } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Klinger oscillator: the volume, negative where the typical price fell, smoothed by an EMA of `fast`
 * bars less one of `slow` bars. The second bar is the first that counts. This is the form of today's
 * charts; Klinger's own weighted the volume by the range since the trend began.
 *
 * @see Klinger 1997, Identifying Trends with Volume Analysis, Stocks & Commodities 15(12).
 */
export const klinger = indicator({
  name: 'klinger',
  title: 'Klinger oscillator',
  params: [barsParam('fast', 34), barsParam('slow', 55), barsParam('signal', 13)],
  outputs: ['klinger', 'signal'],
  columns: (bars, { fast, slow, signal }) => {
    const { volume } = bars;
    const force = choose(above(0, typicalMove(bars)), subtract(0, volume), volume);
    const klinger = subtract(smooth(force, fast), smooth(force, slow));
    return { klinger, signal: smooth(klinger, signal) };
  },
});
