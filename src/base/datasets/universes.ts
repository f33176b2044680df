/** Datasets of users' own facts: members of indexes and lists by day, and own columns of screens. */

import { dateFromDay } from '../time/dates.ts';
import { optional, required, symbol } from './columns.ts';
import type { Dataset, DatasetRow } from './dataset.ts';

/** Universes that follow from bars alone. */
export const BAR_UNIVERSES = ['all', 'active'] as const;

/** Names of universes and of own columns. */
export const OWN_NAME = /^[a-z][a-z0-9_]{0,39}$/;

/** Returns the name of a universe: `S&P 500` is `sp500`, `Nasdaq-100` is `nasdaq100`. */
export function universeName(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9_]/g, '');
}

export const members = {
  name: 'members',
  title: 'Members of indexes and lists',
  table: 'members',
  since: 13,
  path: 'universes',
  scope: 'quotes:read',
  list: { order: 'oldest', isOfAll: true },
  columns: [
    required('index', 'text', 'the index or list; its name in requests is lower-case', 'sp500'),
    optional('title', 'text', 'name to show; default `index` as written', 'S&P 500'),
    symbol(['AAPL', 'GMCR', 'XRX']),
    optional('from', 'date', 'first day as a member', ['1982-11-30', '2014-03-21', '1957-03-04']),
    optional('to', 'date', 'last day as a member; empty for a member of today', [
      ...['', '2016-03-04', '2020-08-31'],
    ]),
    optional('date', 'date', 'instead of both: the day of a list of all members', ''),
  ],
  key: ['index', 'symbol', 'from'],
  time: 'from',
  whole: 'date',
  complete(row: DatasetRow) {
    if (typeof row.index === 'string') {
      row.title ??= row.index;
      row.index = universeName(row.index);
    }
    row.from ??= row.date;
  },
  conflict({ index, from, to, date }: DatasetRow) {
    if (!OWN_NAME.test(String(index)))
      return 'index is not a letter and up to 39 letters or digits';
    if (BAR_UNIVERSES.some((name) => name === index)) return `index ${index} follows from the bars`;
    if (from === null) return 'from is missing: a row has from, or the date of a list';
    if (date !== null && (to !== null || from !== date)) return 'date can’t stand with from or to';
    if (to === null || Number(to) >= Number(from)) return undefined;
    return `to ${dateFromDay(Number(to))} lies before from ${dateFromDay(Number(from))}`;
  },
} as const satisfies Dataset;

/** Own column that says for how many ordinary shares one receipt stands. */
export const ADS_RATIO = 'ads_ratio';

export const values = {
  name: 'values',
  title: 'Own columns',
  table: 'own_values',
  since: 13,
  scope: 'quotes:read',
  list: { order: 'newest', isOfAll: true },
  columns: [
    symbol(['AAPL', 'AAPL']),
    optional('name', 'text', 'name of the column; needed without `--name`', 'short_interest'),
    required('date', 'date', 'first day on which the value was known', [
      '2026-10-30',
      '2026-11-13',
    ]),
    {
      ...optional('value', 'number', 'empty: null from this day on', ['0.0068', '0.0071']),
      isNamed: true,
    },
  ],
  key: ['symbol', 'name', 'date'],
  time: 'date',
  conflict({ name }: DatasetRow) {
    if (name === null) return 'name is missing: add --name or a column';
    return OWN_NAME.test(String(name))
      ? undefined
      : 'name is not a lower-case letter and up to 39 lower-case letters, digits or _';
  },
} as const satisfies Dataset;
