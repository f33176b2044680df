/** One small real question to each vendor, to tell whether it answers as its parser expects. */

import type { VendorSettings } from '../../base/config/config.ts';
import { MalformedInputError, SourceEmptyError } from '../../base/errors.ts';
import { newYorkDay, previousSession } from '../../base/time/calendar.ts';
import { dateFromDay, dayFromMillis } from '../../base/time/dates.ts';
import { parseSecTickers } from '../directory/parse-sec-tickers.ts';
import type { HttpClient } from '../http/client.ts';
import { keyParts } from '../http/vendor-key.ts';
import { vendors } from '../http/vendors.ts';
import { readableRowCount } from '../rows/readable-rows.ts';
import { parseAlpacaBars } from '../vendors/alpaca/parse-bars.ts';
import { parseCboeOptions } from '../vendors/cboe/parse-options.ts';
import { cboePath } from '../vendors/cboe/source.ts';
import { parseEodhdBars } from '../vendors/eodhd/parse.ts';
import { parseFinnhubRecommendations } from '../vendors/finnhub/parse.ts';
import { parseFmpGrades } from '../vendors/fmp/parse.ts';
import { parseEdgarAtom } from '../vendors/form4/parse-edgar-atom.ts';
import { xmlTextFromBytes } from '../vendors/form4/parse-xml.ts';
import { parseMassiveBars } from '../vendors/massive/parse-bars.ts';
import { parseNasdaqEarnings } from '../vendors/nasdaq/parse-earnings.ts';
import { NASDAQ_EARNINGS_PATH, NASDAQ_HEADERS } from '../vendors/nasdaq/source.ts';
import { feedTextFromBytes } from '../vendors/rss/feed-text.ts';
import { parseFeed } from '../vendors/rss/parse-feed.ts';
import { askCompany, askTickers, secAsk, TICKERS_NAME } from '../vendors/sec/client.ts';
import { VendorActions } from '../vendors/shared/vendor-actions.ts';
import { parseTiingoPrices } from '../vendors/tiingo/parse-prices.ts';
import { fetchYahooChart } from '../vendors/yahoo/chart.ts';
import { parseYahooChart } from '../vendors/yahoo/parse-chart.ts';

export interface ProbeContext {
  http: Pick<HttpClient, 'get'>;
  settings: VendorSettings;
  nowMs: number;
}

/**
 * Asks, parses, and gives how many rows came.
 *
 * @throws {ConfigError} a key or contact is not set. Else as `HttpClient.get` and the parser.
 */
export type Probe = (context: ProbeContext) => Promise<number>;

const SYMBOL = 'AAPL';
const APPLE_CIK = 320_193;
/** Two weeks always hold a session. */
const DAYS = 14;

function lately(nowMs: number): { from: string; to: string } {
  const today = dayFromMillis(nowMs);
  return { from: dateFromDay(today - DAYS), to: dateFromDay(today - 1) };
}

