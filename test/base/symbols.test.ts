import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParameterError } from '../../src/base/errors.ts';
import { canonicalSymbol, type SymbolForm } from '../../src/base/symbols.ts';
import { symbolFromFileName } from '../../src/ingest/names/file-name.ts';
import { scaled } from '../faults/scale.ts';
import { hasRealdata, realdata } from '../support/realdata.ts';
import { zipMemberNames } from '../support/zip-members.ts';

describe('canonicalSymbol', () => {
  it('leaves out the US exchange that TradingView and Google write before a ticker', () => {
    const texts = ['NASDAQ:AAPL', 'NYSE:BRK.B', 'nyse:abr-p-a', 'NYSEARCA:SPY', 'CBOE:VIXY'];
    expect(texts.map((text) => canonicalSymbol(text))).toEqual([
      ...['AAPL', 'BRK.B', 'ABR.PRA', 'SPY', 'VIXY'],
    ]);
    for (const text of ['LSE:VOD', 'NYSE:', 'NASDAQ:NYSE:1']) {
      expect(() => canonicalSymbol(text)).toThrow();
    }
  });

  it.each<[form: SymbolForm, text: string, canonical: string]>([
    ['stooq', 'spy', 'SPY'],
    ['stooq', 'AAPL.US', 'AAPL'],
    ['any', 'brk-b.us', 'BRK.B'],
    ['any', 'US', 'US'],
    ['stooq', 'brk-b', 'BRK.B'],
    ['stooq', 'abr_a', 'ABR.PRA'],
    ['stooq', 'mtb_', 'MTB.PR'],
    ['stooq', 'aig-ws', 'AIG.WS'],
    ['stooq', 'tdw-ws-b', 'TDW.WS.B'],
    ['stooq', 'cic-u', 'CIC.U'],
    ['stooq', 'gig-r', 'GIG.RT'],
    ['stooq', 'all_d-cl', 'ALL.PRD.CL'],
    ['yahoo', 'BRK-B', 'BRK.B'],
    ['yahoo', 'ABR-PA', 'ABR.PRA'],
    ['sec', 'ETI-P', 'ETI.PR'],
    ['sec', 'AIG-WT', 'AIG.WS'],
    ['sec', 'OUST-WTA', 'OUST.WS.A'],
    ['sec', 'GRP-UN', 'GRP.U'],
    ['sec', 'GUT-RI', 'GUT.RT'],
    ['sec', 'SEG-RW', 'SEG.RT.WI'],
    ['sec', 'AMTM-WI', 'AMTM.WI'],
    ['sec', 'MKC-V', 'MKC.V'],
    ['nasdaq', 'ABR$A', 'ABR.PRA'],
    ['nasdaq', 'ABRpA', 'ABR.PRA'],
    ['nasdaq', 'ABR-A', 'ABR.PRA'],
    ['nasdaq', 'MTB$', 'MTB.PR'],
    ['nasdaq', 'MTBp', 'MTB.PR'],
    ['nasdaq', 'MTB-', 'MTB.PR'],
    ['nasdaq', 'BRK.B', 'BRK.B'],
    ['nasdaq', 'AIG.W', 'AIG.WS'],
    ['nasdaq', 'AIG+', 'AIG.WS'],
    ['nasdaq', 'TDW.WS.B', 'TDW.WS.B'],
    ['nasdaq', 'TDW+B', 'TDW.WS.B'],
    ['nasdaq', 'CIC.U', 'CIC.U'],
    ['nasdaq', 'CIC=', 'CIC.U'],
    ['nasdaq', 'GIG.R', 'GIG.RT'],
    ['nasdaq', 'GIGr', 'GIG.RT'],
    ['nasdaq', 'GIG^', 'GIG.RT'],
    ['nasdaq', 'RIVrw', 'RIV.RT.WI'],
    ['nasdaq', 'RIV^#', 'RIV.RT.WI'],
    ['nasdaq', 'AMTMw', 'AMTM.WI'],
    ['nasdaq', 'AMTM#', 'AMTM.WI'],
    ['nasdaq', 'ALLpD.CL', 'ALL.PRD.CL'],
    ['nasdaq', 'ALL-D*', 'ALL.PRD.CL'],
    ['nasdaq', 'JMPB.CL', 'JMPB.CL'],
    ['nasdaq', 'JMPB*', 'JMPB.CL'],
  ])('reads %s %s as %s', (form, text, canonical) => {
    expect(canonicalSymbol(text, form)).toBe(canonical);
  });

  it('accepts every vendor form from a user of the API, in any letter case', () => {
    const spellings = ['BRK.B', 'BRK-B', 'brk-b', 'brk.b'];
    expect(spellings.map((text) => canonicalSymbol(text))).toEqual(Array(4).fill('BRK.B'));
    const preferred = ['ABR.PRA', 'abr_a', 'ABR-PA', 'ABR$A', 'abr.pra'];
    expect(preferred.map((text) => canonicalSymbol(text))).toEqual(Array(5).fill('ABR.PRA'));
  });

  it('takes the symbol of a delisted security whose ticker was reused', () => {
    for (const form of ['any', 'files', 'nasdaq'] as const) {
      expect(canonicalSymbol('xyz.201512', form)).toBe('XYZ.201512');
    }
    expect(canonicalSymbol('BRK-B.201512')).toBe('BRK.B.201512');
    for (const text of ['XYZ.201513', 'XYZ.2015', 'XYZ-201512', 'XYZ.201512.A', 'XYZ.181512']) {
      expect(() => canonicalSymbol(text), text).toThrow(ParameterError);
    }
    expect(() => symbolFromFileName('xyz.201512.csv')).toThrow(ParameterError);
  });

  it('takes words that mean something elsewhere as tickers', () => {
    const words = ['NAN', 'true', 'null', 'inf'];
    expect(words.map((text) => canonicalSymbol(text))).toEqual(['NAN', 'TRUE', 'NULL', 'INF']);
  });

  it.each([
    '',
    ' ',
    ' AAPL',
    'BRK.',
    'BRK..B',
    '.B',
    '^GSPC',
    'sp500-2000',
    'CALM-1d-no-bad-divs',
    'tesla-stock-price',
    'SPY_D.pandas-ta',
    'A/BC',
    'ÄÖ',
    'ßA',
    'A.B.C.D.E.F.G.H.I.J.K.L.M',
    'AAPL\n',
    "A'B",
    'ABCDEFGHIJK',
  ])('refuses %j and names the parameter', (text) => {
    const error = (() => {
      try {
        return canonicalSymbol(text);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(ParameterError);
    expect(error).toMatchObject({ field: 'symbol', message: expect.stringContaining(`"${text}"`) });
  });

  it('leaves a canonical symbol as it is, in every form', () => {
    const letters = (max: number) =>
      fc.string({ unit: fc.constantFrom(...'ABPRSUWZ'), minLength: 1, maxLength: max });
    const suffix = fc.tuple(fc.constantFrom(...'.-_$+=^#*'), fc.option(letters(3), { nil: '' }));
    const text = fc
      .tuple(letters(4), fc.array(suffix, { maxLength: 2 }))
      .map(([root, suffixes]) => root + suffixes.flat().join(''));
    const form = fc.constantFrom<SymbolForm>('any', 'stooq', 'yahoo', 'nasdaq', 'sec', 'files');
    fc.assert(
      fc.property(text, form, form, (spelling, first, second) => {
        let canonical: string;
        try {
          canonical = canonicalSymbol(spelling, first);
        } catch {
          return;
        }
        expect(canonicalSymbol(canonical, second)).toBe(canonical);
      }),
      {
        numRuns: scaled(300, 2000),
        seed: 20261120,
        examples: [
          ['A$=', 'any', 'any'],
          ['A$.A=', 'any', 'nasdaq'],
        ],
      },
    );
  });
});

describe('symbolFromFileName', () => {
  it.each([
    ['spy.us.txt', 'SPY'],
    ['data/daily/us/nyse etfs/brk-b.us.txt', 'BRK.B'],
    ['C:\\prices\\abr_a.US.TXT', 'ABR.PRA'],
    ['AAPL.csv.gz', 'AAPL'],
    ['nan.jsonl', 'NAN'],
    ['brk.b.parquet', 'BRK.B'],
    ['brk.b.pq', 'BRK.B'],
    ['BRK.B.parq', 'BRK.B'],
    ['US.csv', 'US'],
    ['us.us.txt', 'US'],
    ['txt.txt', 'TXT'],
  ])('reads %s as %s', (name, symbol) => {
    expect(symbolFromFileName(name)).toBe(symbol);
  });

  it('refuses names that hold more than a ticker', () => {
    expect(() => symbolFromFileName('SPY_D.pandas-ta.csv')).toThrow(ParameterError);
  });
});

describe.skipIf(!hasRealdata)('every name in the real files', () => {
  /** Fields of the lines of a Nasdaq Trader file, without header and footer. */
  const nasdaqRows = (path: string) =>
    readFileSync(realdata(path), 'latin1')
      .trim()
      .split(/\r?\n/)
      .slice(1, -1)
      .map((line) => line.split('|'));
  const otherListed = () => nasdaqRows('reference/nasdaqtrader/otherlisted.txt');
  const secTickers = (): string[] => {
    const path = realdata('sec/company_tickers_exchange.json');
    const { data } = JSON.parse(readFileSync(path, 'utf8'));
    return data.map(([, , ticker]: [number, string, string]) => ticker);
  };

  it('of universe_2017.zip parses, no two alike', async () => {
    const names = await zipMemberNames(realdata('daily/universe_2017.zip'));
    const symbols = new Set(names.map((name) => symbolFromFileName(name, 'stooq')));
    expect(names.length).toBe(1712);
    expect(symbols.size).toBe(1712);
  });

  it("of Stooq's zip parses", async () => {
    const names = await zipMemberNames(realdata('daily/stooq_bulk/d_us_txt.zip'));
    const symbols = names.map((name) => symbolFromFileName(name, 'stooq'));
    expect(symbols).toContain('SPY');
    expect(new Set(symbols).size).toBe(33);
  });

  it('of nasdaqlisted.txt and of the SEC parses, no two alike', () => {
    const listed = nasdaqRows('reference/nasdaqtrader/nasdaqlisted.txt').map(([symbol]) => symbol);
    expect(new Set(listed.map((text) => canonicalSymbol(text, 'nasdaq'))).size).toBe(listed.length);
    const tickers = secTickers();
    expect(tickers.length).toBe(10_171);
    expect(new Set(tickers.map((text) => canonicalSymbol(text, 'sec'))).size).toBe(10_171);
  });

  it('of otherlisted.txt agrees between its columns, but where ACT drops a mark', () => {
    const differing: string[] = [];
    for (const row of otherListed()) {
      const [act, cqs, nasdaq] = [row[0], row[3], row[7]].map((text) =>
        canonicalSymbol(text, 'nasdaq'),
      );
      expect(cqs).toBe(nasdaq);
      if (act !== cqs) differing.push(`${act} ${cqs}`);
    }
    expect(differing.sort()).toEqual([
      'ALL.PRD ALL.PRD.CL',
      'ALL.PRE ALL.PRE.CL',
      'ALL.PRF ALL.PRF.CL',
      'BFS.PRC BFS.PRC.CL',
      'FRC.PRD FRC.PRD.CL',
      'JMPB JMPB.CL',
      'NNN.PRE NNN.PRE.CL',
      'NSPR.B NSPR.WS.B',
      'PSA.PRU PSA.PRU.CL',
      'RIV.V RIV.RT.WI',
      'TDW.A TDW.WS.A',
      'TDW.B TDW.WS.B',
      'UBP.PRG UBP.PRG.CL',
      'VST.A VST.WS.A',
    ]);
  });

  it('of the SEC meets the same security in otherlisted.txt and in universe_2017.zip', async () => {
    const suffixed = (symbols: string[]) => new Set(symbols.filter((text) => text.includes('.')));
    const sec = suffixed(secTickers().map((text) => canonicalSymbol(text, 'sec')));
    const listed = suffixed(otherListed().map((row) => canonicalSymbol(row[0], 'nasdaq')));
    const members = await zipMemberNames(realdata('daily/universe_2017.zip'));
    const stooq = suffixed(members.map((name) => symbolFromFileName(name)));
    // The lists are years apart, so only a part can meet; kinds of suffix show the table works.
    const kinds = (symbols: Iterable<string>) =>
      [...new Set([...symbols].map((text) => text.replace(/^[^.]+/, '').slice(0, 3)))].sort();
    expect(sec.intersection(listed).size).toBeGreaterThan(200);
    expect(kinds(sec.intersection(listed))).toEqual(expect.arrayContaining(['.A', '.B', '.PR']));
    expect(listed.intersection(stooq).size).toBeGreaterThan(80);
    expect([...sec.intersection(listed).intersection(stooq)]).toEqual(
      expect.arrayContaining(['BRK.B', 'BIO.B', 'LGF.A', 'STT.PRG', 'SCHW.PRD']),
    );
  });
});
