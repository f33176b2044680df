import { change as changeOf } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/** Difference of the close from that `bars` bars before. */
export const change = indicator({
  name: 'change',
  title: 'Change',
  params: [barsParam('bars', 1)],
  columns: ({ close }, { bars }) => ({ change: changeOf(close, bars) }),
});
