import { expect, it } from 'vitest';
import { commonSymbols } from '../../../src/base/symbols/common-shares.ts';

it.each([
  ['preferred shares', ['MSBI', 'MSBIP'], ['MSBI']],
  ['units, rights and warrants', ['CLRC', 'CLRCR', 'CLRCU', 'CLRCW'], ['CLRC']],
  ['notes', ['GAIN', 'GAINN', 'GAING'], ['GAIN']],
  ['classes by letter', ['GOOG', 'GOOGL'], ['GOOG', 'GOOGL']],
  ['classes of five letters alone', ['LBTYA', 'LBTYK', 'QRTEP'], ['LBTYA', 'LBTYK', 'QRTEP']],
  ['classes after a dot', ['BRK.A', 'BRK.B', 'BAC.PRL', 'ABC.WS'], ['BRK.A', 'BRK.B']],
])('common shares beside %s', (_, symbols, common) => {
  expect(commonSymbols(symbols)).toEqual(common);
});
