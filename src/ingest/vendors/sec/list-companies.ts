/** Finds the SEC's files under the paths of the user, company by company. */

import { basename, join } from 'node:path';
import { MalformedInputError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { stat } from '../../../base/world/file-promises.ts';
import type { SkippedInput } from '../../contract/fetch-context.ts';
import { isSecTickers, parseSecTickers } from '../../directory/parse-sec-tickers.ts';
import { formFromName, type InputFile } from '../../inputs/input-file.ts';
import { listInputs } from '../../inputs/list-inputs.ts';
import { listZip, zipMembers } from '../../inputs/list-zip.ts';
import { headOf } from '../../inputs/read-input.ts';
import type { Listing } from './company-outcome.ts';
import { type CompanyInput, textOf } from './read-company.ts';

export interface CompanyList {
  companies: CompanyInput[];
  /** Tickers by CIK, those of the paths first. */
  listings: ReadonlyMap<number, readonly Listing[]>;
  /** Names of the lists of tickers in the paths. */
  tickerLists: string[];
  skipped: SkippedInput[];
}

const COMPANY_NAME = /(?:^|\/)CIK(\d{10})(?:-submissions-\d{3})?\.json(?:\.gz)?$/;
const ZIP_NAME = /\.zip$/i;
const COMPANY_HEAD = /"cik"\s*:\s*"?0*(\d{1,10})\b/;

/**
 * Lists company facts, submissions and tickers in files, folders and zips. Of a zip with more than
 * `limits.ingest.zipMembersMax` members only the companies count that have a ticker, or facts in
 * another path: the zip of all submissions has nearly a million.
 * @param known Tickers by CIK, from the store or the network. Those of the paths take precedence.
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
  const tickerLists: string[] = [];
  const found = { add, listings, tickerLists, skipped };
  const zips: string[] = [];
  for (const path of paths) {
    if (ZIP_NAME.test(path)) zips.push(path);
    else zips.push(...(await addLooseFiles(path, found)));
  }
  // Read the zip of all submissions last, because the others decide its wanted companies.
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
  return { companies: companies.sort((a, b) => a.cik - b.cik), listings, tickerLists, skipped };
}

interface Found {
  add: (cik: number, file: InputFile) => void;
  listings: Map<number, readonly Listing[]>;
  tickerLists: string[];
  skipped: SkippedInput[];
}

/** @returns zips in the folder. */
async function addLooseFiles(path: string, found: Found): Promise<string[]> {
  const { skipped } = found;
  const isFile = (await stat(path).catch(() => undefined))?.isFile();
  if (isFile && formFromName(path) === undefined) {
    skipped.push({ name: basename(path), reason: NOT_OF_SEC });
    return [];
  }
  const list = await listInputs(path);
  const [zips, others] = [true, false].map((isZip) =>
    list.skipped.filter(({ name }) => ZIP_NAME.test(name) === isZip),
  );
  skipped.push(...others);
  for (const file of list.files) await addFile(file, found);
  return zips.map(({ name }) => join(path, name));
}

async function addZip(path: string, found: Found, wanted: ReadonlySet<number>): Promise<void> {
  const list = await listZip(path, undefined, (name) => {
    const cik = COMPANY_NAME.exec(name)?.[1];
    return cik === undefined || wanted.has(Number(cik));
  });
  found.skipped.push(...list.skipped);
  for (const file of list.files) await addFile(file, found);
}

const NOT_OF_SEC = 'not company facts, submissions or tickers of the SEC';

/** Adds a file. One with the SEC's own name is checked when it is read; others by their start. */
async function addFile(
  file: InputFile,
  { add, listings, tickerLists, skipped }: Found,
): Promise<void> {
  const { name } = file;
  const named = COMPANY_NAME.exec(name)?.[1];
  if (named !== undefined) {
    add(Number(named), file);
    return;
  }
  try {
    const head = file.isLooseJson
      ? (await headOf(file, limits.ingest.headBytesMax)).toString()
      : '';
    const cik = COMPANY_HEAD.exec(head)?.[1];
    if (isSecTickers(head)) {
      addTickers(await textOf(file), name, listings);
      tickerLists.push(name);
    } else if (cik !== undefined) add(Number(cik), file);
    else skipped.push({ name, reason: NOT_OF_SEC });
  } catch (error) {
    if (!(error instanceof MalformedInputError)) throw error;
    skipped.push({ name, reason: error.message });
  }
}

/** Replaces the known tickers of its companies by the SEC's own list. */
export function addTickers(
  text: string,
  name: string,
  listings: Map<number, readonly Listing[]>,
): void {
  const byCik = Map.groupBy(parseSecTickers(text, name).securities, ({ cik }) => Number(cik));
  for (const [cik, securities] of byCik) listings.set(cik, securities);
}
