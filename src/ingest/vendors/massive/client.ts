import { MalformedInputError } from '../../../base/errors.ts';
import { dateFromDay } from '../../../base/time/dates.ts';
import type { Ask } from '../shared/ask.ts';
import { VendorActions } from '../shared/vendor-actions.ts';
import { massiveLimits } from './limits.ts';
import { parseMassiveDividends, parseMassiveSplits } from './parse-actions.ts';

/** Returns the path and query of the next page, without the host: the key goes nowhere else. */
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

/** Fetches the splits or dividends from a day on, announced ones included; by default of all. */
export async function askActions(
  kind: ActionKind,
  fromDay: number,
  { ask, tickers }: { ask: Ask; tickers?: readonly string[] },
): Promise<VendorActions> {
  const { path, day, parse } = ACTION_LISTS[kind];
  const actions = new VendorActions();
  let nextUrl = parse(
    await ask(path, {
      'ticker.any_of': tickers?.join(','),
      [`${day}.gte`]: dateFromDay(fromDay),
      sort: `${day}.asc`,
      limit: massiveLimits.actionsPerPage,
    }),
    actions,
  );
  while (nextUrl !== undefined) nextUrl = parse(await ask(pathOfPage(nextUrl)), actions);
  return actions;
}
