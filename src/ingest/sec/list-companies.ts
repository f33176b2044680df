/** Which of the SEC's files are under the paths that a user gave, company by company. */

import { open, readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { limits } from '../../limits.ts';
import type { SkippedInput } from '../fetch-context.ts';
import { formFromName, type InputFile } from '../input-file.ts';
import { listInputs } from '../list-inputs.ts';
import { listZip, zipMembers } from '../list-zip.ts';
import { isSecTickers, parseSecTickers } from '../parse-sec-tickers.ts';
import type { Listing } from './company-outcome.ts';
import type { CompanyInput } from './read-company.ts';

export interface CompanyList {
  /** By CIK. */
  companies: CompanyInput[];
  skipped: SkippedInput[];
}

/** As the SEC names the files of a company, older pages too. */
const COMPANY_NAME = /(?:^|\/)CIK(\d{10})(?:-submissions-\d{3})?\.json(?:\.gz)?$/;
const COMPANY_HEAD = /"cik"\s*:\s*"?0*(\d{1,10})\b/;

/**
 * Lists company facts, submissions and tickers in files, folders and zips. Files that are not of
 * the SEC are named and skipped.
 *
 * A zip of more members than `limits.ingest.zipMembersMax` (all submissions: nearly a million
 * persons and companies) is looked through for the companies that have a ticker, or whose facts
 * are in another path.
 *
 * @param known Tickers by CIK, from the store or the network; those of the paths come first.
 * @throws {ParameterError} `path`: nothing is there.
 * @throws {MalformedInputError} a zip or a list of tickers cannot be read.
 */
export async function listCompanies(
  paths: readonly string[],
  known: ReadonlyMap<number, readonly Listing[]>,
): Promise<CompanyList> {
  const filesByCik = new Map<number, InputFile[]>();
  const listings = new Map(known);
  const skipped: SkippedInput[] = [];
  const add = (cik: number, file: InputFile) => {
    const files = filesByCik.get(cik);
    if (files) files.push(file);
    else filesByCik.set(cik, [file]);
  };
  const found = { add, listings, skipped };
  const zips: string[] = [];
  for (const path of paths) {
    if (/\.zip$/i.test(path)) zips.push(path);
    else await addLooseFiles(path, found);
  }
  // That of all submissions last: the others say whose are wanted.
  const sizes = await Promise.all(
    zips.map(async (path) => ({ path, members: await zipMembers(path) })),
  );
  for (const { path } of sizes.sort((a, b) => a.members - b.members)) {
    await addZip(path, found, new Set([...filesByCik.keys(), ...listings.keys()]));
  }
  const companies = [...filesByCik].map(([cik, files]) => ({
    cik,
    files: files.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    listings: listings.get(cik),
  }));
  return { companies: companies.sort((a, b) => a.cik - b.cik), skipped };
}

interface Found {
  add: (cik: number, file: InputFile) => void;
  listings: Map<number, readonly Listing[]>;
  skipped: SkippedInput[];
}

async function addLooseFiles(path: string, { add, listings, skipped }: Found): Promise<void> {
  const isFile = (await stat(path).catch(() => undefined))?.isFile();
  if (isFile && formFromName(path) === undefined) {
    skipped.push({ name: basename(path), reason: NOT_OF_SEC });
    return;
  }
  const list = await listInputs(path);
  skipped.push(...list.skipped);
  for (const file of list.files) {
    const named = COMPANY_NAME.exec(file.name)?.[1];
    const head =
      named === undefined && file.isLooseJson && !file.isGzip ? await headOf(file.path) : '';
    const cik = named ?? COMPANY_HEAD.exec(head)?.[1];
    if (isSecTickers(head)) addTickers(await readFile(file.path, 'utf8'), file.name, listings);
    else if (cik !== undefined) add(Number(cik), file);
    else skipped.push({ name: file.name, reason: NOT_OF_SEC });
  }
}

const NOT_OF_SEC = 'not company facts, submissions or tickers of the SEC';

async function addZip(
  path: string,
  { add, skipped }: Found,
  wanted: ReadonlySet<number>,
): Promise<void> {
  const cikOf = (name: string) => {
    const cik = COMPANY_NAME.exec(name)?.[1];
    return cik === undefined ? undefined : Number(cik);
  };
  const list = await listZip(path, undefined, (name) => {
    const cik = cikOf(name);
    return cik === undefined || wanted.has(cik);
  });
  skipped.push(...list.skipped);
  for (const file of list.files) {
    const cik = cikOf(file.name);
    if (cik !== undefined) add(cik, file);
    else skipped.push({ name: file.name, reason: NOT_OF_SEC });
  }
}

/** The SEC's own list of tickers replaces what is known of its companies. */
export function addTickers(
  text: string,
  name: string,
  listings: Map<number, readonly Listing[]>,
): void {
  const byCik = Map.groupBy(parseSecTickers(text, name).securities, ({ cik }) => Number(cik));
  for (const [cik, securities] of byCik) listings.set(cik, securities);
}

async function headOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const buffer = Buffer.alloc(limits.ingest.headBytesMax);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
