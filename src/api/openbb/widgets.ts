/** `/widgets.json`: widgets of OpenBB Workspace over this data; `/openbb/…`: the rows of each. */

import {
  listedName,
  pascalCase,
  type StatementView,
  statementViews,
} from '../../base/datasets/statement.ts';
import {
  type FieldUnit,
  fieldTitle,
  quoteField,
  SCREENER_ROW,
  type ScreenerNumber,
} from '../../base/fields.ts';
import type { Adapter, CallRoute } from '../contract/adapter.ts';
import type { PublicRoute } from '../contract/route.ts';
import { parametersFromQuery } from '../http/query.ts';
import { jsonResponse } from '../http/response.ts';

type Row = Record<string, unknown>;
type Values = Readonly<Record<string, string>>;

interface Parameter {
  paramName: string;
  label: string;
  description: string;
  type: 'ticker' | 'text' | 'number';
  value: string | number;
  options?: readonly { label: string; value: string }[];
}

interface Column {
  field: string;
  headerName: string;
  cellDataType?: 'text' | 'number' | 'dateString';
  formatterFn?: 'int' | 'none' | 'percent' | 'normalizedPercent';
  renderFn?: 'greenRed';
  pinned?: 'left';
}

interface Widget {
  name: string;
  description: string;
  type: 'table' | 'metric' | 'newsfeed' | 'advanced_charting';
  subCategory: string;
  gridData: { w: number; h: number };
  params: readonly Parameter[];
  /** Columns of a table whose numbers need a unit; the Workspace finds the others. */
  columns?: readonly Column[];
  rows(call: CallRoute, values: Values): Promise<Row[]>;
}

const symbol: Parameter = {
  paramName: 'symbol',
  label: 'Symbol',
  description: 'Ticker of a US stock or ETF',
  type: 'ticker',
  value: 'AAPL',
};

const rowCount: Parameter = {
  paramName: 'limit',
  label: 'Rows',
  description: 'Number of rows, at most 200',
  type: 'number',
  value: 100,
};

function choice(paramName: string, label: string, values: readonly string[]): Parameter {
  const options = values.map((value) => ({ label: value, value }));
  return { paramName, label, description: label, type: 'text', value: values[0], options };
}

function text(paramName: string, label: string, description: string, value: string): Parameter {
  return { paramName, label, description, type: 'text', value };
}

/** Returns the rows of an operation whose response has them in `data`. */
function rowsOf(operationId: string) {
  return async (call: CallRoute, values: Values): Promise<Row[]> =>
    (await call(operationId, values)).data;
}

/** Puts values of further columns of a screen beside the fields. */
function flat({ columns, ...row }: Row): Row {
  return { ...row, ...(columns as Row | undefined) };
}

function money(value: unknown): string {
  if (typeof value !== 'number') return 'unknown';
  const isCents = Math.abs(value) >= 1;
  return `$${value.toLocaleString('en-US', isCents ? {} : { maximumSignificantDigits: 4 })}`;
}

async function quoteMetrics(call: CallRoute, values: Values): Promise<Row[]> {
  const { price, changePct, previousClose, volume, marketCap } = await call('getQuote', values);
  return [
    {
      label: 'Price',
      value: money(price),
      ...(changePct === null ? {} : { delta: `${changePct}` }),
    },
    { label: 'Previous close', value: money(previousClose) },
    { label: 'Volume', value: Number(volume).toLocaleString('en-US') },
    { label: 'Market cap', value: money(marketCap) },
  ];
}

/** Returns the bars of a symbol with the values of indicators beside them, newest first. */
async function barsWithIndicators(call: CallRoute, values: Values): Promise<Row[]> {
  const { candles, indicators } = await call('getTechnical', values);
  const byTime = new Map<string, Row>(
    candles.map((bar: Row) => [bar.timestamp as string, { ...bar }]),
  );
  for (const [name, points] of Object.entries<Row[]>(indicators)) {
    for (const { timestamp, value, ...others } of points) {
      const row = byTime.get(timestamp as string);
      if (!row) continue;
      row[name] = value;
      for (const [output, number] of Object.entries(others)) row[`${name}_${output}`] = number;
    }
  }
  return [...byTime.values()].reverse();
}

async function articles(call: CallRoute, { symbol: of, ...values }: Values): Promise<Row[]> {
  const { data } = of
    ? await call('listNewsOfSymbol', { ...values, symbol: of })
    : await call('listNews', values);
  return data.map(({ title, publishedAt, source, summary, url }: Row) => ({
    title,
    date: publishedAt,
    author: source,
    excerpt: summary ?? '',
    body: `${summary ?? ''}\n\n${url}`,
  }));
}

const FORMATTERS: Readonly<Partial<Record<FieldUnit, Column['formatterFn']>>> = {
  ...{ price: 'none', percent: 'percent', fraction: 'normalizedPercent' },
  ...{ usd: 'int', shares: 'int' },
};

function numberColumn(field: ScreenerNumber): Column {
  const unit = quoteField(field).unit!;
  const formatterFn = FORMATTERS[unit];
  const title = fieldTitle(field)!;
  return {
    field,
    headerName: unit === 'usd' ? `${title}, USD` : title,
    cellDataType: 'number',
    ...(formatterFn && { formatterFn }),
    ...(unit === 'percent' && { renderFn: 'greenRed' }),
  };
}

