import { expect, test } from 'vitest';
import { adsRatioFromName } from '../../../src/ingest/directory/ads-ratio.ts';

test.each([
  [
    'Alibaba Group Holding Limited American Depositary Shares each representing eight Ordinary share',
    8,
  ],
  ['Cango Inc. American Depositary Shares,  each representing two (2) Class A Ordinary Shares', 2],
  ['Takeda American Depositary Shares (each representing 1/2 of a share of Common Stock)', 0.5],
  [
    'voxeljet AG American Depositary Shares, each representing one-fifth of an ordinary share/',
    0.2,
  ],
  [
    'Baidu, Inc. - American Depositary Shares, each representing one tenth Class A ordinary share',
    0.1,
  ],
  ['NetEase, Inc. - American Depositary Shares, each representing 25 ordinary shares', 25],
  ['Himax - American depositary shares, each of which represents two ordinary shares.', 2],
  ['Vedanta Limited  American Depositary Shares (Each representing four equity shares)', 4],
  ['Enel Chile S.A. American Depositary Shares (Each representing 50 shares of Common Stock)', 50],
  [
    'Itau CorpBanca American Depositary Shares (each representing 1,500 shares of Common Stock)',
    1500,
  ],
  ['Banco Macro S.A.  ADR (representing Ten Class B Common Shares)', 10],
  ['Ternium S.A. American Depositary Shares (each representing ten shares, USD1.00 par value)', 10],
  ['Renesola Ltd. American Depsitary Shares (Each representing 10 shares)', 10],
  [
    'Cheetah Mobile Inc. American Depositary Shares, each representing 10 Class Ordinary Shares',
    10,
  ],
  ['Micro Focus Intl PLC ADS each representing One Ord Sh', 1],
  ['X - American Depositary Shares, each representing twenty-five (25) ordinary shares', 25],
  ['X - American Depositary Shares, each representing one hundred ordinary shares', 100],
  ['X - American Depositary Shares, each representing one-half (1/2) of one ordinary share', 0.5],
])('%s', (name, ratio) => {
  expect(adsRatioFromName(name)).toBe(ratio);
});

test.each([
  'Azul S.A. American Depositary Shares (each representing three preferred shares)',
  'Aspen Depositary Shares, each representing a 1/1000th interest in a share of 5.625% Preference Shares',
  'Sunlands Technology Group American Depositary Shares, representing Class A ordinary shares',
  'Apple Inc. - Common Stock',
  'Banco Santander Brasil SA American Depositary Shares, each representing one unit',
  'Coca Cola Femsa American Depositary Shares, each representing 10 Units (each Unit consists of 3 Series B Shares)',
  'Gol Linhas Aereas Inteligentes S.A. Sponsored ADR representing 2 Pfd Shares',
  'X - American Depositary Shares, each representing two (20) ordinary shares',
  'X - American Depositary Shares, each representing one and one-half ordinary shares',
  'X - American Depositary Shares, each representing 3/4 of an ordinary share',
  'X - American Depositary Shares, each representing 0 ordinary shares',
])('%s says nothing', (name) => {
  expect(adsRatioFromName(name)).toBeUndefined();
});
