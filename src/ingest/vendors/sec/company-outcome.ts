/** Combines the SEC's files of one company into rows and facts. Pure. */

import { MalformedInputError } from '../../../base/errors.ts';
import { commonSymbols } from '../../../base/symbols/common-shares.ts';
import type { StatedFacts } from '../../../store/duckdb/securities/symbols.ts';
import type { ListedSecurity } from '../../directory/listed-security.ts';
import { type CompanyRows, companyRows, NO_ROWS } from './company-rows.ts';
import {
  type CompanyFacts,
  isCompanyFacts,
  parseCompanyFacts,
} from './concepts/parse-companyfacts.ts';
import {
  isSubmissions,
  isSubmissionsPage,
  parseAcceptances,
  parseSubmissions,
  type Submissions,
} from './parse-submissions.ts';

export type Listing = Pick<ListedSecurity, 'symbol'> & Partial<ListedSecurity>;

export interface CompanyOutcome {
  cik: number;
  /** Canonical symbols of the rows: the company's common shares. */
  symbols: string[];
  /** Facts for the directory, for every ticker, preferred shares and warrants included. */
  facts: StatedFacts[];
  rows: CompanyRows;
  /** Number of facts read, and reasons for the refused ones. */
  factCount: number;
  faults: [reason: string, count: number][];
  /** Files that gave no rows, with the reason. */
  skipped: { name: string; reason: string }[];
}

export interface CompanyFile {
  name: string;
  /** Undefined if it could not be read, for this reason. */
  json: unknown;
  damage?: string;
}

/**
 * @param files Company facts, submissions and pages of older ones, told apart by content.
 * @param listings Tickers of the company from a directory; default those of its submissions.
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
    symbols: commonSymbols(known.map(({ symbol }) => symbol)),
    facts: known.map((listing) => statedFacts(cik, listing, submissions)),
    rows: facts ? companyRows(facts, acceptedMs) : NO_ROWS,
    factCount: facts?.factCount ?? 0,
    faults,
    skipped,
  };
}

/** @throws {MalformedInputError} it belongs to another company. */
function ofCompany<T extends { cik: number }>(cik: number, parsed: T): T {
  if (parsed.cik === cik) return parsed;
  throw new MalformedInputError(`it is of CIK ${parsed.cik}, not of ${cik}`);
}

/** Facts of a listing for the directory, with those of its company's submissions. */
export function statedFacts(
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
