/** Facts about a company from real submissions, and the tables of sectors and countries. */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SECTORS } from '../../../../src/ingest/directory/sectors.ts';
import { countryFromEdgar } from '../../../../src/ingest/vendors/sec/countries.ts';
import {
  parseAcceptances,
  parseSubmissions,
} from '../../../../src/ingest/vendors/sec/parse-submissions.ts';
import { SIC_RANGES, sectorFromSic } from '../../../../src/ingest/vendors/sec/sic-sectors.ts';
import { hasRealdata, realdata } from '../../../support/realdata.ts';

const FOLDER = 'sec/submissions/';
const json = (name: string) => JSON.parse(readFileSync(realdata(FOLDER + name), 'utf8'));

describe.skipIf(!hasRealdata)('real submissions', () => {
  it('give the facts about a company', () => {
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

  it('give the moment of acceptance', () => {
    const { acceptedMs } = parseSubmissions(json('CIK0001318605.json'));
    const ms = acceptedMs.get('0001628280-26-003952');
    expect(new Date(Number(ms)).toISOString()).toBe('2026-01-29T01:55:03.000Z');
    // 56 of its 205 filings, those before May 2002, have only a date.
    expect(parseAcceptances(json('CIK0001009672-submissions-001.json')).size).toBe(149);
  });

  it('give the moment of acceptance from a file that stamps New York time with a Z', () => {
    const apple = parseSubmissions(json('CIK0000320193.json')).acceptedMs;
    const iso = (accession: string) => new Date(Number(apple.get(accession))).toISOString();
    // Accepted at 18:03:38 in New York on 1 February, in winter, and at 18:03:34 on 1 August.
    expect(iso('0000320193-24-000006')).toBe('2024-02-01T23:03:38.000Z');
    expect(iso('0000320193-24-000081')).toBe('2024-08-01T22:03:34.000Z');
  });

  it('are read in the zone that fits the hours of EDGAR, each file on its own', () => {
    const isEastern = (name: string) => {
      const body = json(name);
      const { recent } = body.filings ?? { recent: body };
      const accepted = parseAcceptances(recent);
      const [accession, ms] = [...accepted][0];
      const stamp: string = recent.acceptanceDateTime[recent.accessionNumber.indexOf(accession)];
      return Date.parse(stamp) !== ms;
    };
    const names = readdirSync(realdata(FOLDER)).filter((name) => name.endsWith('.json'));
    const filed = names.filter(
      (name) => (json(name).filings?.recent ?? json(name)).form.length > 0,
    );
    expect(filed.filter(isEastern)).toEqual([
      'CIK0000320193.json',
      'CIK0001009672-submissions-001.json',
      'CIK0001009672.json',
    ]);
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

describe('stamps of acceptance', () => {
  /** Stamp and date of the filing, as in a body. */
  const accepted = (...filings: [stamp: string, filingDate: string][]) => {
    const moments = parseAcceptances({
      accessionNumber: filings.map((_, i) => String(i)),
      acceptanceDateTime: filings.map(([stamp]) => stamp),
      filingDate: filings.map(([, date]) => date),
    });
    return filings.map((_, i) => {
      const ms = moments.get(String(i));
      return ms === undefined ? undefined : new Date(ms).toISOString();
    });
  };
  const NOON = ['2026-01-28T17:00:00.000Z', '2026-01-28'] as const;

  it('are UTC if that is in hours', () => {
    expect(accepted([...NOON], ['2026-01-29T01:55:03.000Z', '2026-01-28'])).toEqual([
      '2026-01-28T17:00:00.000Z',
      '2026-01-29T01:55:03.000Z',
    ]);
  });

  it('are New York time if UTC would be at night', () => {
    expect(accepted([...NOON], ['2026-01-30T06:01:32.000Z', '2026-01-30'])).toEqual([
      '2026-01-28T22:00:00.000Z',
      '2026-01-30T11:01:32.000Z',
    ]);
  });

  it('are New York time if only its evening explains the date of the next business day', () => {
    expect(accepted([...NOON], ['2024-08-01T18:03:34.000Z', '2024-08-02'])).toEqual([
      '2026-01-28T22:00:00.000Z',
      '2024-08-01T22:03:34.000Z',
    ]);
  });

  it('are left out if they have only a date', () => {
    expect(accepted(['2002-03-12T00:00:00.000Z', '2002-03-12'])).toEqual([undefined]);
  });

  it('are UTC if both zones fit', () => {
    expect(accepted([...NOON])).toEqual([NOON[0]]);
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
