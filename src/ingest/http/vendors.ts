/** Vendors that are asked over HTTP: where they are, and how often each may be asked. */

import { KEYED_VENDORS, type VendorSettings } from '../../base/config/config.ts';
import type { Pace } from './pace.ts';

export interface Vendor {
  /** Upper case, as in `TAPEWORKS_<VENDOR>_URL`. */
  id: string;
  /** As people call it. */
  title: string;
  url: string;
  /** Page on which a vendor gives keys; undefined: it wants none. */
  keyUrl?: string;
  /** Requests in any window of seconds, on the plan without cost. */
  limit: Pace;
  /** After it refused for a rate it is left alone for so long, by every process. */
  restMs?: number;
  /** Under which its requests are counted, where several hosts count as one; default the host. */
  bucket?: string;
  /** Kept even where settings name another address: the vendor counts mirrors and proxies too. */
  isAlwaysPaced?: boolean;
}

const MINUTE_S = 60;
const DAY_S = 24 * 60 * MINUTE_S;

/** Both of its hosts, and all machines together, count as one. */
const sec = {
  id: 'SEC',
  title: 'the SEC',
  // It counts ten a second and shuts out for ten minutes whoever has more: eight leave room for
  // what the network holds up.
  limit: { requests: 10, windowS: 1, gapMs: 125 },
  restMs: 10 * 60_000,
  bucket: 'sec.gov',
  isAlwaysPaced: true,
} as const;

export const vendors = {
  ALPACA: {
    id: 'ALPACA',
    title: 'Alpaca',
    url: 'https://data.alpaca.markets',
    keyUrl: 'https://alpaca.markets',
    limit: { requests: 200, windowS: MINUTE_S },
  },
  MASSIVE: {
    id: 'MASSIVE',
    title: 'Massive',
    url: 'https://api.massive.com',
    keyUrl: 'https://massive.com',
    limit: { requests: 5, windowS: MINUTE_S },
  },
  TIINGO: {
    id: 'TIINGO',
    title: 'Tiingo',
    url: 'https://api.tiingo.com',
    keyUrl: 'https://www.tiingo.com',
    limit: { requests: 50, windowS: 60 * MINUTE_S },
  },
  EODHD: {
    id: 'EODHD',
    title: 'EODHD',
    url: 'https://eodhd.com',
    keyUrl: 'https://eodhd.com/register',
    limit: { requests: 20, windowS: DAY_S },
  },
  YAHOO: {
    id: 'YAHOO',
    title: 'Yahoo',
    url: 'https://query2.finance.yahoo.com',
    // A person's pace: it answers tens of symbols and then refuses for hours.
    limit: { requests: 2, windowS: 1 },
  },
  /** Any site with a feed: each has a turn of its own. */
  RSS: {
    id: 'RSS',
    title: 'the feed',
    url: 'https://feeds.finance.yahoo.com',
    limit: { requests: 1, windowS: 1 },
  },
  /** Made for its own pages: asked as a person would. */
  NASDAQ: {
    id: 'NASDAQ',
    title: 'Nasdaq',
    url: 'https://api.nasdaq.com',
    limit: { requests: 1, windowS: 1 },
  },
  CBOE: {
    id: 'CBOE',
    title: 'Cboe',
    url: 'https://cdn.cboe.com',
    limit: { requests: 2, windowS: 1 },
  },
  FINNHUB: {
    id: 'FINNHUB',
    title: 'Finnhub',
    url: 'https://finnhub.io',
    keyUrl: 'https://finnhub.io/register',
    limit: { requests: 60, windowS: MINUTE_S },
  },
  FMP: {
    id: 'FMP',
    title: 'FMP',
    url: 'https://financialmodelingprep.com',
    keyUrl: 'https://site.financialmodelingprep.com',
    limit: { requests: 250, windowS: DAY_S },
  },
  NASDAQTRADER: {
    id: 'NASDAQTRADER',
    title: 'Nasdaq Trader',
    url: 'https://www.nasdaqtrader.com',
    limit: { requests: 2, windowS: 1 },
  },
  SEC: { ...sec, url: 'https://www.sec.gov' },
  /** Its other host; the setting of its address moves both. */
  SEC_DATA: { ...sec, url: 'https://data.sec.gov' },
} as const satisfies Record<string, Vendor>;

/** The address to ask: the vendor's own, or the one that settings name. Without a final slash. */
export function baseUrl(vendor: Vendor, { vendorUrls }: VendorSettings): string {
  return (vendorUrls[vendor.id] ?? vendor.url).replace(/\/+$/, '');
}

/**
 * How often a vendor may be asked: what settings say, else its own limit. A stand-in at another
 * address has none unless settings give it one.
 */
export function paceOf(vendor: Vendor, settings: VendorSettings): Pace | undefined {
  const { vendorLimits, vendorUrls } = settings;
  const isStandIn = vendorUrls[vendor.id] !== undefined && !vendor.isAlwaysPaced;
  return vendorLimits[vendor.id] ?? (isStandIn ? undefined : vendor.limit);
}

/** Whether it answers only who has a key. */
export function isKeyed({ id }: Vendor): boolean {
  return (KEYED_VENDORS as readonly string[]).includes(id);
}
