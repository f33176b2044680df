/**
 * Parses the SEC's two lists of tickers: `company_tickers_exchange.json` has names in `fields` and
 * rows in `data`, `company_tickers.json` an object for each ticker, without its exchange.
 */

import { MalformedInputError, ParameterError } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import type { ListedSecurity, ParsedListing } from './listed-security.ts';
import { typeFromSuffix } from './security-name.ts';

const FIELDS = ['cik', 'name', 'ticker', 'exchange'] as const;

type Columns = Record<(typeof FIELDS)[number], number>;

/** Exchanges by the SEC's name. `NYSE` is three exchanges; most companies are on the first. */
export const LISTINGS = new Map<unknown, Pick<ListedSecurity, 'exchange' | 'venue'>>([
  ['Nasdaq', { exchange: 'NASDAQ', venue: 'Nasdaq' }],
  ['NYSE', { exchange: 'NYSE', venue: null }],
  ['CBOE', { exchange: null, venue: 'Cboe BZX' }],
  ['OTC', { exchange: null, venue: 'OTC' }],
]);

export const UNLISTED = { exchange: null, venue: null };

export function isSecTickers(head: string): boolean {
  return /^\s*\{\s*"(fields|data)"\s*:\s*\[/.test(head) || OF_OBJECTS.test(head);
}

/** `{"0":{"cik_str":320193,"ticker":"AAPL","title":"Apple Inc."},…`. */
const OF_OBJECTS = /^\s*\{\s*"\d+"\s*:\s*\{[^{}]*"cik_str"\s*:/;

/** Fields of an object, in the order of `FIELDS`. */
const OBJECT_FIELDS = ['cik_str', 'title', 'ticker'] as const;

type SecTicker = Partial<Record<(typeof OBJECT_FIELDS)[number], unknown>> | null;

/**
 * @param name Name of the file in errors.
 * @throws {MalformedInputError} the text is not JSON of this form, or a column is missing.
 */
export function parseSecTickers(text: string, name: string): ParsedListing {
  const { fields, data } = bodyOf(text, name);
  const columns = columnsOf(fields, name);
  const listing: ParsedListing = {
    securities: [],
    testIssues: 0,
    refused: [],
    createdMs: undefined,
  };
  data.forEach((record, index) => {
    try {
      listing.securities.push(securityFromRecord(record, columns));
    } catch (error) {
      if (!(error instanceof ParameterError)) throw error;
      const reason = error.message;
      listing.refused.push({ line: index + 1, reason, text: JSON.stringify(record) });
    }
  });
  return listing;
}

function bodyOf(text: string, name: string): { fields: unknown[]; data: unknown[][] } {
  let body: { fields?: unknown; data?: unknown } | null;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new MalformedInputError(`"${name}" is not JSON`, { cause });
  }
  if (OF_OBJECTS.test(text)) return tableFromObjects(body as Record<string, SecTicker>, name);
  const { fields, data } = body ?? {};
  if (Array.isArray(fields) && Array.isArray(data) && data.every(Array.isArray)) {
    return { fields, data };
  }
  throw new MalformedInputError(`"${name}" must hold the arrays "fields" and "data" of arrays`);
}

/** @throws {MalformedInputError} no object has one of the fields. */
function tableFromObjects(body: Record<string, SecTicker>, name: string) {
  const objects = Object.values(body);
  for (const field of OBJECT_FIELDS) {
    if (objects.some((one) => one?.[field] !== undefined)) continue;
    throw new MalformedInputError(`"${name}" has no column "${field}"`);
  }
  const data = objects.map((one) => [...OBJECT_FIELDS.map((field) => one?.[field]), null]);
  return { fields: [...FIELDS], data };
}

function columnsOf(fields: unknown[], name: string): Columns {
  const places = FIELDS.map((field) => {
    const place = fields.indexOf(field);
    if (place < 0) throw new MalformedInputError(`"${name}" has no column "${field}"`);
    return [field, place];
  });
  return Object.fromEntries(places);
}

/** Parses a row. @throws {ParameterError} a value does not fit its column. */
function securityFromRecord(record: unknown[], columns: Columns): ListedSecurity {
  const cik = record[columns.cik];
  if (!Number.isSafeInteger(cik) || Number(cik) < 1) {
    throw new ParameterError('cik', `cik must be a positive integer, got "${cik}"`);
  }
  const companyName = textOf('name', record[columns.name]);
  const symbol = canonicalSymbol(textOf('ticker', record[columns.ticker]), 'sec');
  return {
    symbol,
    companyName,
    ...(LISTINGS.get(record[columns.exchange]) ?? UNLISTED),
    type: typeFromSuffix(symbol) ?? null,
    cik: Number(cik),
    source: 'sec',
  };
}

/** Reads a ticker; NULL is one, so a missing ticker must not become it. */
function textOf(field: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw new ParameterError(field, `${field} must be a text, got "${value}"`);
}
