/**
 * Reads the directory of US symbols: Nasdaq Trader's two files, the SEC's tickers, and its notices
 * of removals.
 */

import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import { wallMs } from '../../../base/world/clock.ts';
import { readdir, readFile, stat } from '../../../base/world/file-promises.ts';
import type { DirectorySnapshot } from '../../../store/duckdb/securities/listing-spans.ts';
import type { FetchContext, SkippedInput } from '../../contract/fetch-context.ts';
import type { DryRun, ProbeContext, VendorCode } from '../../contract/source.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import type {
  ListedSecurity,
  ParsedListing,
  RefusedListing,
} from '../../directory/listed-security.ts';
import { isSecTickers, parseSecTickers } from '../../directory/parse-sec-tickers.ts';
import { HttpClient } from '../../http/client.ts';
import { baseUrl, type Host } from '../../http/host.ts';
import { headOfFile } from '../../inputs/read-input.ts';
import { askTickers, SEC, secAsk, TICKERS_NAME } from '../shared/sec.ts';
import { isDelistedList, parseDelistedList } from './parse-delisted.ts';
import { isNasdaqTrader, parseNasdaqTrader } from './parse-nasdaq-trader.ts';
import { isRemoval, type RemovalFile } from './parse-removal.ts';
import { addRemoval, fetchDelistedLists, fetchRemovals } from './removals.ts';

const NASDAQ_TRADER: Host = {
  id: 'NASDAQTRADER',
  title: 'Nasdaq Trader',
  url: 'https://www.nasdaqtrader.com',
  limit: { requests: 2, windowS: 1 },
};

export interface SymbolDirectory {
  /** SHA-256, hex, of the sorted SHA-256 list of the files. */
  id: string;
  /** Time of the newest file in microseconds; undefined where no file states one. */
  asOfUs: bigint | undefined;
  securities: ListedSecurity[];
  files: DirectoryFile[];
  removals: RemovalFile[];
  /** Files of other content. */
  skipped: SkippedInput[];
}

/** A file that was read. Lines = accepted + testIssues + refused. */
export interface DirectoryFile {
  source: ListedSecurity['source'];
  origin: string;
  lines: number;
  accepted: number;
  testIssues: number;
  refused: RefusedListing[];
  /** The file as a directory of its time; undefined if that is not known. */
  snapshot: DirectorySnapshot | undefined;
  /** Ratios that names state, if the time is known. */
  ratios: readonly Pick<ListedSecurity, 'symbol' | 'adsRatio'>[];
}

interface Input {
  origin: string;
  text: string;
  /** Time of the download. */
  fetchedMs?: number;
}

/**
 * Reads files and folders. The content of a file shows its kind, not its name.
 * @throws {ParameterError} `path`: nothing is there, or no file is a directory of symbols.
 * @throws {MalformedInputError} a file begins as one of the three and is damaged; names it.
 */
export async function readSymbolDirectory(paths: readonly string[]): Promise<SymbolDirectory> {
  const inputs: Input[] = [];
  const skipped: SkippedInput[] = [];
  const origin = paths.join(', ');
  const notices: RemovalFile = { origin, source: 'sec', notices: [], refused: [] };
  const lists: RemovalFile[] = [];
  for (const path of (await Promise.all(paths.map(filesUnder))).flat()) {
    const head = (await headOfFile(path, limits.ingest.headBytesMax)).toString();
    if (isNasdaqTrader(head) || isSecTickers(head)) {
      inputs.push({ origin: path, text: await readFile(path, 'utf8') });
    } else if (isRemoval(head)) {
      addRemoval(notices, await readFile(path), path);
    } else if (isDelistedList(head)) {
      const text = await readFile(path, 'utf8');
      lists.push({ origin: path, ...parseDelistedList(text, path, newYorkDay(wallMs())) });
    } else {
      skipped.push({ name: path, reason: 'not a directory of symbols' });
    }
  }
  if (notices.notices.length + notices.refused.length > 0) lists.push(notices);
  if (inputs.length === 0 && lists.length === 0) {
    throw new ParameterError(
      'path',
      'path must hold nasdaqlisted.txt, otherlisted.txt, company_tickers_exchange.json, ' +
        "Forms 25 and 15 as EDGAR's text files, or a vendor's list of delisted securities, " +
        `got "${paths.join(', ')}"`,
    );
  }
  return { ...directoryFrom(inputs), removals: lists, skipped };
}

