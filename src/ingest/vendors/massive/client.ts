/** Requests to Massive, whose responses come in pages. */

import type { VendorSettings } from '../../../base/config/config.ts';
import { MalformedInputError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits/limits.ts';
import { dateFromDay } from '../../../base/time/dates.ts';
import type { HttpClient } from '../../http/client.ts';
import { keyParts } from '../../http/host.ts';
import { VendorActions } from '../shared/vendor-actions.ts';
import { parseMassiveDividends, parseMassiveSplits } from './parse-actions.ts';
import { vendor } from './vendor.ts';

export type MassiveAsk = (
  path: string,
  query?: Record<string, string | number | undefined>,
) => Promise<string>;

/** @throws {ConfigError} no key is set. */
export function massiveAsk(http: Pick<HttpClient, 'get'>, settings: VendorSettings): MassiveAsk {
  const key = keyParts(vendor.host, settings);
  return async (path, query) => (await http.get({ host: vendor.host, path, ...key, query })).text;
}

/**
 * Returns the path and query of the next page. The host is left out: the address in the settings
 * stands for it, and the key goes nowhere else.
 *
 * @throws {MalformedInputError} `nextUrl` is not an address.
 */
export function pathOfPage(nextUrl: string): string {
  if (!URL.canParse(nextUrl)) {
    throw new MalformedInputError(`next_url of Massive is not an address, got "${nextUrl}"`);
  }
  const { pathname, searchParams } = new URL(nextUrl);
  searchParams.delete('apiKey');
  return `${pathname}?${searchParams}`;
}

export const ACTION_LISTS = {
  splits: { path: '/stocks/v1/splits', day: 'execution_date', parse: parseMassiveSplits },
  dividends: {
    path: '/stocks/v1/dividends',
    day: 'ex_dividend_date',
    parse: parseMassiveDividends,
  },
} as const;

export type ActionKind = keyof typeof ACTION_LISTS;

/**
 * Fetches the splits or dividends from a day on, announced ones included.
 *
 * @param tickers Tickers in Massive's spelling; undefined means the whole market.
 */
export async function askActions(
  kind: ActionKind,
  fromDay: number,
  { ask, tickers }: { ask: MassiveAsk; tickers?: readonly string[] },
): Promise<VendorActions> {
  const { path, day, parse } = ACTION_LISTS[kind];
  const actions = new VendorActions();
  let nextUrl = parse(
    await ask(path, {
      'ticker.any_of': tickers?.join(','),
      [`${day}.gte`]: dateFromDay(fromDay),
      sort: `${day}.asc`,
      limit: limits.massive.actionsPerPage,
    }),
    actions,
  );
  while (nextUrl !== undefined) nextUrl = parse(await ask(pathOfPage(nextUrl)), actions);
  return actions;
}
