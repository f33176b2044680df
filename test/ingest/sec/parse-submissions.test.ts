/** Who a company is: real submissions, and the tables behind sector and country. */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countryFromEdgar } from '../../../src/ingest/sec/edgar-countries.ts';
import { parseAcceptances, parseSubmissions } from '../../../src/ingest/sec/parse-submissions.ts';
import { SIC_RANGES, sectorFromSic } from '../../../src/ingest/sec/sic-sectors.ts';
import { SECTORS } from '../../../src/ingest/sectors.ts';
import { hasRealdata, realdata } from '../../realdata.ts';

const FOLDER = 'sec/submissions/';
const json = (name: string) => JSON.parse(readFileSync(realdata(FOLDER + name), 'utf8'));

describe.skipIf(!hasRealdata)('real submissions', () => {
  it('tell who a company is', () => {
    const { company, pages } = parseSubmissions(json('CIK0000320193.json'));
    expect(company).toEqual({
      cik: 320193,
      name: 'Apple Inc.',
      listings: [{ symbol: 'AAPL', exchange: 'NASDAQ', venue: 'Nasdaq' }],
      sector: 'Technology',
      industry: 'Electronic Computers',
      country: 'US',
    });
    expect(pages).toEqual([
      { name: 'CIK0000320193-submissions-001.json', from: '1994-01-26', to: '2015-03-11' },
    ]);
  });

  it('tell when a filing was taken in', () => {
    const { acceptedMs } = parseSubmissions(json('CIK0001318605.json'));
    const ms = acceptedMs.get('0001628280-26-003952');
    expect(new Date(Number(ms)).toISOString()).toBe('2026-01-29T01:55:03.000Z');
    expect(parseAcceptances(json('CIK0001009672-submissions-001.json')).size).toBe(205);
  });

  it('are all read, persons and funds too', () => {
    const names = readdirSync(realdata(FOLDER)).filter((name) => /CIK\d{10}\.json$/.test(name));
    const companies = names.map((name) => parseSubmissions(json(name)).company);
    expect(companies).toHaveLength(14);
    const listed = companies.filter(({ listings }) => listings.length > 0);
    expect(listed.map(({ sector }) => sector)).not.toContain(null);
    expect(companies.filter(({ name }) => name === 'BUFFETT WARREN E')).toMatchObject([
      { sector: null, industry: null, country: 'US', listings: [] },
    ]);
  });
});

describe('the country of an EDGAR address', () => {
  it.each([
    ['CA', 'US'],
    ['DE', 'US'],
    ['GA', 'US'],
    ['2Q', 'GE'],
    ['A6', 'CA'],
    ['Z4', 'CA'],
    ['2M', 'DE'],
    ['I0', 'FR'],
    ['L2', 'IE'],
    ['L3', 'IL'],
    ['X0', 'GB'],
    ['F4', 'CN'],
    ['K3', 'HK'],
    ['F5', 'TW'],
    ['E9', 'KY'],
    ['D0', 'BM'],
    ['V8', 'CH'],
    ['M0', 'JP'],
    ['PR', 'PR'],
  ])('%s is in %s', (code, country) => {
    expect(countryFromEdgar(code)).toBe(country);
  });

  it('is unknown for other codes', () => {
    expect(['', 'XX', '99', 'USA'].map(countryFromEdgar)).toEqual(new Array(4).fill(undefined));
  });

  it('is an ISO code of two letters, whatever the code', () => {
    const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
    const codes = [...letters].flatMap((a) => [...letters].map((b) => a + b));
    const countries = codes.map(countryFromEdgar).filter((country) => country !== undefined);
    expect(countries.every((country) => /^[A-Z]{2}$/.test(country))).toBe(true);
    expect(new Set(countries).size).toBeGreaterThan(230);
  });
});

describe('the sector of an industry', () => {
  it.each([
    [3571, 'Technology'],
    [7372, 'Technology'],
    [3674, 'Technology'],
    [2834, 'Healthcare'],
    [6021, 'Financial Services'],
    [6798, 'Real Estate'],
    [4911, 'Utilities'],
    [1311, 'Energy'],
    [4922, 'Energy'],
    [3711, 'Consumer Cyclical'],
    [5411, 'Consumer Defensive'],
    [4813, 'Communication Services'],
    [2860, 'Basic Materials'],
    [3721, 'Industrials'],
  ])('%d is %s', (sic, sector) => {
    expect(sectorFromSic(sic)).toBe(sector);
  });

  it('is unknown for asset-backed securities and codes of no business', () => {
    expect([6189, 9995, 0].map(sectorFromSic)).toEqual([undefined, undefined, undefined]);
  });

  it('is each of the eleven somewhere', () => {
    expect(new Set(SIC_RANGES.map(([, , sector]) => sector))).toEqual(new Set(SECTORS));
  });
});
