/** Recognises the dataset of a file by its columns, to name it where another one was asked for. */

import type { Dataset } from './dataset.ts';
import { datasets } from './datasets.ts';

/** Prices of a bar. */
const PRICES = ['open', 'high', 'low', 'close'];

/** Columns of splits and dividends in the spelling of vendors. */
const ACTIONS =
  /^(?:exdate|exdividenddate|executiondate|splitfrom|splitto|splitratio|splitfactor|stocksplits?|dividends?|cashamount|divcash)$/;

/** Columns that a file must share with a dataset of rows: some need a ticker alone. */
const SHARED_MIN = 3;

/** Columns that speak for another dataset, if none speaks for the one that was asked for. */
const OTHERS_MIN = 2;

/**
 * Returns the sentence that says of which dataset a file with these columns is; empty if they are
 * of none, or of the one that was asked for.
 */
export function adviceOfColumns(names: Iterable<string>, asked: string): string {
  const dataset = datasetOfColumns(new Set([...names].map(plain)));
  if (dataset === undefined || dataset === asked) return '';
  return `its columns are those of ${dataset}: load it with backfill files ${dataset}`;
}

/** Returns true if the columns are of another dataset that has all that they share with `asked`. */
export function areOfOther(names: Iterable<string>, asked: Dataset): boolean {
  const keys = new Set([...names].map(plain));
  const own = sharedColumns(asked, keys);
  const other = datasets.find(({ name }) => name === datasetOfColumns(keys));
  if (!other || other.name === asked.name) return false;
  const shared = sharedColumns(other, keys);
  return shared.length >= own.length + OTHERS_MIN && own.every((name) => shared.includes(name));
}

/**
 * Returns the dataset whose columns these are, all of them, if the asked one has no other of them:
 * `symbol,asOf,date` are expirations, and no earnings dates without a word of their own.
 */
export function wholeOther(names: Iterable<string>, asked: Dataset): string | undefined {
  const keys = new Set([...names].map(plain));
  const own = sharedColumns(asked, keys);
  const isOther = ({ name, columns }: Dataset) => {
    const all = columns.map((column) => plain(column.name));
    return (
      name !== asked.name &&
      own.length < asked.columns.length &&
      all.every((column) => keys.has(column)) &&
      own.every((column) => all.includes(column))
    );
  };
  return datasets.find(isOther)?.name;
}

function datasetOfColumns(keys: ReadonlySet<string>): string | undefined {
  if (PRICES.every((name) => keys.has(name))) return 'candles';
  const shared = datasets
    .filter(({ columns }) => columns.every((one) => !one.isRequired || keys.has(plain(one.name))))
    .map((dataset) => ({ name: dataset.name, count: sharedColumns(dataset, keys).length }))
    .filter(({ count }) => count >= SHARED_MIN)
    .sort((a, b) => b.count - a.count);
  if (shared.length > 0) return shared[0].name;
  return [...keys].some((key) => ACTIONS.test(key)) ? 'corporate-actions' : undefined;
}

function sharedColumns({ columns }: Dataset, keys: ReadonlySet<string>): string[] {
  return columns.map(({ name }) => plain(name)).filter((name) => keys.has(name));
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
