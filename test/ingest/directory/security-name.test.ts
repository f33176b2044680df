import { describe, expect, it } from 'vitest';
import { companyFromSecurity } from '../../../src/ingest/directory/security-name.ts';

describe('companyFromSecurity', () => {
  it.each([
    ['AAPL', 'Apple Inc. - Common Stock', 'Apple Inc.', 'stock'],
    ['GOOGL', 'Alphabet Inc. - Class A Common Stock', 'Alphabet Inc.', 'stock'],
    ['BIDU', 'Baidu, Inc. - American Depositary Shares', 'Baidu, Inc.', 'adr'],
    [
      'BIDU',
      'Baidu, Inc. - American Depositary Shares, each representing one tenth Class A ordinary share',
      'Baidu, Inc.',
      'adr',
    ],
    ['DOYU', 'DouYu International Limited - ADS', 'DouYu International Limited', 'adr'],
    ['ASML', 'ASML Holding N.V. - ADS represents 1 ordinary share', 'ASML Holding N.V.', 'stock'],
    [
      'BABA',
      'Alibaba Limited American Depositary Shares each representing eight Ordinary share',
      'Alibaba Limited',
      'adr',
    ],
    [
      'ABEV',
      'Ambev S.A. American Depositary Shares (Each representing 1 Common Share)',
      'Ambev S.A.',
      'stock',
    ],
    // Short words for receipts: market caps were up to 400 times too high, as of shares.
    ['SAP', 'SAP  SE ADS', 'SAP SE ADS', 'adr'],
    ['CHA', 'China Telecom Corp Ltd ADS', 'China Telecom Corp Ltd ADS', 'adr'],
    ['CX', 'Cemex, S.A.B. de C.V. Sponsored ADR', 'Cemex, S.A.B. de C.V. Sponsored ADR', 'adr'],
    ['IX', 'Orix Corp Ads Common Stock', 'Orix Corp Ads', 'adr'],
    [
      'SOL',
      'Renesola Ltd. American Depsitary Shares (Each representing 10 shares)',
      'Renesola Ltd. American Depsitary Shares (Each representing 10 shares)',
      'adr',
    ],
    [
      'PAC',
      'Grupo Aeroportuario Del Pacifico (each representing 10 Series B shares)',
      'Grupo Aeroportuario Del Pacifico (each representing 10 Series B shares)',
      'adr',
    ],
    [
      'BSBR',
      'Banco Santander Brasil SA American Depositary Shares, each representing one unit',
      'Banco Santander Brasil SA',
      'adr',
    ],
    [
      'EBR.B',
      'Eletrobras American Depositary Shares (Each representing one Preferred Share)',
      'Eletrobras',
      'adr',
    ],
    ['ADSE', 'ADS-TEC Energy PLC - Ordinary Shares', 'ADS-TEC Energy PLC', 'stock'],
    [
      'MX',
      'MagnaChip Corporation Depositary Shares, each representing one share of common stock',
      'MagnaChip Corporation Depositary Shares, each representing one share of',
      'stock',
    ],
    [
      'FITBI',
      'Fifth Third Bancorp - Depositary Share repstg 1/1000th Ownership Interest Perp Pfd Series I',
      'Fifth Third Bancorp',
      'preferred',
    ],
    ['APOPW', 'Cellect Ltd. - Warrants to Purchase ADR', 'Cellect Ltd.', 'warrant'],
    ['ADRA', 'Asia 50 ADR Index Fund', 'Asia 50 ADR Index Fund', 'stock'],
    ['AGNCN', 'AGNC Inc. - Series C Preferred Stock', 'AGNC Inc.', 'preferred'],
    ['AACIW', 'Armada Corp. - Warrants to Purchase Preferred', 'Armada Corp.', 'warrant'],
    ['AACIU', 'Armada Corp. - Units', 'Armada Corp.', 'unit'],
    ['ARLP', 'Alliance L.P. - Common Units', 'Alliance L.P.', 'stock'],
    ['CERCR', 'Cerecor - Contingent Value Right', 'Cerecor', 'right'],
    ['CNFRL', 'Conifer Holdings - 6.75% Notes', 'Conifer Holdings', 'note'],
    ['AA', 'Alcoa Corporation Common Stock ', 'Alcoa Corporation', 'stock'],
    ['BRK.B', 'Berkshire Hathaway Inc. New Common Stock', 'Berkshire Hathaway Inc.', 'stock'],
    [
      'APTS',
      'Preferred Apartment Communities, Inc. Common Stock',
      'Preferred Apartment Communities, Inc.',
      'stock',
    ],
    [
      'TSM',
      'Taiwan Semiconductor Manufacturing Company Ltd.',
      'Taiwan Semiconductor Manufacturing Company Ltd.',
      'stock',
    ],
    [
      'CMSA',
      'CMS Energy 5.625% Junior Subordinated Notes due 2078',
      'CMS Energy 5.625% Junior Subordinated Notes due 2078',
      'note',
    ],
    ['TDW.WS.B', 'Tidewater Inc. Series B Warrants', 'Tidewater Inc.', 'warrant'],
    ['CCH.U', 'Collier Creek Units, each of one Ordinary Share', 'Collier Creek', 'unit'],
    [
      'WTIU',
      'UBS ETRACS - ProShares Daily 3x Long Crude ETN',
      'UBS ETRACS - ProShares Daily 3x Long Crude ETN',
      'etn',
    ],
  ])('%s: %s', (symbol, name, companyName, type) => {
    expect(companyFromSecurity(name, symbol, false)).toEqual({ companyName, type });
  });

  it('keeps the whole name of a fund', () => {
    const name = 'Vanguard Total Common Stock ETF';
    expect(companyFromSecurity(name, 'VTI', true)).toEqual({ companyName: name, type: 'etf' });
  });
});
