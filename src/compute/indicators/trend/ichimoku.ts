import { add, type Column, delay, divide, highest, lowest } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Ichimoku Kinko Hyo: lines half-way between the highest high and the lowest low of three spans.
 * Both leading spans stand at the bar where charts show them: they are `base` bars old. Charts that
 * count the bar itself move them by one bar less. The lagging span is left out: it is the close,
 * shown at a bar that could not know it yet.
 *
 * @see Hosoda 1969, Ichimoku Kinko Hyo.
 */
export const ichimoku = indicator({
  name: 'ichimoku',
  title: 'Ichimoku cloud',
  params: [barsParam('conversion', 9), barsParam('base', 26), barsParam('span', 52)],
  outputs: ['conversion', 'base', 'span_a', 'span_b'],
  priceOutputs: ['conversion', 'base', 'span_a', 'span_b'],
  columns: ({ high, low }, params) => {
    const half = (a: Column, b: Column) => divide(add(a, b), 2);
    const middle = (period: number) => half(highest(high, period), lowest(low, period));
    const conversion = middle(params.conversion);
    const base = middle(params.base);
    return {
      conversion,
      base,
      span_a: delay(half(conversion, base), params.base),
      span_b: delay(middle(params.span), params.base),
    };
  },
});
