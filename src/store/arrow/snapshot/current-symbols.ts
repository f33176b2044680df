/** Resolves names of securities, present and former. */

import { dateFromDay, dayFromDate } from '../../../base/time/dates.ts';
import { NULL_INT } from '../format/batch-layout.ts';
import type { Listings } from './snapshot.ts';

export interface FormerTicker {
  ticker: string;
  /** Last day under the ticker, `YYYY-MM-DD`. */
  lastDate: string;
}

/** Returns the tickers that a listed security had before, by the day it left them. */
export function formerTickersOf(listings: Listings, row: number): FormerTicker[] {
  const text = listings.formerTickers[row];
  if (text === '') return [];
  return text.split(',').map((part) => {
    const [ticker, lastDate] = part.split(' ');
    return { ticker, lastDate };
  });
}

/** End of a symbol whose ticker another security has; those of classes and units have letters. */
const ENDED = /\.\d{6,8}$/;

/** Returns the ticker that a listed security had on a day. */
export function tickerOn(listings: Listings, row: number, day: number): string {
  const isRenamed = listings.formerTickers[row] !== '';
  return isRenamed ? tickerOnDate(listings, row, dateFromDay(day)) : listings.symbol[row];
}

/** Dates as texts: to check each would take most of the time of a universe. */
function tickerOnDate(listings: Listings, row: number, date: string): string {
  let left = '';
  for (const part of listings.formerTickers[row].split(',')) {
    const end = part.indexOf(' ');
    left = part.slice(0, end);
    if (date <= part.slice(end + 1)) return left;
  }
  // A delisted one whose ticker was taken has a month behind it: `XYZ.201512`.
  const symbol = listings.symbol[row];
  return symbol.startsWith(`${left}.`) && ENDED.test(symbol) ? left : symbol;
}

/** Name and market of a security; null is unknown. */
export interface CompanyName {
  companyName: string | null;
  exchange: string | null;
}

/** A name that a security had, up to its last day. */
interface FormerName extends CompanyName {
  lastDay: number;
}

type StoredName = [companyName: string | null, exchange: string | null, venue: unknown, to: string];

/** By directory, the former names that were asked for: to parse them is most of an answer's time. */
const parsedNames = new WeakMap<Listings, Map<number, FormerName[]>>();

function formerNamesOf(listings: Listings, row: number): FormerName[] {
  const parsed = parsedNames.get(listings) ?? new Map<number, FormerName[]>();
  parsedNames.set(listings, parsed);
  let names = parsed.get(row);
  if (!names) {
    names = (JSON.parse(listings.formerNames[row]) as StoredName[]).map(
      ([companyName, exchange, , lastDate]) => ({
        ...{ companyName, exchange, lastDay: dayFromDate(lastDate) },
      }),
    );
    parsed.set(row, names);
  }
  return names;
}

/** Returns the name and market that a listed security had on a day; those of today without a day. */
export function companyOn(listings: Listings, row: number, day?: number): CompanyName {
  if (day !== undefined && listings.formerNames[row] !== '') {
    const then = formerNamesOf(listings, row).find(({ lastDay }) => day <= lastDay);
    if (then) return { companyName: then.companyName, exchange: then.exchange };
  }
  return {
    companyName: listings.companyName[row] || null,
    exchange: listings.exchange[row] || null,
  };
}

/** Returns the last days of the former tickers and names of a listed security. */
export function lastDaysOfNames(listings: Listings, row: number): number[] {
  const tickers = formerTickersOf(listings, row).map(({ lastDate }) => dayFromDate(lastDate));
  if (listings.formerNames[row] === '') return tickers;
  return [...tickers, ...formerNamesOf(listings, row).map(({ lastDay }) => lastDay)];
}

/** Returns the columns of names and exchanges as of a day. */
export function companiesOn(
  listings: Listings,
  day: number,
): Pick<Listings, 'companyName' | 'exchange'> {
  const [companyName, exchange] = [[...listings.companyName], [...listings.exchange]];
  for (const [row, former] of listings.formerNames.entries()) {
    if (former === '') continue;
    const then = companyOn(listings, row, day);
    companyName[row] = then.companyName ?? '';
    exchange[row] = then.exchange ?? '';
  }
  return { companyName, exchange };
}

/**
 * Returns the names of securities on a day, each once: the tickers that they had then.
 *
 * @param symbols Present ones, each once.
 * @param rows Their directory rows; undefined without one.
 */
export function namesOn(listings: Listings, securities: Securities, day: number): string[] {
  const { symbols, rows } = securities;
  const date = dateFromDay(day);
  const names = symbols.map((symbol, i) => {
    const row = rows[i];
    const isRenamed = row !== undefined && listings.formerTickers[row] !== '';
    return isRenamed ? tickerOnDate(listings, row, date) : symbol;
  });
  keepApart(listings, names, securities, day);
  return names;
}

interface Securities {
  symbols: readonly string[];
  rows: readonly (number | undefined)[];
}

/**
 * Gives its present symbol to a security that had ended and shares its ticker. So have all that
 * still share one, because the history of one of them is not complete.
 *
 * @param names Tickers of the day.
 */
export function keepApart(
  { delistedOn }: Listings,
  names: string[],
  { symbols, rows }: Securities,
  day: number,
): void {
  const former = new Set(names.filter((name, i) => name !== symbols[i]));
  const hasEnded = (row: number | undefined) =>
    row !== undefined && delistedOn[row] !== NULL_INT && delistedOn[row] < day;
  let shared = sharedNames(names, former);
  for (let isFirst = true; shared.length > 0; isFirst = false) {
    for (const i of shared) if (!isFirst || hasEnded(rows[i])) names[i] = symbols[i];
    shared = sharedNames(names, former);
  }
}

/** Returns the places of names that several have: one of them is a former one, so few are looked at. */
function sharedNames(names: readonly string[], former: ReadonlySet<string>): number[] {
  if (former.size === 0) return [];
  const places = new Map<string, number[]>();
  for (const [i, name] of names.entries()) {
    if (!former.has(name)) continue;
    const known = places.get(name);
    if (known) known.push(i);
    else places.set(name, [i]);
  }
  return [...places.values()].filter((of) => of.length > 1).flat();
}

/**
 * Returns the directory row of every name, present or former. A present symbol means itself; a
 * former ticker means the security that had it last.
 */
export function rowsByName(listings: Listings): Map<string, number> {
  const rows = new Map<string, number>();
  const leftOn = new Map<string, string>();
  for (const row of listings.symbol.keys()) {
    for (const { ticker, lastDate } of formerTickersOf(listings, row)) {
      if (lastDate <= (leftOn.get(ticker) ?? '')) continue;
      leftOn.set(ticker, lastDate);
      rows.set(ticker, row);
    }
  }
  for (const [row, symbol] of listings.symbol.entries()) rows.set(symbol, row);
  return rows;
}
