import { join } from 'node:path';
import { MalformedInputError } from '../../../base/errors.ts';
import { dateFromDay } from '../../../base/time/dates.ts';
import type { HttpClient } from '../../http/client.ts';
import { download } from '../../http/download.ts';
import { SEC, SEC_DATA, type SecAsk } from '../shared/sec.ts';
import {
  type CompanyFile,
  type CompanyOutcome,
  companyOutcome,
  type Listing,
} from './company-outcome.ts';
import { isCompanyFacts, parseCompanyFacts } from './concepts/parse-companyfacts.ts';
import { isSubmissions, parseSubmissions } from './parse-submissions.ts';

const BULK_ZIPS = [
  '/Archives/edgar/daily-index/xbrl/companyfacts.zip',
  '/Archives/edgar/daily-index/bulkdata/submissions.zip',
];

/**
 * Fetches a company's facts, its submissions, and the pages of older filings that its facts come
 * from. A company without facts, such as a fund, is not an error.
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

/** Fetches a file; undefined if there is none. A response that is not JSON is a damaged file. */
async function askFile(
  http: Pick<HttpClient, 'get'>,
  ask: SecAsk,
  path: string,
): Promise<CompanyFile | undefined> {
  const { status, text } = await http.get({ ...ask(SEC_DATA, path), readable: [404] });
  if (status === 404) return undefined;
  try {
    return { name: path, json: JSON.parse(text) };
  } catch {
    return { name: path, json: undefined, damage: 'it is not JSON' };
  }
}

/** Pages with moments of filings that the newest filings lack. */
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
    // Reported when the file is read for its rows.
    if (error instanceof MalformedInputError) return [];
    throw error;
  }
}

/** Downloads the zips of all companies (3 GB), or their rest. @returns their paths, facts first. */
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
      request: ask(SEC, address),
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
