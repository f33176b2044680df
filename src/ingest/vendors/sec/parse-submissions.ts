/**
 * Parses the SEC's `submissions`: facts about a company, and moments when EDGAR accepted its
 * filings. The newest thousand are in the body, older ones in pages of their own. Pure.
 */

import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import { MalformedInputError, validOr } from '../../../base/errors.ts';
import { canonicalSymbol } from '../../../base/symbols.ts';
import { momentFromNewYorkClock, newYorkClockMs } from '../../../base/time/calendar.ts';
import { dayFromMillis, weekdayFromDay } from '../../../base/time/dates.ts';
import type { Exchange, Venue } from '../../directory/listed-security.ts';
import { LISTINGS, UNLISTED } from '../../directory/parse-sec-tickers.ts';
import type { Sector } from '../../directory/sectors.ts';
import { cikFrom, dayOf, isObject, type Json } from './concepts/parse-companyfacts.ts';
import { countryFromEdgar } from './countries.ts';
import { sectorFromSic } from './sic-sectors.ts';

export interface Company {
  cik: number;
  name: string;
  /** Its tickers that are listed now, in canonical spelling, with their markets. */
  listings: { symbol: string; exchange: Exchange | null; venue: Venue | null }[];
  /** Null for a person, or a fund without an industry. */
  sector: Sector | null;
  /** Title of its Standard Industrial Classification. */
  industry: string | null;
  /** ISO 3166-1 alpha-2 of its place of business. */
  country: string | null;
}

/** A page of older filings, and its first and last day. */
export interface OlderPage {
  name: string;
  from: string;
  to: string;
}

export interface Submissions {
  company: Company;
  /** Milliseconds since the epoch, by accession. */
  acceptedMs: Map<string, number>;
  pages: OlderPage[];
  /** Number of omitted entries by reason. */
  faults: Map<string, number>;
}

export function isSubmissions(json: unknown): json is Json {
  return isObject(json) && isObject(json.filings) && 'cik' in json;
}

export function isSubmissionsPage(json: unknown): json is Json {
  return isObject(json) && 'accessionNumber' in json && 'acceptanceDateTime' in json;
}

/** @throws {MalformedInputError} a part has the wrong shape; names the part. */
export function parseSubmissions(json: unknown): Submissions {
  if (!isSubmissions(json)) throw new MalformedInputError('it has no "filings" of a "cik"');
  const { recent, files = [] } = json.filings as Json;
  if (!Array.isArray(files)) throw new MalformedInputError('filings.files is not a list');
  const faults = new Map<string, number>();
  return {
    company: companyFrom(json, faults),
    acceptedMs: parseAcceptances(recent),
    pages: files.flatMap((file) => pageFrom(file) ?? []),
    faults,
  };
}

/**
 * Moments of the filings of a body's `recent` or of a page.
 * @throws {MalformedInputError} the lists differ in length.
 */
