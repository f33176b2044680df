/** Invented tickers and names. Each name ends in "(synthetic)". */

import { SECTORS } from '../ingest/directory/sectors.ts';

const STARTS =
  'Brix Dorv Fenq Glim Hyx Jorb Kreft Lomp Mizz Nurv Ploq Qua Rux Snib Trov Ulk Vexl Wamb Xer ' +
  'Yoff Zind Ocht Ixl Aqv';
const SYLLABLES = [
  STARTS,
  'ado ebra ivor onal umbe yxa aret enu iquo ost uvi alk',
  'dane fex gorn lume mint nox pell quist rand sylt tarn vane',
].map((list) => list.split(' '));

const WORDS = SYLLABLES.reduce((count, list) => count * list.length, 1);

const INDUSTRIES: Readonly<Record<(typeof SECTORS)[number], readonly [string, string]>> = {
  'Basic Materials': ['Specialty Chemicals', 'Steel'],
  'Communication Services': ['Entertainment', 'Telecom Services'],
  'Consumer Cyclical': ['Apparel Retail', 'Auto Parts'],
  'Consumer Defensive': ['Packaged Foods', 'Household Products'],
  Energy: ['Oil & Gas Midstream', 'Oil & Gas Equipment & Services'],
  'Financial Services': ['Banks - Regional', 'Asset Management'],
  Healthcare: ['Biotechnology', 'Medical Devices'],
  Industrials: ['Aerospace & Defense', 'Specialty Industrial Machinery'],
  'Real Estate': ['REIT - Office', 'REIT - Residential'],
  Technology: ['Software - Application', 'Semiconductors'],
  Utilities: ['Utilities - Regulated Electric', 'Utilities - Renewable'],
};

const COMPANY_FORMS = ['Inc.', 'Corp.', 'Holdings', 'Group', 'Ltd.', 'Partners'] as const;
const FUND_THEMES = [...SECTORS, 'Dividend', 'Small Company', 'Treasury Bond', 'Total Market'];
const FIRM_FORMS = ['Securities', 'Research', 'Capital Markets', 'Partners', 'Bank'] as const;

/** Steps through all tickers of two, three and four letters after QX, in a scattered order. */
const TICKER_STEPS: readonly (readonly [letterCount: number, step: number])[] = [
  [2, 363],
  [3, 7_591],
  [4, 145_823],
];

/** Returns a ticker that starts with QX, as no listed company's ever did. */
export function tickerAt(index: number): string {
  let rest = index;
  for (const [letterCount, step] of TICKER_STEPS) {
    const count = 26 ** letterCount;
    if (rest < count) return `QX${letters((rest * step) % count, letterCount)}`;
    rest -= count;
  }
  throw new RangeError(`the sandbox has no ticker ${index}`);
}

function letters(number: number, count: number): string {
  let text = '';
  for (let rest = number; text.length < count; rest = Math.floor(rest / 26)) {
    text += String.fromCharCode(65 + (rest % 26));
  }
  return text;
}

function word(index: number): string {
  let rest = (index * 1237) % WORDS;
  return SYLLABLES.map((list) => {
    const syllable = list[rest % list.length];
    rest = Math.floor(rest / list.length);
    return syllable;
  }).join('');
}

export function industryName(sector: number, index: number): string {
  return INDUSTRIES[SECTORS[sector]][index % 2];
}

export function companyName(index: number): string {
  const series = Math.floor(index / WORDS);
  const numbered = series === 0 ? '' : ` ${series + 1}`;
  return `${word(index)}${numbered} ${COMPANY_FORMS[index % COMPANY_FORMS.length]} (synthetic)`;
}

export function fundName(index: number): string {
  return `${word(index)} ${FUND_THEMES[index % FUND_THEMES.length]} ETF ${index + 1} (synthetic)`;
}

export function firmName(index: number): string {
  return `${word(3000 + index)} ${FIRM_FORMS[index % FIRM_FORMS.length]} (synthetic)`;
}

/** @param number A seed; another number is another person. */
export function personName(number: number): string {
  return `${word(number % WORDS)} ${word(Math.floor(number / WORDS) % WORDS)} (synthetic)`;
}