function statementWidget(dataset: StatementView): [id: string, Widget] {
  const { noun } = dataset.statement;
  const name = `${noun[0].toUpperCase()}${noun.slice(1)}s`;
  const listed = listedName(dataset);
  return [
    listed.replaceAll(' ', '_'),
    {
      name,
      description: `${name} of a company from its filings, in USD`,
      type: 'table',
      subCategory: 'Fundamentals',
      gridData: { w: 40, h: 12 },
      params: [symbol, choice('period', 'Period', ['annual', 'quarterly'])],
      rows: rowsOf(`list${pascalCase(listed)}`),
    },
  ];
}

const WIDGETS: Readonly<Record<string, Widget>> = {
  quote: {
    name: 'Quote',
    description: 'Newest price of a symbol, its change in percent, volume and market cap in USD',
    type: 'metric',
    subCategory: 'Prices',
    gridData: { w: 20, h: 5 },
    params: [symbol],
    rows: quoteMetrics,
  },
  bars: {
    name: 'Bars with indicators',
    description: 'Bars of a symbol with any indicators of the catalogue, such as rsi:14,sma:200',
    type: 'table',
    subCategory: 'Prices',
    gridData: { w: 40, h: 14 },
    params: [
      symbol,
      text('indicators', 'Indicators', 'Comma-separated', 'sma:50,rsi:14'),
      choice('interval', 'Interval', ['1d', '1w', '1M', '1h', '15m', '5m', '1m']),
      rowCount,
    ],
    rows: barsWithIndicators,
  },
  screener: {
    name: 'Screener',
    description:
      'Symbols for which a condition holds, such as rsi(14) < 30 and close > sma(200). ' +
      'Market cap is in USD, the change in percent',
    type: 'table',
    subCategory: 'Screens',
    gridData: { w: 40, h: 16 },
    params: [
      text('where', 'Condition', 'In the language of screens', 'rsi(14) < 30'),
      text('columns', 'Columns', 'Further expressions, comma-separated', 'rsi(14)'),
      text('sort', 'Sort by', 'A field or an expression', 'market_cap'),
      { ...rowCount, value: 200 },
    ],
    columns: [
      { field: 'symbol', headerName: 'Symbol', cellDataType: 'text', pinned: 'left' },
      { field: 'companyName', headerName: 'Company', cellDataType: 'text' },
      ...SCREENER_ROW.flatMap((field) => (field.isText ? [] : [numberColumn(field.name)])),
    ],
    rows: async (call, values) => (await rowsOf('getScreener')(call, values)).map(flat),
  },
  ...Object.fromEntries(statementViews.map(statementWidget)),
  insider: {
    name: 'Insider transactions',
    description: 'Transactions of insiders from Form 4, newest first; prices and values in USD',
    type: 'table',
    subCategory: 'Ownership',
    gridData: { w: 40, h: 12 },
    params: [symbol, rowCount],
    rows: rowsOf('listInsiderTransactions'),
  },
  corporate_actions: {
    name: 'Splits and dividends',
    description:
      'Splits and dividends of a symbol, newest first; amounts a share, with their currency',
    type: 'table',
    subCategory: 'Prices',
    gridData: { w: 20, h: 12 },
    params: [symbol],
    rows: rowsOf('listCorporateActions'),
  },
  news: {
    name: 'News',
    description: 'Articles about a symbol, or all without one. The texts are those of the feeds',
    type: 'newsfeed',
    subCategory: 'News',
    gridData: { w: 20, h: 16 },
    params: [symbol, { ...rowCount, value: 50 }],
    rows: articles,
  },
};

/** Descriptions of the widgets, by id. */
const described = Object.fromEntries([
  [
    'chart',
    {
      name: 'Chart',
      description: 'Candles of any symbol, by TradingView',
      category: 'Tapeworks',
      subCategory: 'Prices',
      type: 'advanced_charting',
      endpoint: '/udf',
      gridData: { w: 40, h: 20 },
      data: { defaultSymbol: symbol.value },
      source: ['Tapeworks'],
    },
  ],
  ...Object.entries(WIDGETS).map(([id, { rows: _rows, columns, ...widget }]) => {
    const table = columns ? { table: { showAll: true, columnsDefs: columns } } : undefined;
    const fixed = { category: 'Tapeworks', endpoint: `/openbb/${id}`, source: ['Tapeworks'] };
    return [id, { ...widget, ...fixed, ...(table ? { data: table } : {}) }];
  }),
]);

/** Needs no key: it says nothing about the data. */
export const widgetsRoute: PublicRoute = {
  path: '/widgets.json',
  respond: () => jsonResponse(200, described, ['Cache-Control', 'no-cache']),
};

export const widgetAdapters = Object.entries(WIDGETS).map(
  ([id, { rows }]): Adapter => ({
    path: `/openbb/${id}`,
    async respond({ query }, call) {
      const given = Object.entries(parametersFromQuery(query)).filter(([, value]) => value !== '');
      return jsonResponse(200, await rows(call, Object.fromEntries(given)));
    },
  }),
);
