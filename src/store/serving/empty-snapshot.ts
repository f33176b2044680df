/** What is published before anything is published. */

import type { BarColumns } from '../../bars.ts';
import type { Snapshot } from './snapshot.ts';

function noBars(): BarColumns {
  return {
    timestampUs: new BigInt64Array(0),
    open: new Float64Array(0),
    high: new Float64Array(0),
    low: new Float64Array(0),
    close: new Float64Array(0),
    volume: new Float64Array(0),
  };
}

export const emptySnapshot: Snapshot = {
  id: 'empty',
  createdMs: 0,
  symbols: [],
  symbol: () => undefined,
  rowCount: () => 0,
  rowAt: () => 0,
  bars: noBars,
  copyBars: () => undefined,
  indicators: (_symbol, _interval, columns) => columns.map(() => new Float64Array(0)),
  quote: () => undefined,
};
