/**
 * Reads statements and facts of companies from the SEC or from files: single symbols over the
 * network, all companies from its nightly zips.
 */

import { join } from 'node:path';
import { makeFolders } from '../../../base/data-folder.ts';
import { MalformedInputError, ParameterError, SourceEmptyError } from '../../../base/errors.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import { rm } from '../../../base/world/file-promises.ts';
import type { FetchContext, Fetched, SkippedInput } from '../../contract/fetch-context.ts';
import type { DryRun, ProbeContext, VendorCode } from '../../contract/source.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { malformed } from '../../http/checked-response.ts';
import { HttpClient } from '../../http/client.ts';
import { baseUrl } from '../../http/host.ts';
import { bySymbols } from '../shared/partition.ts';
import { quartersFromText } from '../shared/quarters.ts';
import { askTickers, SEC_DATA, secAsk, TICKERS_NAME } from '../shared/sec.ts';
import { askCompany, downloadBulk } from './client.ts';
import type { CompanyOutcome, Listing } from './company-outcome.ts';
import { fetchQuarters, fetchSetFiles } from './fetch-sets.ts';
import { secLimits } from './limits.ts';
import { addTickers, listCompanies } from './list-companies.ts';
import { listSets } from './list-sets.ts';
import { companyBatches, readCompanies } from './read-companies.ts';
import { stageCompanies } from './stage-companies.ts';

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
    yield* fetchInputs(options.paths, options, context);
    return;
  }
  if (!options.bulk && !options.symbols && !options.statements) {
    throw new ParameterError('symbols', 'sec needs --symbols A,B, --bulk, --statements, or a path');
  }
  const ask = secAsk(context.settings);
  const { signal, settings, onProgress } = context;
  await using http = new HttpClient(settings, { signal });
  const listings = storedListings(options);
  addTickers(await askTickers(http, ask), TICKERS_NAME, listings);
  if (options.statements) {
    yield* fetchQuarters(http, ask, {
      listings: wantedListings(listings, options),
      options,
      context,
    });
    return;
  }
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

/** Reads sets of financial statements, and other paths as files of companies. */
async function* fetchInputs(
  paths: readonly string[],
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<Fetched> {
  const { sets, others, skipped } = await listSets(paths);
  const [fault] = skipped;
  if (fault) throw new MalformedInputError(`"${fault.name}": ${fault.reason}`);
  const known = storedListings(options);
  if (sets.length === 0) {
    yield* fetchPaths(paths, known, options, context);
    return;
  }
  // Other paths of sets may have nothing but tickers.
  const { companies, listings } = await listCompanies(others, known);
  if (companies.length > 0) yield* fetchPaths(others, known, options, context);
  yield* fetchSetFiles(sets, { listings: wantedListings(listings, options), options, context });
}

/** Selects the companies of the requested symbols. */
function wantedListings(
  listings: ReadonlyMap<number, readonly Listing[]>,
  { symbols }: SourceOptions,
): ReadonlyMap<number, readonly Listing[]> {
  if (!symbols) return listings;
  return new Map(
    [...listings].filter(([, own]) => own.some(({ symbol }) => symbols.includes(symbol))),
  );
}

/** Counts the requests: the tickers, and two files and a page per company. */
export function planSec(
  { paths, symbols, bulk, statements }: SourceOptions,
  nowMs: number,
): DryRun {
  if (paths && paths.length > 0) {
    throw new ParameterError('plan', 'files on disk need no requests: leave out --plan');
  }
  if (bulk) return { requests: 3, bars: 0, rows: BULK_ROWS, downloadBytes: BULK_BYTES };
  if (statements) {
    const sets = quartersFromText(statements, newYorkDay(nowMs)).length;
    const downloadBytes = sets * SET_BYTES;
    return { requests: 1 + sets, bars: 0, rows: sets * ROWS_PER_SET, downloadBytes };
  }
  if (!symbols) {
    throw new ParameterError('symbols', 'sec needs --symbols A,B, --bulk or --statements');
  }
  const rows = ROWS_PER_SYMBOL * symbols.length;
  return { requests: 1 + 3 * symbols.length, bars: 0, rows };
}

/** Usual rows of a company after fifteen years of filings. */
const ROWS_PER_SYMBOL = 400;
/** Rows of all listed companies from both zips. */
const BULK_ROWS = 3_000_000;
const BULK_BYTES = 3_000_000_000;
/** Usual rows and bytes of a set of financial statements. */
const ROWS_PER_SET = 60_000;
const SET_BYTES = 100_000_000;

function storedListings({ tickersByCik }: SourceOptions): Map<number, readonly Listing[]> {
  return new Map(
    tickersByCik?.map(([cik, symbols]) => [cik, symbols.map((symbol) => ({ symbol }))]),
  );
}

async function* fetchPaths(
  paths: readonly string[],
  known: ReadonlyMap<number, readonly Listing[]>,
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<Fetched> {
  const { companies, tickerLists, skipped } = await listCompanies(paths, known);
  const { symbols: wanted } = options;
  const isWanted = (listings: readonly Listing[] | undefined) =>
    !wanted || !listings || listings.some(({ symbol }) => wanted.includes(symbol));
  const batches = companyBatches(companies.filter(({ listings }) => isWanted(listings)));
  if (batches.length === 0) throw new SourceEmptyError(noCompany(paths, tickerLists));
  const origin = paths.join(', ');
  let pending = skipped;
  let batch = 0;
  let hasSymbols = false;
  for await (const outcomes of readCompanies(batches, context)) {
    hasSymbols ||= outcomes.some(({ symbols }) => symbols.length > 0);
    const isRefused = ++batch === batches.length && !hasSymbols;
    yield* stageCompanies(
      outcomes,
      { origin, isFace: false, skipped: pending, isRefused },
      options,
      context,
    );
    pending = [];
  }
}

/** Names the command for lists of tickers, which have no figures of companies. */
function noCompany(paths: readonly string[], tickerLists: readonly string[]): string {
  const text = `no company's file in ${paths.join(', ')}`;
  if (tickerLists.length === 0) return text;
  const lists = tickerLists.length === 1 ? 'a list' : `${tickerLists.length} lists`;
  return `${text}: it has ${lists} of tickers, which npx tapeworks backfill symbols ${paths.join(' ')} loads; statements need companyfacts or submissions, too`;
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
  const { askedPerBatch } = secLimits;
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
    yield* stageCompanies(outcomes, { origin, isFace: false, skipped }, options, context);
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
  partition(options, nowMs) {
    if (options.statements) {
      const quarters = quartersFromText(options.statements, newYorkDay(nowMs));
      return quarters.map(({ name }) => ({ ...options, statements: name }));
    }
    return options.bulk ? [options] : bySymbols(options, options.symbols, SYMBOLS_PER_PARTITION);
  },
  probe,
};