/** By the source's id. */
export const probes: Record<string, Probe> = {
  async alpaca({ http, settings, nowMs }) {
    const { from, to } = lately(nowMs);
    const query = { symbols: SYMBOL, timeframe: '1Day', start: from, end: to, feed: 'sip' };
    const key = keyParts(vendors.ALPACA, settings);
    const asked = { vendor: vendors.ALPACA, path: '/v2/stocks/bars', ...key, query };
    const { barsBySymbol } = parseAlpacaBars((await http.get(asked)).text, '1d');
    return barsBySymbol.get(SYMBOL)?.close.length ?? 0;
  },
  async massive({ http, settings, nowMs }) {
    const { from, to } = lately(nowMs);
    const path = `/v2/aggs/ticker/${SYMBOL}/range/1/day/${from}/${to}`;
    const key = keyParts(vendors.MASSIVE, settings);
    const asked = { vendor: vendors.MASSIVE, path, ...key, query: { adjusted: 'false' } };
    return parseMassiveBars((await http.get(asked)).text, '1d').bars.close.length;
  },
  async tiingo({ http, settings, nowMs }) {
    const { from, to } = lately(nowMs);
    const path = `/tiingo/daily/${SYMBOL}/prices`;
    const query = { startDate: from, endDate: to, format: 'json' };
    const key = keyParts(vendors.TIINGO, settings);
    const { text } = await http.get({ vendor: vendors.TIINGO, path, ...key, query });
    return parseTiingoPrices(text, SYMBOL, new VendorActions()).close.length;
  },
  async eodhd({ http, settings, nowMs }) {
    const { from, to } = lately(nowMs);
    const key = keyParts(vendors.EODHD, settings);
    const query = { from, to, fmt: 'json', ...key.query };
    const asked = { vendor: vendors.EODHD, path: `/api/eod/${SYMBOL}.US`, ...key, query };
    return parseEodhdBars((await http.get(asked)).text).close.length;
  },
  async yahoo({ http, nowMs }) {
    const fromDay = dayFromMillis(nowMs) - DAYS;
    const body = await fetchYahooChart(http, { symbol: SYMBOL, fromDay, nowMs });
    return parseYahooChart(body, SYMBOL).bars.close.length;
  },
  async form4({ http, settings }) {
    const query = { action: 'getcurrent', type: '4', owner: 'include', count: 10, output: 'atom' };
    const asked = { ...secAsk(settings)(vendors.SEC, '/cgi-bin/browse-edgar'), query };
    const { text } = await http.get({ ...asked, decode: xmlTextFromBytes });
    const { entryCount, refused } = parseEdgarAtom(text);
    if (refused.length > 0) throw new MalformedInputError(refused[0].reason);
    return entryCount;
  },
  async sec({ http, settings }) {
    const ask = secAsk(settings);
    const { rows, skipped } = await askCompany(http, ask, APPLE_CIK, [{ symbol: SYMBOL }]);
    const [damage] = skipped;
    if (damage) throw new MalformedInputError(`${damage.name}: ${damage.reason}`);
    return rows.statements.length;
  },
  async rss({ http }) {
    const { text } = await http.get({
      vendor: vendors.RSS,
      path: `/rss/2.0/headline?s=${SYMBOL}&region=US&lang=en-US`,
      decode: feedTextFromBytes,
    });
    const { entries } = parseFeed(text);
    const [refused] = entries.flatMap((entry) => ('reason' in entry ? [entry] : []));
    const count = entries.filter((entry) => 'title' in entry).length;
    if (count === 0 && refused) throw new MalformedInputError(`of every entry ${refused.reason}`);
    return count;
  },
  async nasdaq({ http, nowMs }) {
    // Of the session before: the season may be over, yet some company reports on every one.
    const day = previousSession(newYorkDay(nowMs));
    const query = { date: dateFromDay(day) };
    const asked = { path: NASDAQ_EARNINGS_PATH, headers: NASDAQ_HEADERS, query };
    const { text } = await http.get({ vendor: vendors.NASDAQ, ...asked });
    const rows = parseNasdaqEarnings(text, { day, asOfMs: nowMs, yearEnds: new Map() });
    return readableRowCount('earnings-calendar', rows, "Nasdaq's earnings calendar");
  },
  async cboe({ http, nowMs }) {
    const { text } = await http.get({ vendor: vendors.CBOE, path: cboePath(SYMBOL) });
    const question = { symbol: SYMBOL, todayDay: newYorkDay(nowMs), asOfMs: nowMs };
    return parseCboeOptions(text, question).length;
  },
  async finnhub({ http, settings, nowMs }) {
    const key = keyParts(vendors.FINNHUB, settings);
    const path = '/api/v1/stock/recommendation';
    const { text } = await http.get({
      vendor: vendors.FINNHUB,
      path,
      ...key,
      query: { symbol: SYMBOL },
    });
    const now = { asOfMs: nowMs, targets: undefined };
    const rows = parseFinnhubRecommendations(text, SYMBOL, now);
    return readableRowCount('analyst-consensus', rows, "Finnhub's recommendations");
  },
  async fmp({ http, settings }) {
    const key = keyParts(vendors.FMP, settings);
    const query = { symbol: SYMBOL, ...key.query };
    const path = '/stable/grades';
    const { text } = await http.get({ vendor: vendors.FMP, path, ...key, query });
    const rows = parseFmpGrades(text, SYMBOL);
    return readableRowCount('upgrades-downgrades', rows, "FMP's grades");
  },
  async symbols({ http, settings }) {
    const text = await askTickers(http, secAsk(settings));
    return parseSecTickers(text, TICKERS_NAME).securities.length;
  },
};

/** Runs a probe; an answer without rows is a failure, since what is asked is always there. */
export async function probeSource(id: string, context: ProbeContext): Promise<number> {
  const rows = await probes[id](context);
  if (rows === 0)
    throw new SourceEmptyError(`${id} answered, and has no rows where it always has some`);
  return rows;
}
