import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { UnclearSymbolError } from '../../../src/base/errors.ts';
import {
  CANONICAL,
  type Speller,
  spelledFor,
  suffixRules,
  VENDOR_SPELLINGS,
} from '../../../src/base/symbols/spellings.ts';
import { MARKETS_BEFORE, MARKETS_BEHIND } from '../../../src/base/symbols/us-markets.ts';
import { canonicalSymbol, symbolOrFault } from '../../../src/base/symbols.ts';
import { symbolFromFileName } from '../../../src/ingest/names/file-name.ts';
import { hasRealdata, realdata } from '../../support/realdata.ts';
import { zipMemberNames } from '../../support/zip-members.ts';

const SPELLERS = Object.keys(VENDOR_SPELLINGS) as Speller[];

/** Stooq writes small letters, by which its preferred shares differ from Quandl's classes. */
const spelled = (speller: Speller, canonical: string) => {
  const text = spelledFor(speller, canonical);
  return speller === 'stooq' ? text.toLowerCase() : text;
};

describe('spellings of vendors', () => {
  it.each([
    ['ABR-P-A', 'ABR.PRA'],
    ['T-P-A', 'T.PRA'],
    ['BAC-P-L', 'BAC.PRL'],
    ['bac-p-l', 'BAC.PRL'],
    ['SPG.PR.J', 'SPG.PRJ'],
    ['BAC.PL', 'BAC.PRL'],
    ['BACpL', 'BAC.PRL'],
    ['TpA', 'T.PRA'],
    ['CpK', 'C.PRK'],
    ['MTBp', 'MTB.PR'],
    ['ABRpAw', 'ABR.PRA.WI'],
    ['ABR^D', 'ABR.PRD'],
    ['BAC/PL', 'BAC.PRL'],
    ['BAC/PRL', 'BAC.PRL'],
    ['BAC PRL', 'BAC.PRL'],
    ['BRKb', 'BRK.B'],
    ['HEIa', 'HEI.A'],
    ['BRK/B', 'BRK.B'],
    ['brk/b', 'BRK.B'],
    ['BRK B', 'BRK.B'],
    ['BRK/B US', 'BRK.B'],
    ['AAPL US Equity', 'AAPL'],
    ['CCIV/WS', 'CCIV.WS'],
    ['CCIV WS', 'CCIV.WS'],
    ['TDW WSB', 'TDW.WS.B'],
    ['TDW/WS/B', 'TDW.WS.B'],
    ['AAC/U', 'AAC.U'],
    ['GIG-RT', 'GIG.RT'],
    ['WFC-PR', 'WFC.PRR'],
    ['AAPL.O', 'AAPL'],
    ['AAPL.OQ', 'AAPL'],
    ['IBM.N', 'IBM'],
    ['UBER.K', 'UBER'],
    ['BRKb.N', 'BRK.B'],
    ['BAC_pl.N', 'BAC.PRL'],
    ['abr_a', 'ABR.PRA'],
    ['ABR_A.US', 'ABR.PRA'],
    ['BAC-PRL', 'BAC.PRL'],
    ['BAC PR L', 'BAC.PRL'],
    ['BAC/PR/L', 'BAC.PRL'],
    ['BACPRL', 'BAC.PRL'],
    ['SCHWPRJ', 'SCHW.PRJ'],
    ['CCIVWS', 'CCIV.WS'],
    ['ABCWS', 'ABCWS'],
    ['CCIV/WT', 'CCIV.WS'],
    ['CCIV/W', 'CCIV.WS'],
    ['CCIV.WTS', 'CCIV.WS'],
    ['CCIV WT', 'CCIV.WS'],
    ['TDW.WSB', 'TDW.WS.B'],
    ['TDW/WSB', 'TDW.WS.B'],
    ['PSTH/UN', 'PSTH.U'],
    ['GIG/R', 'GIG.RT'],
    ['GIG.RI', 'GIG.RT'],
    ['AMTM/WI', 'AMTM.WI'],
    ['GE-WD', 'GE.WD'],
    ['BRK/B UN Equity', 'BRK.B'],
    ['AAPL UW Equity', 'AAPL'],
    ['BRK.B-US', 'BRK.B'],
    ['AAPL:US', 'AAPL'],
    ['US:AAPL', 'AAPL'],
    ['AAPL_US_EQ', 'AAPL'],
    ['XNYS:BRK.B', 'BRK.B'],
    ['NasdaqGS:AAPL', 'AAPL'],
    ['OTCMKTS:NSRGY', 'NSRGY'],
    ['AAPL.NAS', 'AAPL'],
    ['IBM.NYSE', 'IBM'],
    ['Ko', 'KO'],
    ['Aapl', 'AAPL'],
  ])('reads %s as %s', (text, canonical) => {
    expect(canonicalSymbol(text)).toBe(canonical);
  });

  it.each([
    ['BRK_B', 'may be class B (BRK.B) or series B of a preferred share (BRK.PRB)'],
    ['SPY.P', 'may be SPY with the code of an exchange or a preferred share (SPY.PR)'],
    ['ABC.PK', 'may be ABC over the counter or series K of a preferred share (ABC.PRK)'],
    ['COF-N', 'may be COF with the code of an exchange or series N of a preferred share (COF.PRN)'],
    ['COF-I', 'may be class I (COF.I) or series I of a preferred share (COF.PRI)'],
    ['BAC-L', 'may be series L of a preferred share (BAC.PRL) or a stock of London'],
    ['FNMA.PQ', 'may be FNMA over the counter or series Q of a preferred share (FNMA.PRQ)'],
    ['AAPLd', 'may be class D (AAPL.D) or series D of a preferred share (AAPL.PRD)'],
  ])('refuses %s, which may be two securities', (text, fault) => {
    expect(() => canonicalSymbol(text)).toThrow(UnclearSymbolError);
    expect(symbolOrFault(() => canonicalSymbol(text))).toEqual({ fault });
  });

  it.each([
    'N/A',
    'n/a',
    'AAPL.XYZ',
    'SAP GR',
    'EDP PL',
    'REI.UN',
    'NOT A TICKER',
    'A  B',
    'BRK B ',
  ])('makes no security of %j', (text) => {
    expect(symbolOrFault(() => canonicalSymbol(text))).toEqual({ fault: 'is not a ticker' });
  });

  it.each(['AAPL', 'BRK.B', 'ABR.PRA', 'AIG.WS', 'TDW.WS.B', 'T'])(
    'reads %s with the market before or behind it',
    (symbol) => {
      const texts = [
        ...Object.entries(MARKETS_BEFORE).flatMap(([sign, codes]) =>
          codes.map((code) => `${code}${sign}${symbol}`),
        ),
        ...Object.entries(MARKETS_BEHIND).flatMap(([sign, codes]) =>
          codes.map((code) => `${symbol}${sign}${code}`),
        ),
      ];
      const spelledTexts = [...texts, ...texts.map((text) => text.toLowerCase()), `$${symbol}`];
      expect(spelledTexts.filter((text) => canonicalSymbol(text) !== symbol)).toEqual([]);
    },
  );

  it('gives no two kinds of suffix the same text', () => {
    const rows = SPELLERS.map((speller) => Object.entries(VENDOR_SPELLINGS[speller]));
    const kinds = new Map<string, Set<string>>();
    for (const [kind, template] of rows.flat()) {
      kinds.set(template, (kinds.get(template) ?? new Set()).add(kind));
    }
    expect([...kinds].filter(([, meant]) => meant.size > 1)).toEqual([]);
    expect(suffixRules([CANONICAL]).length).toBe(Object.keys(CANONICAL).length);
  });

  it.each(SPELLERS)('of %s come back to the symbol for each kind', (speller) => {
    const symbols = Object.values(CANONICAL).flatMap((suffix) =>
      ['A', 'B', 'C', 'V'].map((letter) => `ABC${suffix.replace('@', letter)}`),
    );
    for (const symbol of symbols) {
      expect(canonicalSymbol(spelled(speller, symbol)), spelled(speller, symbol)).toBe(symbol);
    }
  });
});

