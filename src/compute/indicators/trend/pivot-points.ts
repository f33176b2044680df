import {
  add,
  type Bars,
  type Column,
  choose,
  delay,
  held,
  highestSince,
  multiply,
  subtract,
  typicalPrice,
} from '../../columns/column.ts';
import { indicator } from '../../columns/indicator-spec.ts';

/** High, low and close of the session before, of bars shorter than a day. */
function lastSession({ high, low, close, session }: Bars) {
  const atStart = (a: Column) => held(choose(session, delay(a, 1), Number.NaN));
  return {
    high: atStart(highestSince(high, session)),
    low: subtract(0, atStart(highestSince(subtract(0, low), session))),
    close: atStart(close),
  };
}

const lastBar = ({ high, low, close }: Bars) => ({
  high: delay(high, 1),
  low: delay(low, 1),
  close: delay(close, 1),
});

/**
 * Floor traders' pivot points of the bar before; for bars shorter than a day, of the session before.
 *
 * @see Person 2004, A Complete Guide to Technical Trading Tactics.
 */
export const pivotPoints = indicator({
  name: 'pivot_points',
  title: 'Pivot points',
  outputs: ['pivot', 'r1', 's1', 'r2', 's2', 'r3', 's3'],
  priceOutputs: ['pivot', 'r1', 's1', 'r2', 's2', 'r3', 's3'],
  columns: (bars, _, isIntraday) => {
    const last = { ...bars, ...(isIntraday ? lastSession(bars) : lastBar(bars)) };
    const { high, low } = last;
    const pivot = typicalPrice(last);
    const range = subtract(high, low);
    const [up, down] = [subtract(pivot, low), subtract(high, pivot)];
    return {
      pivot,
      r1: add(pivot, up),
      s1: subtract(pivot, down),
      r2: add(pivot, range),
      s2: subtract(pivot, range),
      r3: add(high, multiply(up, 2)),
      s3: subtract(low, multiply(down, 2)),
    };
  },
});
