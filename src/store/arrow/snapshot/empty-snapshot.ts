/** The snapshot before the first publish. */

import { blankBars } from '../../../base/bars.ts';
import { CompanyFiguresReader } from '../figures/company-figures.ts';
import { RowSelection } from '../lists/row-selection.ts';
import { ServedList } from '../lists/served-list.ts';
import { LIST_SPECS } from '../lists/specs.ts';
import { directoryColumns } from './directory-table.ts';
import { quoteColumns } from './quote.ts';
import { screenerTable } from './screener-table.ts';
import type { Snapshot } from './snapshot.ts';

const ID = 'empty';

const noListings = directoryColumns([]);

const noScreener = screenerTable({
  id: ID,
  names: [],
  quotes: quoteColumns([]),
  listings: noListings,
});

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
  indicatorColumns: [],
  barDays: () => undefined,
  series: () => undefined,
  quote: () => undefined,
  list: (name) => new ServedList(LIST_SPECS[name].order, []),
  news: (keys, filter) => new RowSelection(LIST_SPECS.news.order, [], keys, filter),
  article: () => undefined,
  figures: new CompanyFiguresReader('', []),
  listings: noListings,
  screener: () => noScreener,
};
