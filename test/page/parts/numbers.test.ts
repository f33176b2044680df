/** Numbers as people read them: units, signs, and a mark for what is unknown. */

import { expect, it } from 'vitest';
import {
  axisText,
  bytesText,
  changeText,
  compactText,
  countText,
  dollarsText,
  percentText,
  priceText,
  valueText,
} from '../../../src/page/parts/numbers.ts';

it.each([
  [priceText(1234.5), '1,234.50'],
  [priceText(0.0123), '0.0123'],
  [priceText(0.00005432), '0.00005432'],
  [priceText(0.0000003236), '0.0000003236'],
  [priceText(0.1 + 0.2), '0.30'],
  [changeText(-0.000001), '−0.000001'],
  [axisText(0.0025), '0.0025'],
  [valueText(-0.00000387), '−0.00000387'],
  [compactText(0.004), '0.004'],
  [priceText(null), '–'],
  [priceText(Number.NaN), '–'],
  [changeText(-2.3), '−2.30'],
  [changeText(2.3), '+2.30'],
  [changeText(0), '0.00'],
  [percentText(1.624877, true), '+1.62%'],
  [percentText(-0.5), '−0.50%'],
  [compactText(999), '999'],
  [compactText(378_200_000), '378.20M'],
  [dollarsText(2_841_688_442_924), '$2.84T'],
  [dollarsText(-4_314_881), '−$4.31M'],
  [axisText(-500_000_000), '−500M'],
  [bytesText(0), '0 bytes'],
  [bytesText(30_945_280), '30.9 MB'],
  [bytesText(270_553_174_016), '271 GB'],
  [valueText(64.37642), '64.38'],
  [valueText(-0.00858), '−0.00858'],
  [valueText(12_345_678), '12.35M'],
  [changeText(1e-7), '+0.0000001'],
  [countText(11_288), '11,288'],
  [countText(0.25), '0.25'],
  [countText(1234.5), '1,234.5'],
])('%s is %s', (text, expected) => {
  expect(text).toBe(expected);
});
