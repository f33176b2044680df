/** Parses vendors' lists of delisted securities: FMP, Massive and Alpha Vantage. Pure. */

import { z } from 'zod';
import { MalformedInputError, ParameterError } from '../../../base/errors.ts';
import { canonicalSymbol } from '../../../base/symbols.ts';
import { dateFromDay, dayFromDate } from '../../../base/time/dates.ts';
import { isOtherKind } from '../shared/vendor-symbols.ts';
import type { RemovalFile } from './parse-removal.ts';

interface ListedEnd {
  symbol: string;
  date: string;
  title: string | null;
}

interface Layout {
  source: string;
  form: string;
  head: RegExp;
  parse(text: string): ListedEnd[];
}

const EXCHANGES = /^(NYSE|NASDAQ|AMEX|NYSE ARCA|BATS|CBOE)/i;

const fmpList = z.array(
  z.looseObject({
    symbol: z.string(),
    companyName: z.string().nullish(),
    exchange: z.string().nullish(),
    delistedDate: z.string(),
  }),
);

const massiveList = z.looseObject({
  results: z.array(
    z.looseObject({
      ticker: z.string(),
      name: z.string().nullish(),
      active: z.boolean().nullish(),
      delisted_utc: z.string().nullish(),
    }),
  ),
});

const ALPHA_VANTAGE = /^\uFEFF?symbol,name,exchange,assetType,ipoDate,delistingDate,status\s/;

const LAYOUTS: readonly Layout[] = [
  {
    source: 'fmp',
    form: 'list of FMP',
    head: /^\s*\[\s*\{[^{}]*"delistedDate"\s*:/,
    parse: (text) =>
      fmpList
        .parse(JSON.parse(text))
        .filter(({ exchange }) => EXCHANGES.test(exchange ?? ''))
        .map((one) => {
          return { symbol: one.symbol, date: one.delistedDate, title: one.companyName ?? null };
        }),
  },
  {
    source: 'massive',
    form: 'list of Massive',
    head: /^\s*\{[\s\S]*"(?:delisted_utc"\s*:|active"\s*:\s*false)/,
    parse: (text) =>
      massiveList.parse(JSON.parse(text)).results.flatMap((one) => {
        const { active, ticker: symbol, name, delisted_utc: moment } = one;
        // Midnight in New York, which is the same day in UTC.
        return active || !moment
          ? []
          : [{ symbol, date: moment.slice(0, 10), title: name ?? null }];
      }),
  },
  {
    source: 'files',
    form: 'list of Alpha Vantage',
    head: ALPHA_VANTAGE,
    parse: (text) =>
      text
        .trimEnd()
        .split(/\r?\n/)
        .slice(1)
        .flatMap((line) => {
          // Names may have commas; the other fields have none.
          const fields = line.split(',');
          const [date, status] = fields.slice(-2);
          const title = fields.slice(1, -5).join(',') || null;
          return status.trim() === 'Delisted' ? [{ symbol: fields[0], date, title }] : [];
        }),
  },
];

function layoutOf(head: string): Layout | undefined {
  return LAYOUTS.find((layout) => layout.head.test(head));
}

export function isDelistedList(head: string): boolean {
  return layoutOf(head) !== undefined;
}

/**
 * @param today Announced delistings of later days are left out.
 * @throws {MalformedInputError} the text has none of the layouts.
 */
export function parseDelistedList(
  text: string,
  name: string,
  today: number,
): Omit<RemovalFile, 'origin'> {
  const layout = layoutOf(text);
  if (!layout) throw new MalformedInputError(`"${name}" is no list of delisted securities`);
  let ends: ListedEnd[];
  try {
    ends = layout.parse(text);
  } catch (cause) {
    throw new MalformedInputError(`"${name}" is not the ${layout.form} that it seems`, { cause });
  }
  const { source, form } = layout;
  const list: Omit<RemovalFile, 'origin'> = { source, notices: [], refused: [] };
  for (const [i, { symbol, date, title }] of ends.entries()) {
    try {
      const ticker = canonicalSymbol(symbol);
      const day = dayFromDate(date);
      const id = `${source} ${ticker} ${dateFromDay(day)}`;
      const none = { cik: null, kind: null, reason: null };
      if (day <= today) list.notices.push({ id, form, ticker, day, title, ...none, source });
    } catch (error) {
      if (!(error instanceof ParameterError)) throw error;
      if (isOtherKind(symbol)) continue;
      list.refused.push({ line: i + 1, reason: error.message, text: symbol });
    }
  }
  return list;
}