export function parseAcceptances(lists: unknown): Map<string, number> {
  const { accessionNumber, acceptanceDateTime, filingDate } = isObject(lists) ? lists : {};
  if (!Array.isArray(accessionNumber) || !Array.isArray(acceptanceDateTime)) {
    throw new MalformedInputError('accessionNumber or acceptanceDateTime is not a list');
  }
  if (accessionNumber.length !== acceptanceDateTime.length) {
    throw new MalformedInputError('accessionNumber and acceptanceDateTime differ in length');
  }
  const dates = Array.isArray(filingDate) ? filingDate : [];
  const stamps = accessionNumber.flatMap((accession: unknown, i) => {
    const moment: unknown = acceptanceDateTime[i];
    if (typeof accession !== 'string' || typeof moment !== 'string') return [];
    const stampMs = MOMENT.test(moment) ? Date.parse(moment) : Number.NaN;
    return Number.isNaN(stampMs) ? [] : [{ accession, stampMs, filedDay: dayOf(dates[i]) }];
  });
  return acceptanceMoments(stamps);
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function companyFrom(json: Json, faults: Map<string, number>): Company {
  const { cik, name, tickers = [], exchanges = [], sic, sicDescription } = json;
  if (!Array.isArray(tickers) || !Array.isArray(exchanges)) {
    throw new MalformedInputError('tickers or exchanges is not a list');
  }
  const listings = tickers.flatMap((ticker: unknown, i) => {
    const symbol = symbolOf(ticker);
    if (symbol !== undefined) {
      return [{ symbol, ...(LISTINGS.get(exchanges[i]) ?? UNLISTED) }];
    }
    faults.set('a ticker is none', (faults.get('a ticker is none') ?? 0) + 1);
    return [];
  });
  const code = textOf(sic);
  return {
    cik: cikFrom(cik),
    name: textOf(name) ?? '',
    listings,
    sector: (code && /^\d{1,4}$/.test(code) && sectorFromSic(Number(code))) || null,
    industry: textOf(sicDescription) ?? null,
    country: countryOf(json.addresses) ?? null,
  };
}

/** Country of the place of business. If none is named, the country of the mailing address. */
function countryOf(addresses: unknown): string | undefined {
  for (const kind of ['business', 'mailing']) {
    const address = isObject(addresses) ? addresses[kind] : undefined;
    const code = isObject(address) ? textOf(address.stateOrCountry) : undefined;
    if (code !== undefined) return countryFromEdgar(code);
  }
  return undefined;
}

function symbolOf(ticker: unknown): string | undefined {
  if (typeof ticker !== 'string') return undefined;
  return validOr(() => canonicalSymbol(ticker.trim(), 'sec'), undefined);
}

function pageFrom(file: unknown): OlderPage | undefined {
  if (!isObject(file)) return undefined;
  const { name, filingFrom, filingTo } = file;
  if (typeof name !== 'string' || !/^[\w.-]+\.json$/.test(name)) return undefined;
  if (typeof filingFrom !== 'string' || typeof filingTo !== 'string') return undefined;
  return { name, from: filingFrom, to: filingTo };
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text;
}

interface AcceptanceStamp {
  accession: string;
  /** The file's own stamp, read as UTC. */
  stampMs: number;
  /** Date of the filing, which EDGAR counts in New York. */
  filedDay: number | undefined;
}

const MILLIS_PER_HOUR = 3_600_000;

/** EDGAR accepts filings from 6:00 to 22:00 in New York on business days. */
const OPEN_MS = 6 * MILLIS_PER_HOUR;
const CLOSE_MS = 22 * MILLIS_PER_HOUR;

/** Most filings accepted later than this have the date of the next business day. */
const DATED_NEXT_MS = 17.5 * MILLIS_PER_HOUR;

const SATURDAY = 6;

/**
 * Gives the moments of acceptance by accession. One reading holds for the whole file: the one that
 * puts more filings into EDGAR's hours and on their dates, or UTC if both do. Stamps without a
 * time are left out.
 */
function acceptanceMoments(all: readonly AcceptanceStamp[]): Map<string, number> {
  const stamps = all.filter(
    ({ stampMs, filedDay }) =>
      stampMs % MILLIS_PER_DAY !== 0 || filedDay !== dayFromMillis(stampMs),
  );
  const readings = [(ms: number) => ms, momentFromNewYorkClock];
  const [asUtc, asNewYork] = readings.map(
    (read) =>
      stamps.filter(({ stampMs, filedDay }) => isInHours(newYorkClockMs(read(stampMs)), filedDay))
        .length,
  );
  const read = readings[asNewYork > asUtc ? 1 : 0];
  return new Map(stamps.map(({ accession, stampMs }) => [accession, read(stampMs)]));
}

function isInHours(clockMs: number, filedDay: number | undefined): boolean {
  const day = dayFromMillis(clockMs);
  const timeMs = clockMs - day * MILLIS_PER_DAY;
  if (timeMs < OPEN_MS || timeMs > CLOSE_MS || weekdayFromDay(day) % SATURDAY === 0) return false;
  if (filedDay === undefined || filedDay === day) return true;
  return filedDay > day && timeMs >= DATED_NEXT_MS;
}
