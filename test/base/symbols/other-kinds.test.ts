import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OtherKindError, ParameterError } from '../../../src/base/errors.ts';
import { EXCHANGE_PLACES } from '../../../src/base/symbols/exchange-suffixes.ts';
import { foreignPlace, otherKind } from '../../../src/base/symbols/other-kinds.ts';
import { canonicalSymbol, type SymbolForm, symbolOrFault } from '../../../src/base/symbols.ts';

const FORMS: readonly SymbolForm[] = ['any', 'stooq', 'yahoo', 'nasdaq', 'sec', 'files'];

const faultOf = (text: string, form: SymbolForm = 'any') => {
  const found = symbolOrFault(() => canonicalSymbol(text, form));
  return 'fault' in found ? found.fault : undefined;
};

describe('canonicalSymbol', () => {
  it.each([
    ['BTC-USD', 'is a cryptocurrency'],
    ['btc-usd', 'is a cryptocurrency'],
    ['BTC.USD', 'is a cryptocurrency'],
    ['BTC/USD', 'is a cryptocurrency'],
    ['ETH-BTC', 'is a cryptocurrency'],
    ['DOGE-USDT', 'is a cryptocurrency'],
    ['BTCUSD', 'is a cryptocurrency'],
    ['BTCUSDT', 'is a cryptocurrency'],
    ['X:BTCUSD', 'is a cryptocurrency'],
    ['BTC-USD.CC', 'is a cryptocurrency'],
    ['EURUSD=X', 'is a currency pair'],
    ['JPY=X', 'is a currency pair'],
    ['EURUSD', 'is a currency pair'],
    ['EUR-USD', 'is a currency pair'],
    ['EUR.USD', 'is a currency pair'],
    ['EUR/USD', 'is a currency pair'],
    ['C:EURUSD', 'is a currency pair'],
    ['EURUSD.FOREX', 'is a currency pair'],
    ['XAUUSD', 'is a currency pair'],
    ['^GSPC', 'is an index'],
    ['.DJI', 'is an index'],
    ['I:SPX', 'is an index'],
    ['GSPC.INDX', 'is an index'],
    ['ES=F', 'is a future'],
    ['GC=F', 'is a future'],
    ['/ES', 'is a future'],
    ['CLZ26.NYM', 'is a future'],
    ['ESZ24', 'is a future'],
    ['CLF2025', 'is a future'],
    ['6EH5', 'is a future'],
    ['NQ1!', 'is a future'],
    ['AAPL260807C00110000', 'is an option'],
    ['O:SPY251219P00650000', 'is an option'],
    ['VOD.L', 'trades in London'],
    ['VOD.UK', 'trades in London'],
    ['SAP.DE', 'trades in Germany'],
    ['MC.PA', 'trades in Paris'],
    ['SHOP.TO', 'trades in Toronto'],
    ['RCI-B.TO', 'trades in Toronto'],
    ['NOVO-B.CO', 'trades in Copenhagen'],
    ['0700.HK', 'trades in Hong Kong'],
    ['7203.T', 'trades in Tokyo'],
    ['A005930', 'is numbered by an exchange of another country'],
    ['SH600519', 'is numbered by an exchange of another country'],
    ['BHP.AX', 'trades in Australia'],
    ['0P000071W8.TO', 'trades in Toronto'],
    ['VOD.L.201512', 'trades in London'],
  ])('refuses %s because it %s', (text, fault) => {
    for (const form of FORMS) expect(faultOf(text, form), form).toBe(fault);
  });

  it.each([
    ['BRK-B', 'BRK.B'],
    ['BF.B', 'BF.B'],
    ['RDS.A', 'RDS.A'],
    ['MKC-V', 'MKC.V'],
    ['CIG.C', 'CIG.C'],
    ['BAC-PL', 'BAC.PRL'],
    ['BAC-PA', 'BAC.PRA'],
    ['BAC.PRL', 'BAC.PRL'],
    ['MTB.PR', 'MTB.PR'],
    ['ALL.PRD.CL', 'ALL.PRD.CL'],
    ['AIG.WS', 'AIG.WS'],
    ['TDW.WS.T', 'TDW.WS.T'],
    ['CIC=', 'CIC.U'],
    ['GIG.RT', 'GIG.RT'],
    ['CTEST.L', 'CTEST.L'],
    ['USD', 'USD'],
    ['BTC', 'BTC'],
    ['EUR', 'EUR'],
  ])('takes %s as %s', (text, canonical) => {
    expect(canonicalSymbol(text)).toBe(canonical);
  });

  it('names the parameter, the text and what it is', () => {
    expect(() => canonicalSymbol('BTC-USD')).toThrow(
      'symbol must be a US stock or fund, got "BTC-USD", which is a cryptocurrency',
    );
    expect(() => canonicalSymbol('BAC.PL', 'any', 'symbols')).not.toThrow();
    expect(() => canonicalSymbol('MC.PA', 'any', 'symbols')).toThrow(
      'symbols must be a US stock or fund, got "MC.PA", which trades in Paris (series A of a preferred share is MC.PRA)',
    );
  });

  it('refuses each pair of a coin or a currency with the dollar, whatever stands between', () => {
    const base = fc.string({ unit: fc.constantFrom(...'ABCXYZ019'), minLength: 1, maxLength: 6 });
    const between = fc.constantFrom('-', '.', '/', '_');
    const quote = fc.constantFrom('USD', 'EUR', 'USDT', 'USDC', 'BTC', 'usd');
    fc.assert(
      fc.property(base, between, quote, (one, mark, other) => {
        expect(() => canonicalSymbol(one + mark + other)).toThrow(OtherKindError);
      }),
      { seed: 20261123 },
    );
  });

  it('never refuses a class, preferred share, warrant, unit or right for what it is', () => {
    const root = fc.string({ unit: fc.constantFrom(...'ABCDELTUV'), minLength: 1, maxLength: 5 });
    // K, N, O and P are codes of exchanges at Reuters.
    const letter = fc.constantFrom(...'ABCDEGHIJMQSVXYZ');
    const suffix = fc.oneof(
      letter.map((one) => `.${one}`),
      fc.constantFrom('.PR', '.WS', '.U', '.RT', '.WI', '.RT.WI', '.CL'),
      fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ').map((one) => `.PR${one}`),
      fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ').map((one) => `.WS.${one}`),
    );
    fc.assert(
      fc.property(root, suffix, (one, other) => {
        expect(canonicalSymbol(one + other)).toBe(one + other);
      }),
      { seed: 20261123 },
    );
  });

  it('refuses each suffix of the table behind any root, and says where it trades', () => {
    const root = fc.string({ unit: fc.constantFrom(...'ABC0123'), minLength: 1, maxLength: 5 });
    const suffix = fc.constantFrom(...EXCHANGE_PLACES);
    fc.assert(
      fc.property(root, suffix, (one, [letters, place]) => {
        expect(foreignPlace(`${one}.${letters}`)).toBe(place);
        expect(faultOf(`${one}.${letters}`)).toBe(`trades in ${place}`);
      }),
      { seed: 20261123 },
    );
  });

  it('throws nothing but a ParameterError, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), (text) => {
        expect(() => symbolOrFault(() => canonicalSymbol(text))).not.toThrow();
        otherKind(text);
      }),
      { seed: 20261123 },
    );
    expect(() => canonicalSymbol('?')).toThrow(ParameterError);
  });
});

it('docs/symbols.md lists each suffix of the table with its place', () => {
  const page = readFileSync('docs/symbols.md', 'utf8');
  const listed = [...page.matchAll(/`\.([A-Z]{1,3})` ([A-Z][A-Za-z ]+?)(?=,|\.\n)/g)];
  expect(new Map(listed.map(([, letters, place]) => [letters, place]))).toEqual(EXCHANGE_PLACES);
});
