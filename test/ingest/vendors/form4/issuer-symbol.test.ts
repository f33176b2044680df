import { describe, expect, it } from 'vitest';
import { symbolOfIssuer } from '../../../../src/ingest/vendors/form4/issuer-symbol.ts';

describe('symbolOfIssuer', () => {
  const listed = new Map([
    [1067983, ['BRK.A', 'BRK.B']],
    [1652044, ['GOOGL', 'GOOG', 'GOOG.PRA']],
  ]);

  it.each([
    ['AAPL', 'AAPL'],
    ['aapl', 'AAPL'],
    [' (NYSE: ABC) ', 'ABC'],
    ['NASDAQ:ABCD', 'ABCD'],
    ['NYSE American - XYZ', 'XYZ'],
    ['"ABC"', 'ABC'],
    ['BRK/B', 'BRK.B'],
    ['BRK-B', 'BRK.B'],
    ['BRK.A, BRK.B', 'BRK.A'],
    ['LEN; LEN.B', 'LEN'],
    ['GOOG/GOOGL', 'GOOG'],
    ['TRUE', 'TRUE'],
    ['NAN', 'NAN'],
  ])('reads %s as %s', (text, symbol) => {
    expect(symbolOfIssuer(text, undefined, listed)).toBe(symbol);
  });

  it.each(['', 'NONE', 'none', 'N/A', 'n/a', 'NA', '-', 'Not Applicable', '[NONE]', '0000'])(
    'finds no ticker in "%s"',
    (text) => {
      expect(symbolOfIssuer(text, undefined, listed)).toBeUndefined();
    },
  );

  it("takes the directory's ticker if the filing has none, and its spelling", () => {
    expect(symbolOfIssuer('NONE', 1652044, listed)).toBe('GOOG');
    expect(symbolOfIssuer('BRKB', 1067983, listed)).toBe('BRK.B');
    expect(symbolOfIssuer('XX, GOOGL', 1652044, listed)).toBe('GOOGL');
    // A ticker at the time of filing that the company no longer has.
    expect(symbolOfIssuer('GOOX', 1652044, listed)).toBe('GOOX');
  });
});
