/** `GET /svc/symbols/{symbol}`: what is known about one symbol, and which bars it has. */

import type { z } from 'zod';
import { dateFromDay, dayFromMillis } from '../../../base/time/dates.ts';
import { INTERVALS, isDailyInterval } from '../../../base/time/intervals.ts';
import { defaultBasis, derivableBases } from '../../../compute/bars/adjust.ts';
import { NULL_INT } from '../../../store/arrow/format/batch-layout.ts';
import { formerTickersOf } from '../../../store/arrow/snapshot/current-symbols.ts';
import type { Snapshot, SymbolInfo } from '../../../store/arrow/snapshot/snapshot.ts';
import type { Route } from '../../contract/route.ts';
import { noQuery, ofSymbol } from '../../contract/symbol-route.ts';
import { CONTENT_TYPES } from '../../http/format.ts';
import { symbolPath } from '../../http/query-fields.ts';
import { createResponse } from '../../http/response.ts';
import { intradayBase } from '../candles/intraday-series.ts';
import { SYMBOL_DATASETS, symbolDetailsExample, symbolDetailsSchema } from './details-schema.ts';

type SymbolDetails = z.infer<typeof symbolDetailsSchema>;

function dateOf(us: bigint): string {
  return dateFromDay(dayFromMillis(Number(us / 1000n)));
}

function intervalRow(
  interval: SymbolDetails['intervals'][number]['interval'],
  info: SymbolInfo,
): SymbolDetails['intervals'][number] {
  return {
    interval,
    firstBar: dateOf(info.firstBarUs),
    lastBar: dateOf(info.lastBarUs),
    source: info.source,
    adjustments: derivableBases(info),
    defaultAdjustment: defaultBasis(info),
  };
}

function detailsOf(snapshot: Snapshot, symbol: string): SymbolDetails {
  const { listings } = snapshot;
  const row = listings.symbol.indexOf(symbol);
  const text = (column: 'companyName' | 'exchange' | 'type' | 'country' | 'sector' | 'industry') =>
    listings[column][row] || null;
  const intervals = INTERVALS.flatMap((interval) => {
    const info = isDailyInterval(interval)
      ? snapshot.symbol(symbol)
      : intradayBase(snapshot, symbol, interval)?.info;
    return info ? [intervalRow(interval, info)] : [];
  });
  const cik = listings.cik[row];
  const delistedOn = listings.delistedOn[row];
  return {
    symbol,
    companyName: text('companyName'),
    exchange: text('exchange') as SymbolDetails['exchange'],
    type: text('type'),
    country: text('country'),
    sector: text('sector'),
    industry: text('industry'),
    cik: Number.isFinite(cik) ? cik : null,
    delistedOn: delistedOn === NULL_INT ? null : dateFromDay(delistedOn),
    delistedReason: listings.delistedReason[row] || null,
    successor: listings.successor[row] || null,
    parent: listings.parent[row] || null,
    formerTickers: formerTickersOf(listings, row),
    intervals,
    datasets: SYMBOL_DATASETS.filter((name) => snapshot.list(name, symbol).count > 0),
  };
}

export const symbolDetails: Route = {
  template: '/svc/symbols/{symbol}',
  access: { scope: 'quotes:read', tokens: 1 },
  contract: {
    operationId: 'getSymbol',
    tag: 'Symbols',
    summary: 'Get a symbol',
    description:
      'Returns the facts about a listed security, the intervals that have bars, and the ' +
      'datasets that have rows. An interval has the days of its first and newest bar and the ' +
      'adjustments that it can be given in.',
    path: symbolPath,
    response: symbolDetailsSchema,
    isTagged: true,
    errors: { 404: 'Unknown symbol "NONE" in sandbox data' },
    examples: [symbolDetailsExample],
  },
  respond: ofSymbol(noQuery, ({ mode, snapshot, symbol }, _, { cached }) =>
    cached(mode, snapshot.id, `symbol ${symbol}`, () =>
      createResponse(200, CONTENT_TYPES.json, JSON.stringify(detailsOf(snapshot, symbol))),
    ),
  ),
};
