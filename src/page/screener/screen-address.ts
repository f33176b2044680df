/** The screen in the page's address. Its parameters are the API's, but `columns` lists all columns. */

import { SCREENER_FILTERS, SCREENER_ROW, SCREENER_TEXTS } from '../../base/fields.ts';
import { trimmedList } from '../../base/split-list.ts';
import type { Query } from '../state/request.ts';

export const DEFAULT_COLUMNS: readonly string[] = [
  ...['company_name', 'trend'],
  ...SCREENER_ROW.flatMap(({ name, isText }) =>
    isText ? [] : SCREENER_FILTERS.filter(({ column }) => column === name).map((one) => one.name),
  ),
  'sector',
];

/** Columns that every row has, so that a request need not name them. */
export const ROW_COLUMNS: ReadonlySet<string> = new Set([...DEFAULT_COLUMNS, 'industry']);

/** Parameters that restrict a screen apart from its condition, in the order of the form. */
export const FILTER_NAMES: readonly string[] = [
  ...SCREENER_FILTERS.flatMap(({ name, max }) =>
    max === undefined ? [`${name}_min`] : [`${name}_min`, `${name}_max`],
  ),
  ...SCREENER_TEXTS,
  'active_since',
  'symbols',
];

export interface Screen {
  where: string;
  /** Names of row columns, `trend`, and expressions, in the order shown. */
  columns: readonly string[];
  sort: string;
  order: 'asc' | 'desc';
  /** A past day, `YYYY-MM-DD`; undefined shows the newest bars. */
  asOf: string | undefined;
  filters: Readonly<Record<string, string>>;
}

export function screenFromAddress(query: string): Screen {
  const params = new URLSearchParams(query);
  const columns = trimmedList(params.get('columns') ?? '');
  const given = FILTER_NAMES.map((name) => [name, params.get(name) ?? ''] as const);
  return {
    where: params.get('where')?.trim() ?? '',
    columns: columns.length > 0 ? columns : DEFAULT_COLUMNS,
    sort: params.get('sort') ?? 'market_cap',
    order: params.get('order') === 'asc' ? 'asc' : 'desc',
    asOf: params.get('as_of') ?? undefined,
    filters: Object.fromEntries(given.filter(([, value]) => value !== '')),
  };
}

/** Returns the part of the API's query that a saved screen has: what matches, and how it is shown. */
export function savedQuery({ where, columns, sort, order, filters }: Screen): Query {
  const expressions = columns.filter((column) => !ROW_COLUMNS.has(column));
  return {
    where: where || undefined,
    ...filters,
    columns: expressions.length > 0 ? expressions.join(', ') : undefined,
    sort: sort === 'market_cap' ? undefined : sort,
    order: order === 'desc' ? undefined : order,
  };
}

/** Returns the API's query of the whole screen. */
export function screenQuery(screen: Screen): Query {
  return { ...savedQuery(screen), as_of: screen.asOf };
}

/** Returns the change of the address that shows the query of a saved screen. */
export function addressOfQuery(query: string): Record<string, string | undefined> {
  const params = new URLSearchParams(query);
  const columns = params.get('columns');
  const names = ['where', 'sort', 'order', ...FILTER_NAMES];
  return {
    view: 'screener',
    ...Object.fromEntries(names.map((name) => [name, params.get(name) ?? undefined])),
    columns: columns === null ? undefined : [...DEFAULT_COLUMNS, ...trimmedList(columns)].join(','),
  };
}
