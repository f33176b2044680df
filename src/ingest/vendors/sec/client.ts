/** Questions to the SEC: companies one by one, and its nightly zips of all of them. */

import { join } from 'node:path';
import type { VendorSettings } from '../../../base/config/config.ts';
import { MalformedInputError } from '../../../base/errors.ts';
import { dateFromDay } from '../../../base/time/dates.ts';
import { requireContact } from '../../contract/settings.ts';
import type { HttpClient, HttpRequest } from '../../http/client.ts';
import { download } from '../../http/download.ts';
import { type Vendor, vendors } from '../../http/vendors.ts';
import {
  type CompanyFile,
  type CompanyOutcome,
  companyOutcome,
  type Listing,
} from './company-outcome.ts';
import { isCompanyFacts, parseCompanyFacts } from './facts/parse-companyfacts.ts';
import { isSubmissions, parseSubmissions } from './parse-submissions.ts';

export const TICKERS_NAME = 'company_tickers_exchange.json';

const BULK_ZIPS = [
  '/Archives/edgar/daily-index/xbrl/companyfacts.zip',
  '/Archives/edgar/daily-index/bulkdata/submissions.zip',
];

export type SecAsk = (vendor: Vendor, path: string) => HttpRequest;

/**
 * Questions that say who asks: the contact's own words, else this program and an address.
 *
 * @throws {ConfigError} `TAPEWORKS_CONTACT` is not set.
 */
export function secAsk(settings: VendorSettings): SecAsk {
  const contact = requireContact(settings);
  const isAddressOnly = !contact.includes(' ');
  const headers = { 'user-agent': isAddressOnly ? `tapeworks ${contact}` : contact };
  return (vendor, path) => ({ vendor, path, headers });
}

/** The list of all tickers, as text. @throws as `HttpClient.get`. */
export async function askTickers(http: Pick<HttpClient, 'get'>, ask: SecAsk): Promise<string> {
  return (await http.get(ask(vendors.SEC, `/files/${TICKERS_NAME}`))).text;
}

/**
 * Asks for a company: its facts, its submissions, and the pages of older filings that its facts
 * come from. A company without facts, a fund or a new one, is none the worse.
 *
 * @throws as `HttpClient.get`.
 */
export async function askCompany(
  http: Pick<HttpClient, 'get'>,
  ask: SecAsk,
  cik: number,
  listings: readonly Listing[],
): Promise<CompanyOutcome> {
  const name = `CIK${String(cik).padStart(10, '0')}`;
  const files: CompanyFile[] = [];
  for (const folder of ['/api/xbrl/companyfacts/', '/submissions/']) {
    const file = await askFile(http, ask, `${folder}${name}.json`);
    if (file) files.push(file);
  }
  for (const page of neededPages(files)) {
    const file = await askFile(http, ask, `/submissions/${page}`);
    if (file) files.push(file);
  }
  return companyOutcome(cik, files, listings);
}

/** Undefined: the SEC has no such file. What is not JSON is a damaged file. */
async function askFile(
  http: Pick<HttpClient, 'get'>,
  ask: SecAsk,
  path: string,
): Promise<CompanyFile | undefined> {
  const { status, text } = await http.get({ ...ask(vendors.SEC_DATA, path), readable: [404] });
  if (status === 404) return undefined;
  try {
    return { name: path, json: JSON.parse(text) };
  } catch {
    return { name: path, json: undefined, damage: 'it is not JSON' };
  }
}

/** Pages that have the moment of a filing which the newest ones do not have. */
function neededPages(files: readonly CompanyFile[]): string[] {
  try {
    const facts = files.find(({ json }) => isCompanyFacts(json));
    const body = files.find(({ json }) => isSubmissions(json));
    if (!facts || !body) return [];
    const { acceptedMs, pages } = parseSubmissions(body.json);
    const missing = parseCompanyFacts(facts.json)
      .filings.filter(({ accession }) => !acceptedMs.has(accession))
      .map(({ filedDay }) => dateFromDay(filedDay));
    return pages
      .filter(({ from, to }) => missing.some((date) => date >= from && date <= to))
      .map(({ name }) => name);
  } catch (error) {
    // Told when the file is read for its rows.
    if (error instanceof MalformedInputError) return [];
    throw error;
  }
}

/**
 * Downloads the zips of all companies, 3 GB, going on where an earlier run was broken off.
 *
 * @returns their paths, facts first.
 * @throws as `download`.
 */
export async function downloadBulk(
  http: Pick<HttpClient, 'exchange'>,
  ask: SecAsk,
  folder: string,
  onProgress: ((step: string, done: number, total: number) => void) | undefined,
): Promise<string[]> {
  const paths: string[] = [];
  for (const address of BULK_ZIPS) {
    const name = address.slice(address.lastIndexOf('/') + 1);
    const path = join(folder, name);
    await download(http, {
      request: ask(vendors.SEC, address),
      path,
      onProgress: (bytes, totalBytes) => {
        onProgress?.(`download ${name} (MB)`, toMegabytes(bytes), toMegabytes(totalBytes ?? bytes));
      },
    });
    paths.push(path);
  }
  return paths;
}

const toMegabytes = (bytes: number) => Math.floor(bytes / 1_000_000);
