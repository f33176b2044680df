/** Parses Nasdaq Trader's symbol directories. A file without its last line was cut short. */

import { MalformedInputError, ParameterError } from '../../../base/errors.ts';
import { canonicalSymbol } from '../../../base/symbols.ts';
import { momentFromNewYorkClock } from '../../../base/time/calendar.ts';
import { adsRatioFromName } from '../../directory/ads-ratio.ts';
import {
  type ListedSecurity,
  type ParsedListing,
  VENUES,
  type Venue,
} from '../../directory/listed-security.ts';
import { companyFromSecurity, type SecurityType } from '../../directory/security-name.ts';

interface Layout {
  symbol: string;
  name: string;
  etf: string;
  testIssue: string;
  /** Column of the exchange; undefined where all are listed on Nasdaq. */
  exchange?: string;
}

const COMMON = { name: 'Security Name', etf: 'ETF', testIssue: 'Test Issue' };

/** The two files, by the start of their header. */
const LAYOUTS: Readonly<Record<string, Layout>> = {
  'Symbol|': { ...COMMON, symbol: 'Symbol' },
  // Of the three spellings of a symbol, this one keeps all marks.
  'ACT Symbol|': { ...COMMON, symbol: 'NASDAQ Symbol', exchange: 'Exchange' },
};

const VENUE_BY_CODE = new Map<string, Venue>([
  ['A', 'NYSE American'],
  ['F', 'Texas Stock Exchange'],
  ['M', 'NYSE Texas'],
  ['N', 'NYSE'],
  ['P', 'NYSE Arca'],
  ['Z', 'Cboe BZX'],
  ['V', 'IEX'],
]);

/** Month, day, year, hour and minute on New York's clocks. */
const FOOTER = /^File Creation Time: (\d{2})(\d{2})(\d{4})(\d{2}):(\d{2})\|*$/;

function layoutOf(head: string): Layout | undefined {
  const start = Object.keys(LAYOUTS).find((text) => head.startsWith(text));
  return start === undefined ? undefined : LAYOUTS[start];
}

export function isNasdaqTrader(head: string): boolean {
  return layoutOf(head) !== undefined;
}

/**
 * Parses securities; test issues are counted and left out.
 * @throws {MalformedInputError} the header is unknown, or the footer is missing.
 */
export function parseNasdaqTrader(text: string, name: string): ParsedListing {
  const lines = text.trimEnd().split(/\r?\n/);
  const header = lines[0].split('|');
  const columns = columnsOf(header, layoutOf(text), name);
  const createdMs = createdMsFromFooter(lines[lines.length - 1], name);
  const listing: ParsedListing = { securities: [], testIssues: 0, refused: [], createdMs };
  for (let i = 1; i < lines.length - 1; i++) {
    const fields = lines[i].split('|');
    try {
      if (fields.length !== header.length) {
        throw new ParameterError('line', `line has ${fields.length} fields, not ${header.length}`);
      }
      if (fields[columns.testIssue] === 'Y') listing.testIssues++;
      else listing.securities.push(securityFromFields(fields, columns));
    } catch (error) {
      if (!(error instanceof ParameterError)) throw error;
      listing.refused.push({ line: i + 1, reason: error.message, text: lines[i] });
    }
  }
  return listing;
}

type Columns = { [Meaning in keyof Layout]: number };

function columnsOf(header: string[], layout: Layout | undefined, name: string): Columns {
  if (!layout) throw new MalformedInputError(`"${name}" has not the header of a symbol directory`);
  const places = Object.entries(layout).map(([meaning, title]) => {
    const place = header.indexOf(title);
    if (place < 0) throw new MalformedInputError(`"${name}" has no column "${title}"`);
    return [meaning, place];
  });
  return Object.fromEntries(places);
}

function createdMsFromFooter(line: string, name: string): number {
  const match = FOOTER.exec(line);
  if (!match) {
    throw new MalformedInputError(`"${name}" does not end in its creation time: it was cut short`);
  }
  const [month, day, year, hour, minute] = match.slice(1).map(Number);
  return momentFromNewYorkClock(Date.UTC(year, month - 1, day, hour, minute));
}

const CLASS_WORDS = /\b(common|ordinary|capital|stock|shares?|units?|interests?)\b/i;

/** Returns what a name says of the shares for which its security stands. */
function statedRatio(name: string, type: SecurityType): number | null | undefined {
  if (type !== 'adr' && type !== 'stock') return undefined;
  const ratio = adsRatioFromName(name);
  return ratio === undefined && type === 'stock' && !CLASS_WORDS.test(name) ? null : ratio;
}

/** Parses a line; an unknown exchange is null. @throws {ParameterError} the symbol is unknown. */
function securityFromFields(fields: string[], columns: Columns): ListedSecurity {
  const symbol = canonicalSymbol(fields[columns.symbol], 'nasdaq');
  // A new market's letter must not drop its securities.
  const venue =
    columns.exchange === undefined
      ? 'Nasdaq'
      : (VENUE_BY_CODE.get(fields[columns.exchange]) ?? null);
  const named = companyFromSecurity(fields[columns.name], symbol, fields[columns.etf] === 'Y');
  const adsRatio = statedRatio(fields[columns.name], named.type);
  return {
    symbol,
    ...named,
    ...(adsRatio !== undefined && { adsRatio }),
    exchange: venue && VENUES[venue],
    venue,
    cik: null,
    source: 'nasdaqtrader',
  };
}
