/**
 * Paths of Massive's REST API, so that its clients read this data after a change of the address.
 * docs/massive.md lists what differs.
 */

import type { Adapter } from '../contract/adapter.ts';
import { parametersFromQuery } from '../http/query.ts';
import { ACTION_LISTS, actions } from './actions.ts';
import { grouped, openClose, previous, range } from './aggregates.ts';
import { INDICATOR_NAMES, indicator } from './indicators.ts';
import { failed, type Read } from './protocol.ts';
import { tickerDetails, tickers } from './reference.ts';

/** @param now Milliseconds since the epoch. */
export function massiveAdapters(now: () => number): Adapter[] {
  const paths: Record<string, Read> = {
    '/v2/aggs/ticker/:ticker/range/:multiplier/:timespan/:from/:to': range,
    '/v2/aggs/grouped/locale/us/market/stocks/:date': grouped,
    '/v2/aggs/ticker/:ticker/prev': (context, parameters, call) =>
      previous(context, parameters, call, now()),
    '/v1/open-close/:ticker/:date': openClose,
    '/v3/reference/tickers': tickers,
    '/v3/reference/tickers/:ticker': tickerDetails,
  };
  for (const list of ACTION_LISTS) {
    paths[list.path] = (context, parameters, call) => actions(context, parameters, call, list);
  }
  for (const name of INDICATOR_NAMES) {
    paths[`/v1/indicators/${name}/:ticker`] = (context, parameters, call) =>
      indicator(name, context, parameters, call);
  }
  return Object.entries(paths).map(([path, read]) => ({
    path,
    keyParameter: 'apiKey',
    failed,
    respond(context, call) {
      // Massive's own client repeats values of the path in the query.
      const given = Object.entries(parametersFromQuery(context.query));
      // Some clients send every parameter that they know, most of them empty.
      const parameters = given.filter(
        ([name, value]) => value !== '' && context.params[name] !== value,
      );
      return read(context, Object.fromEntries(parameters), call);
    },
  }));
}
