import { emaLag, subtract } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Elder ray: bull power is the high less the EMA of the closes, bear power the low less that EMA.
 *
 * @see Elder 1993, Trading for a Living.
 */
export const elderRay = indicator({
  name: 'elder_ray',
  title: 'Elder ray',
  params: [barsParam('period', 13)],
  outputs: ['bull', 'bear'],
  columns: ({ high, low, close }, { period }) => {
    const lag = emaLag(close, period);
    return {
      bull: subtract(subtract(high, close), lag),
      bear: subtract(subtract(low, close), lag),
    };
  },
});
