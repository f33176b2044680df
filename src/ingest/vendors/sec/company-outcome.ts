/** All that the SEC's files tell of one company, as the rows and facts that they become. Pure. */

import { MalformedInputError } from '../../../base/errors.ts';
import type { StatedFacts } from '../../../store/duckdb/securities/symbols.ts';
import type { ListedSecurity } from '../../directory/listed-security.ts';
import { type CompanyRows, companyRows } from './company-rows.ts';
import {
  type CompanyFacts,
  isCompanyFacts,
  parseCompanyFacts,
} from './facts/parse-companyfacts.ts';
import {
  isSubmissions,
  isSubmissionsPage,
  parseAcceptances,
  parseSubmissions,
  type Submissions,
} from './parse-submissions.ts';

/** A ticker and what a directory says of it. */
export type Listing = Pick<ListedSecurity, 'symbol'> & Partial<ListedSecurity>;

export interface CompanyOutcome {
  cik: number;
  /** Symbols that the rows are of: its common shares, canonical. */
  symbols: string[];
  /** For the directory; of every ticker, preferred shares and warrants too. */
  facts: StatedFacts[];
  rows: CompanyRows;
  /** Facts that were read, and why some were refused. */
  factCount: number;
  faults: [reason: string, count: number][];
  /** Files that gave nothing, and why. */
  skipped: { name: string; reason: string }[];
}

/** A file of a company, read. */
export interface CompanyFile {
  name: string;
  /** Undefined: it could not be read, for this reason. */
  json: unknown;
  damage?: string;
}

const NO_ROWS: CompanyRows = { statements: [], balanceSheets: [], shares: [] };

/**
 * @param files Its company facts, submissions and pages of older ones, told apart by content, in
 *   any order; a damaged one is left out and named.
 * @param listings Its tickers where a directory is at hand; else those of its submissions.
 */
export function companyOutcome(
  cik: number,
  files: readonly CompanyFile[],
  listings: readonly Listing[] | undefined,
): CompanyOutcome {
  const skipped: CompanyOutcome['skipped'] = [];
  let facts: CompanyFacts | undefined;
  let submissions: Submissions | undefined;
  const acceptedMs = new Map<string, number>();
  for (const { name, json, damage } of files) {
    try {
      if (damage !== undefined) throw new MalformedInputError(damage);
      if (isCompanyFacts(json)) facts = ofCompany(cik, parseCompanyFacts(json));
      else if (isSubmissions(json)) {
        submissions = parseSubmissions(json);
        ofCompany(cik, submissions.company);
        for (const [accession, ms] of submissions.acceptedMs) acceptedMs.set(accession, ms);
      } else if (isSubmissionsPage(json)) {
        for (const [accession, ms] of parseAcceptances(json)) acceptedMs.set(accession, ms);
      } else throw new MalformedInputError('neither company facts nor submissions');
    } catch (error) {
      if (!(error instanceof MalformedInputError)) throw error;
      skipped.push({ name, reason: error.message });
    }
  }
  const known = listings ?? submissions?.company.listings ?? [];
  const faults = [...(facts?.faults ?? []), ...(submissions?.faults ?? [])];
  return {
    cik,
    symbols: known.map(({ symbol }) => symbol).filter(isCommon),
    facts: known.map((listing) => statedFacts(cik, listing, submissions)),
    rows: facts ? companyRows(facts, acceptedMs) : NO_ROWS,
    factCount: facts?.factCount ?? 0,
    faults,
    skipped,
  };
}

/** @throws {MalformedInputError} it is of another company. */
function ofCompany<T extends { cik: number }>(cik: number, parsed: T): T {
  if (parsed.cik === cik) return parsed;
  throw new MalformedInputError(`it is of CIK ${parsed.cik}, not of ${cik}`);
}

/** A preferred share or a warrant has no part of what statements and counts of shares say. */
function isCommon(symbol: string): boolean {
  return !/\.(PR[A-Z]?|WS|U|RT|WI|CL)(\.|$)/.test(symbol);
}

function statedFacts(
  cik: number,
  listing: Listing,
  submissions: Submissions | undefined,
): StatedFacts {
  const { symbol, companyName } = listing;
  const company = submissions?.company;
  const own = company?.listings.find((one) => one.symbol === symbol);
  return {
    symbol,
    companyName: companyName ?? (company?.name || null),
    exchange: listing.exchange ?? own?.exchange ?? null,
    venue: listing.venue ?? own?.venue ?? null,
    cik,
    country: company?.country ?? null,
    sector: company?.sector ?? null,
    industry: company?.industry ?? null,
  };
}