describe.skipIf(!hasRealdata)('every listed symbol', () => {
  const rows = (path: string) =>
    readFileSync(realdata(path), 'latin1').trim().split(/\r?\n/).slice(1, -1);
  const column = (path: string, place: number) =>
    rows(path).map((line) => canonicalSymbol(line.split('|')[place], 'nasdaq'));

  it('comes back from the spelling of each vendor', async () => {
    const names = await zipMemberNames(realdata('daily/universe_2017.zip'));
    const symbols = new Set([
      ...column('reference/nasdaqtrader/nasdaqlisted.txt', 0),
      ...column('reference/nasdaqtrader/otherlisted.txt', 7),
      ...names.map((name) => symbolFromFileName(name)),
    ]);
    expect(symbols.size).toBeGreaterThan(8000);
    const astray: string[] = [];
    for (const symbol of symbols) {
      for (const speller of SPELLERS) {
        const text = spelled(speller, symbol);
        const read = symbolOrFault(() => canonicalSymbol(text));
        if (!('symbol' in read) || read.symbol !== symbol) astray.push(`${symbol} ${text}`);
      }
    }
    expect(astray).toEqual([]);
  });
});

describe('docs/symbols.md', () => {
  const lines = readFileSync('docs/symbols.md', 'utf8').split('\n');
  const rows = lines.filter((line) => /^\| [a-z][^|]* \| `[A-Z.0-9]+` \| /.test(line));
  const texts = rows.flatMap((line) => {
    const [canonical, ...spellings] = [...line.matchAll(/`([^`]+)`/g)].map((match) => match[1]);
    return spellings.map((text) => [text, canonical]);
  });

  it('lists spellings that are read as it says', () => {
    expect(texts.length).toBeGreaterThan(50);
    for (const [text, canonical] of texts) {
      const isOfExchange = ['IBM.N', 'UBER.K'].includes(text);
      const symbol = isOfExchange ? text.slice(0, -2) : canonical;
      expect(canonicalSymbol(text), text).toBe(symbol);
    }
  });
});