async function filesUnder(path: string): Promise<string[]> {
  const stats = await stat(path).catch((cause: unknown) => {
    throw new ParameterError('path', `path must be a file or folder, got "${path}"`, { cause });
  });
  if (!stats.isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/**
 * Fetches the three files, and the notices of days that the ledger lacks.
 * @throws {MalformedInputError} a body is not the file.
 */
export async function fetchSymbolDirectory(
  options: SourceOptions,
  context: Pick<FetchContext, 'settings' | 'nowMs' | 'onProgress' | 'signal'>,
): Promise<SymbolDirectory> {
  const { settings, onProgress, signal } = context;
  const ask = secAsk(settings);
  const files = [
    { host: NASDAQ_TRADER, path: '/dynamic/SymDir/nasdaqlisted.txt' },
    { host: NASDAQ_TRADER, path: '/dynamic/SymDir/otherlisted.txt' },
    { host: SEC, path: '/files/company_tickers_exchange.json' },
  ];
  const inputs: Input[] = [];
  await using http = new HttpClient(settings, { signal });
  for (const [done, { host, path }] of files.entries()) {
    onProgress?.('fetch', done, files.length);
    const { text } = await http.get(ask(host, path));
    inputs.push({ origin: baseUrl(host, settings) + path, text, fetchedMs: wallMs() });
  }
  onProgress?.('fetch', files.length, files.length);
  const { lists, skipped } = await fetchDelistedLists(http, context);
  const removals = [...(await fetchRemovals(http, options, context)), ...lists];
  return { ...directoryFrom(inputs), removals, skipped };
}

/** Securities that are listed in the US, about. */
const SECURITIES = 20_000;

/** Counts requests. @throws {ParameterError} `plan`: files on disk need none. */
export function planSymbols({ paths = [] }: SourceOptions): DryRun {
  if (paths.length > 0) {
    throw new ParameterError('plan', 'files on disk need no requests: leave out --plan');
  }
  // Notices of ten days and their indexes.
  return { requests: 153, bars: 0, rows: SECURITIES };
}

function directoryFrom(inputs: readonly Input[]): Omit<SymbolDirectory, 'skipped' | 'removals'> {
  const parsed = inputs.map((input) => ({
    ...input,
    sha256: createHash('sha256').update(input.text).digest('hex'),
    listing: parseListing(input),
  }));
  // The newest of several vintages of a file wins, under any name.
  parsed.sort(
    (a, b) =>
      (b.listing.createdMs ?? 0) - (a.listing.createdMs ?? 0) || (a.sha256 < b.sha256 ? -1 : 1),
  );
  const hashes = parsed.map(({ sha256 }) => sha256).sort();
  const newestMs = parsed[0]?.listing.createdMs;
  return {
    id: createHash('sha256').update(hashes.join('\n')).digest('hex'),
    asOfUs: newestMs === undefined ? undefined : BigInt(newestMs) * 1000n,
    securities: mergeListings(parsed.flatMap(({ listing }) => listing.securities)),
    files: parsed.map(fileReport),
  };
}

/** Ranks of the sources, best first: exchanges know their listings, the SEC knows registrants. */
const RANKS: Readonly<Record<ListedSecurity['source'], number>> = { nasdaqtrader: 0, sec: 1 };

/**
 * Keeps the best source's row of each symbol whole: a symbol without an exchange there must not
 * get one from a lesser source. Only the SEC's number is filled in.
 * @param listings Rows of all sources; of one source's rows for a symbol the first with a market
 *   wins, since one of the SEC's lists has none.
 */
export function mergeListings(listings: readonly ListedSecurity[]): ListedSecurity[] {
  const bySymbol = new Map<string, ListedSecurity>();
  for (const listing of listings.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const best = bySymbol.get(listing.symbol);
    if (best) best.cik ??= listing.cik;
    else bySymbol.set(listing.symbol, { ...listing });
  }
  return [...bySymbol.values()].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
}

const rankOf = ({ source, exchange, venue }: ListedSecurity) =>
  2 * RANKS[source] + Number(source === 'sec' && exchange === null && venue === null);

function parseListing({ origin, text }: Input): ParsedListing {
  return isNasdaqTrader(text)
    ? parseNasdaqTrader(text, basename(origin))
    : parseSecTickers(text, basename(origin));
}

function fileReport({
  origin,
  text,
  fetchedMs,
  listing,
}: Input & { listing: ParsedListing }): DirectoryFile {
  const { testIssues, refused, securities, createdMs } = listing;
  const list = listName(text);
  const source = list === 'sec' ? 'sec' : 'nasdaqtrader';
  const accepted = securities.length;
  const lines = accepted + testIssues + refused.length;
  const takenMs = createdMs ?? fetchedMs;
  const snapshot = takenMs === undefined ? undefined : { list, takenMs, listings: securities };
  const ratios = securities.filter(({ adsRatio }) => snapshot && adsRatio !== undefined);
  return { source, origin, lines, accepted, testIssues, refused, snapshot, ratios };
}

function listName(text: string): string {
  if (!isNasdaqTrader(text)) return 'sec';
  return text.startsWith('ACT') ? 'otherlisted' : 'nasdaqlisted';
}

async function probe({ http, settings }: ProbeContext): Promise<number> {
  const text = await askTickers(http, secAsk(settings));
  return parseSecTickers(text, TICKERS_NAME).securities.length;
}

export const source: VendorCode = { dryRun: planSymbols, probe };
