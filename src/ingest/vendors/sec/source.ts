/**
 * Reads statements and facts of companies from the SEC or from files: single symbols over the
 * network, all companies from its nightly zips.
 */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders } from '../../../base/data-folder.ts';
import { MalformedInputError, ParameterError, SourceEmptyError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import type { FetchContext, Fetched, SkippedInput } from '../../contract/fetch-context.ts';
import type { DryRun, ProbeContext, VendorCode } from '../../contract/source.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { malformed } from '../../http/checked-response.ts';
import { HttpClient } from '../../http/client.ts';
import { baseUrl } from '../../http/host.ts';
import { bySymbols } from '../shared/partition.ts';
import { askTickers, SEC_DATA, secAsk, TICKERS_NAME } from '../shared/sec.ts';
import { askCompany, downloadBulk } from './client.ts';
import type { CompanyOutcome, Listing } from './company-outcome.ts';
import { landCompanies } from './land-companies.ts';
import { addTickers, listCompanies } from './list-companies.ts';
import { companyBatches, readCompanies } from './read-companies.ts';

/**
 * @throws {ParameterError} neither paths, symbols nor bulk is given.
 * @throws {SourceEmptyError} the request gave no rows.
 * @throws {MalformedInputError} no company's response could be read; names the first.
 */
export async function* fetchSec(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<Fetched> {
  if (options.paths && options.paths.length > 0) {
    yield* fetchPaths(options.paths, storedListings(options), options, context);
    return;
  }
  if (!options.bulk && !options.symbols) {
    throw new ParameterError('symbols', 'sec needs --symbols A,B, --bulk, or a path');
  }
  const ask = secAsk(context.settings);
  const { signal, settings, onProgress } = context;
  await using http = new HttpClient(settings, { signal });
  const listings = storedListings(options);
  addTickers(await askTickers(http, ask), TICKERS_NAME, listings);
  if (!options.bulk) {
    const asker = (cik: number, own: readonly Listing[]) => askCompany(http, ask, cik, own);
    yield* fetchSymbols(asker, listings, options, context);
    return;
  }
  const folder = join(context.paths.scratch, 'sec');
  makeFolders(folder);
  const paths = await downloadBulk(http, ask, folder, onProgress);
  const clear = () => rm(folder, { recursive: true, force: true });
  try {
    yield* fetchPaths(paths, listings, options, context);
  } catch (error) {
    // Delete a damaged zip: if kept, the SEC would respond that it has not changed.
    if (error instanceof MalformedInputError) await clear();
    throw error;
  }
  await clear();
}

/** Counts the requests: the tickers, and two files and a page per company. */
export function planSec({ paths, symbols, bulk }: SourceOptions): DryRun {
  if (paths && paths.length > 0) {
    throw new ParameterError('plan', 'files on disk need no requests: leave out --plan');
  }
  if (bulk) return { requests: 3, bars: 0, rows: BULK_ROWS, downloadBytes: BULK_BYTES };
  if (!symbols) throw new ParameterError('symbols', 'sec needs --symbols A,B or --bulk');
  const rows = ROWS_PER_SYMBOL * symbols.length;
  return { requests: 1 + 3 * symbols.length, bars: 0, rows };
}

/** Usual rows of a company after fifteen years of filings. */
const ROWS_PER_SYMBOL = 400;
/** Rows of all listed companies from both zips. */
const BULK_ROWS = 3_000_000;
const BULK_BYTES = 3_000_000_000;

function storedListings({ tickersByCik }: SourceOptions): Map<number, readonly Listing[]> {
  const entries = [...(tickersByCik ?? [])];
  return new Map(entries.map(([cik, symbols]) => [cik, symbols.map((symbol) => ({ symbol }))]));
}

async function* fetchPaths(
  paths: readonly string[],
  known: ReadonlyMap<number, readonly Listing[]>,
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<Fetched> {
  const { companies, skipped } = await listCompanies(paths, known);
  const { symbols: wanted } = options;
  const isWanted = (listings: readonly Listing[] | undefined) =>
    !wanted || !listings || listings.some(({ symbol }) => wanted.includes(symbol));
  const batches = companyBatches(companies.filter(({ listings }) => isWanted(listings)));
  if (batches.length === 0) throw new SourceEmptyError(`no company's file in ${paths.join(', ')}`);
  const origin = paths.join(', ');
  let pending = skipped;
  let batch = 0;
  let hasSymbols = false;
  for await (const outcomes of readCompanies(batches, context)) {
    hasSymbols ||= outcomes.some(({ symbols }) => symbols.length > 0);
    const isRefused = ++batch === batches.length && !hasSymbols;
    yield* landCompanies(outcomes, { origin, skipped: pending, isRefused }, options, context);
    pending = [];
  }
}

async function* fetchSymbols(
  asker: (cik: number, listings: readonly Listing[]) => ReturnType<typeof askCompany>,
  listings: ReadonlyMap<number, readonly Listing[]>,
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<Fetched> {
  const { symbols = [] } = options;
  const ciks = new Map<number, readonly Listing[]>();
  const unknown: SkippedInput[] = [];
  for (const symbol of symbols) {
    const found = [...listings].find(([, own]) => own.some((one) => one.symbol === symbol));
    if (found) ciks.set(...found);
    else unknown.push({ name: symbol, reason: 'the SEC lists no such ticker' });
  }
  if (ciks.size === 0) {
    throw new SourceEmptyError(`the SEC lists none of the tickers ${symbols.join(', ')}`);
  }
  const origin = baseUrl(SEC_DATA, context.settings);
  const asked = [...ciks];
  const { askedPerBatch } = limits.sec;
  const damaged: SkippedInput[] = [];
  for (let start = 0; start < asked.length; start += askedPerBatch) {
    const outcomes: CompanyOutcome[] = [];
    for (const [i, [cik, own]] of asked.slice(start, start + askedPerBatch).entries()) {
      context.onProgress?.('fetch companies', start + i, asked.length);
      outcomes.push(await asker(cik, own));
    }
    damaged.push(...outcomes.flatMap(({ skipped: [damage] }) => damage ?? []));
    const skipped = outcomes
      .filter(({ factCount, skipped: [damage] }) => factCount === 0 && !damage)
      .map(({ facts: [first] }) => ({ name: first.symbol, reason: 'it has filed no facts' }));
    if (start === 0) skipped.push(...unknown);
    yield* landCompanies(outcomes, { origin, skipped }, options, context);
  }
  context.onProgress?.('fetch companies', asked.length, asked.length);
  // One damaged file is named. If all are damaged, the format has changed.
  if (damaged.length === asked.length) {
    const [{ name, reason }] = damaged;
    throw malformed('the SEC', `${name}: ${reason}`);
  }
}

const SYMBOLS_PER_PARTITION = 50;

const APPLE_CIK = 320_193;

async function probe({ http, settings }: ProbeContext): Promise<number> {
  const ask = secAsk(settings);
  const { rows, skipped } = await askCompany(http, ask, APPLE_CIK, [{ symbol: 'AAPL' }]);
  const [damage] = skipped;
  if (damage) throw new MalformedInputError(`${damage.name}: ${damage.reason}`);
  return rows.statements.length;
}

export const source: VendorCode = {
  fetch: fetchSec,
  dryRun: planSec,
  partition: (options) =>
    options.bulk ? [options] : bySymbols(options, options.symbols, SYMBOLS_PER_PARTITION),
  probe,
};
