/** What is published before anything is published. */

import { blankBars } from '../../../base/bars.ts';
import { RowSelection } from '../lists/row-selection.ts';
import { ServedList } from '../lists/served-list.ts';
import { LIST_SPECS } from '../lists/specs.ts';
import type { Listings, ScreenerTable, Snapshot } from './snapshot.ts';

const ID = 'empty';

const noListings: Listings = {
  symbol: [],
  companyName: [],
  exchange: [],
  venue: [],
  type: [],
  cik: new Float64Array(0),
  country: [],
  sector: [],
  industry: [],
  source: [],
  formerTickers: [],
  delistedOn: new Int32Array(0),
  securityId: new Uint32Array(0),
};

const noScreener: ScreenerTable = {
  id: ID,
  symbols: [],
  companyNames: [],
  texts: { sector: [null], industry: [null], country: [null], exchange: [null] },
  columns: {
    price: new Float64Array(0),
    changePct: new Float64Array(0),
    volume: new Float64Array(0),
    rsi14: new Float64Array(0),
    marketCap: new Float64Array(0),
    peRatio: new Float64Array(0),
    dividendYield: new Float64Array(0),
    sector: new Uint16Array(0),
    industry: new Uint16Array(0),
    country: new Uint16Array(0),
    exchange: new Uint16Array(0),
    lastBarDay: new Int32Array(0),
  },
};

export const emptySnapshot: Snapshot = {
  id: ID,
  dailyId: ID,
  listsId: ID,
  createdMs: 0,
  symbols: [],
  resolve: () => undefined,
  symbol: () => undefined,
  intraday: () => undefined,
  rowCount: () => 0,
  rowAt: () => 0,
  bars: () => blankBars(0),
  copyBars: () => undefined,
  indicators: (_symbol, _interval, columns) => columns.map(() => new Float64Array(0)),
  quote: () => undefined,
  list: (name) => new ServedList(LIST_SPECS[name].order, []),
  news: (keys, filter) => new RowSelection(LIST_SPECS.news.order, [], keys, filter),
  article: () => undefined,
  listings: noListings,
  screener: () => noScreener,
  *makingScreener() {
    yield;
    return noScreener;
  },
};
