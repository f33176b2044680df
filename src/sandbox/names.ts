/** Tickers and names that nobody can take for real ones. */

import { SECTORS } from '../ingest/directory/sectors.ts';

const SYLLABLES: readonly (readonly string[])[] = [
  ['Brix', 'Dorv', 'Fenq', 'Glim', 'Hyx', 'Jorb', 'Kreft', 'Lomp', 'Mizz', 'Nurv', 'Ploq', 'Qua'],
  ['Rux', 'Snib', 'Trov', 'Ulk', 'Vexl', 'Wamb', 'Xer', 'Yoff', 'Zind', 'Ocht', 'Ixl', 'Aqv'],
  ['ado', 'ebra', 'ivor', 'onal', 'umbe', 'yxa', 'aret', 'enu', 'iquo', 'ost', 'uvi', 'alk'],
  ['dane', 'fex', 'gorn', 'lume', 'mint', 'nox', 'pell', 'quist', 'rand', 'sylt', 'tarn', 'vane'],
];

/** How many words the syllables make. */
const WORDS = 24 * 12 * 12;

/** Two kinds of business a sector. */
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

const FORMS = ['Inc.', 'Corp.', 'Holdings', 'Group', 'Ltd.', 'Partners'] as const;
const THEMES = [...SECTORS, 'Dividend', 'Small Company', 'Treasury Bond', 'Total Market'] as const;

/** Steps through two letters, then three and four, in an order that looks unordered. */
const TWO_LETTERS = 26 ** 2;
const THREE_LETTERS = 26 ** 3;
const FOUR_LETTERS = 26 ** 4;

/** No listed company has ever had a ticker that starts with QX. */
export function rootFromIndex(index: number): string {
  if (index < TWO_LETTERS) return `QX${letters((index * 363) % TWO_LETTERS, 2)}`;
  const beyondTwo = index - TWO_LETTERS;
  if (beyondTwo < THREE_LETTERS) return `QX${letters((beyondTwo * 7_591) % THREE_LETTERS, 3)}`;
  const beyondThree = beyondTwo - THREE_LETTERS;
  return `QX${letters((beyondThree * 145_823) % FOUR_LETTERS, 4)}`;
}

function letters(number: number, count: number): string {
  let text = '';
  for (let rest = number; text.length < count; rest = Math.floor(rest / 26)) {
    text += String.fromCharCode(65 + (rest % 26));
  }
  return text;
}

/** A word that no language has. */
export function inventedWord(index: number): string {
  const [one, two, middle, last] = SYLLABLES;
  const starts = [...one, ...two];
  const word = (index * 1237) % WORDS;
  const start = starts[word % starts.length];
  const rest = Math.floor(word / starts.length);
  return (
    start + middle[rest % middle.length] + last[Math.floor(rest / middle.length) % last.length]
  );
}

/** @param sector Position in `SECTORS`. */
export function industryName(sector: number, index: number): string {
  return INDUSTRIES[SECTORS[sector]][index % 2];
}

export function companyName(index: number): string {
  const series = Math.floor(index / WORDS);
  const numbered = series === 0 ? '' : ` ${series + 1}`;
  return `${inventedWord(index)}${numbered} ${FORMS[index % FORMS.length]} (synthetic)`;
}

export function fundName(index: number): string {
  return `${inventedWord(index)} ${THEMES[index % THEMES.length]} ETF ${index + 1} (synthetic)`;
}

/** @param number Any; tells one person from another. */
export function personName(number: number): string {
  const first = inventedWord(number % WORDS);
  const last = inventedWord(Math.floor(number / WORDS) % WORDS);
  return `${first} ${last} (synthetic)`;
}

const HOUSES = ['Securities', 'Research', 'Capital Markets', 'Partners', 'Bank'] as const;

/** Of a house whose analysts cover companies. */
export function analystFirmName(index: number): string {
  return `${inventedWord(3000 + index)} ${HOUSES[index % HOUSES.length]} (synthetic)`;
}
