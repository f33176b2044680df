import { SourceBlockedError, SourceEmptyError } from '../../../base/errors.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import type { FetchContext, FetchedRows } from '../../contract/fetch-context.ts';
import { SkippedNotes } from '../../contract/skipped-notes.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { HttpClient, type HttpRequest } from '../../http/client.ts';
import { requireReadable } from '../../rows/readable-rows.ts';
import { fetchBySymbol, type RowsByDataset } from '../shared/fetch-by-symbol.ts';
import { requiredSymbols } from '../shared/partition.ts';
import { yahooSymbol } from '../shared/vendor-symbols.ts';
import { parseYahooOptions } from './parse-options.ts';
import { parseYahooSummary, YAHOO_MODULES } from './parse-summary.ts';
import { vendor } from './vendor.ts';

interface Asking {
  http: Pick<HttpClient, 'get'>;
  crumb: Crumb;
  nowMs: number;
}

const NOT_FOUND = 404;

/**
 * Fetches as `fetchBySymbol` does, one request a symbol.
 * @throws {SourceEmptyError} no symbol has rows; names each with its reason.
 */
export async function* fetchYahooRows(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedRows> {
  const { dataset } = options;
  const symbols = requiredSymbols(options, 'yahoo');
  await using http = new HttpClient(context.settings, { signal: context.signal });
  const notes = new SkippedNotes();
  const asking = { http, crumb: await askCrumb(http), nowMs: context.nowMs };
  const ask = (symbol: string) =>
    dataset === 'expirations' ? askOptions(symbol, asking) : askSummary(symbol, asking);
  const staged = fetchBySymbol({ source: 'yahoo', symbols, ask, notes }, options, context);
  yield* requireReadable('Yahoo', staged);
  notes.requireSegments('Yahoo', dataset);
}

async function askSummary(symbol: string, { http, crumb, nowMs }: Asking): Promise<RowsByDataset> {
  const { text } = await http.get({
    host: vendor.host,
    path: `/v10/finance/quoteSummary/${encodeURIComponent(yahooSymbol(symbol))}`,
    ...crumb,
    query: { modules: YAHOO_MODULES.join(','), formatted: 'false', ...crumb.query },
    readable: [NOT_FOUND],
  });
  const { grades, consensus, earnings } = parseYahooSummary(text, symbol, nowMs);
  if (grades.length + consensus.length + earnings.length === 0) {
    throw new SourceEmptyError(`Yahoo has nothing of analysts of "${symbol}"`);
  }
  return {
    'upgrades-downgrades': grades,
    'analyst-consensus': consensus,
    'earnings-calendar': earnings,
  };
}

async function askOptions(symbol: string, { http, crumb, nowMs }: Asking): Promise<RowsByDataset> {
  const path = `/v7/finance/options/${encodeURIComponent(yahooSymbol(symbol))}`;
  const { text } = await http.get({ host: vendor.host, path, ...crumb, symbol });
  const request = { symbol, todayDay: newYorkDay(nowMs), asOfMs: nowMs };
  const expirations = parseYahooOptions(text, request);
  if (expirations.length === 0) throw new SourceEmptyError(`Yahoo has no options of "${symbol}"`);
  return { expirations };
}

/** The cookie, and its crumb in the query, that Yahoo needs in requests beyond charts. */
type Crumb = Required<Pick<HttpRequest, 'headers' | 'query' | 'secrets'>>;

/** The agent of a browser; others are refused. */
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36';

/**
 * Fetches a crumb with two short requests. A page with a form of consent is never answered in the
 * user's name.
 * @throws {SourceBlockedError} Yahoo gives none here.
 */
async function askCrumb(http: Pick<HttpClient, 'get'>): Promise<Crumb> {
  const headers = { 'user-agent': USER_AGENT };
  const front = { ...vendor.host, url: 'https://fc.yahoo.com' };
  // Nothing is there: the cookie comes with the refusal.
  const { cookies } = await http.get({ host: front, path: '/', headers, readable: [NOT_FOUND] });
  const cookie = cookies.map((one) => one.split(';', 1)[0]).join('; ');
  const asked = { host: vendor.host, path: '/v1/test/getcrumb' };
  const { text } = await http.get({ ...asked, headers: { ...headers, cookie } });
  if (cookie === '' || !/^[!-~]{1,64}$/.test(text) || text.startsWith('<')) {
    throw new SourceBlockedError('Yahoo refuses: it gives no cookie and crumb to this machine');
  }
  return { headers: { ...headers, cookie }, query: { crumb: text }, secrets: [text] };
}
