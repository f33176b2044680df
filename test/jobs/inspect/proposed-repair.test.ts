import { expect, it } from 'vitest';
import { flaggedBar } from '../../../jobs/inspect/quality-report.ts';

/** Three bars, the second with the given prices. */
function bars(open: number, high: number, low: number, close: number, after = 10.4) {
  return {
    timestampUs: BigInt64Array.of(0n, 1n, 2n),
    open: Float64Array.of(10, open, 10.2),
    high: Float64Array.of(11, high, 11),
    low: Float64Array.of(9, low, 9),
    close: Float64Array.of(10.1, close, after),
    volume: Float64Array.of(5, 5, 5),
  };
}

it.each([
  ['a stray low', bars(10.2, 10.5, 2.1, 10.3), 'stray-price', 0.21, 1, { low: 10.2 }],
  ['a stray high', bars(10.2, 99, 10, 10.3), 'stray-price', 9.8, 1, { high: 10.3 }],
  [
    ...(['a bar in cents', bars(1021, 1055, 1002, 1033), 'unit-jump', 104, 100] as const),
    { open: 10.21, high: 10.55, low: 10.02, close: 10.33 },
  ],
  ['one price in cents', bars(10.2, 10.5, 1.02, 10.3), 'unit-jump', 0.1, 0.1, { low: 10.2 }],
  ['units that stay', bars(1021, 1055, 1002, 1033, 1040), 'unit-jump', 104, 100, {}],
  ['an open that is stray, too', bars(2.1, 10.5, 2.1, 10.3), 'stray-price', 0.21, 1, {}],
  ['a split', bars(5.1, 5.2, 5, 5.1, 5.2), 'missing-split', 0.5, 0.5, {}],
] as const)('%s', (_, all, flag, value, expected, proposed) => {
  expect(flaggedBar(all, 1, { flag, value, expected }).proposed).toEqual(proposed);
});
