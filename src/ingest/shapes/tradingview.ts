/** TradingView's chart export, whose name holds exchange, symbol and interval: `NASDAQ_AAPL, 1D.csv`. */

import { basename } from 'node:path';
import { statement, type TableShape } from './shape.ts';

const NAME =
  /^(?:[A-Z]+_DLY|[A-Z]+)_([A-Z0-9._]+), ?(\d+|\d*[DWM])(?:[ _][^/]*)?\.(?:csv|txt)(?:\.gz)?$/;
const HEADER = ['time', 'open', 'high', 'low', 'close'];

export const tradingview: TableShape = {
  words: 'a chart of TradingView',
  recognise({ name, header }) {
    if (!HEADER.every((field, at) => header[at] === field)) return undefined;
    const [, symbol, period] = NAME.exec(basename(name)) ?? [];
    if (symbol === undefined) return undefined;
    const fact = 'the name of the file says so';
    return {
      header,
      headerLines: 1,
      stated: {
        // The name of a preferred share has a slash, which no file can have.
        symbol: statement(symbol.replace('_', '/'), fact),
        stamps: statement('start', 'its charts write it', 'stamps at the start of a bar'),
        interval: statement(
          /^\d+$/.test(period) ? `${period}m` : period.replace(/^(?=[DWM])/, '1'),
          fact,
          /^\d+$/.test(period) ? `${period}-minute bars` : 'daily bars',
        ),
      },
      rows: (line) => [line],
    };
  },
};
