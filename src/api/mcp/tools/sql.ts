/** SQL over the Parquet files of one published version. The queries run in other processes. */

import type { Scope } from '../../../store/accounts/keys/scopes.ts';
import {
  FILE_DATASETS,
  FILE_SCOPES,
  type FileDataset,
  type FileSet,
} from '../../../store/parquet/file-sets.ts';

export interface SqlQuery {
  /** Folder of the files. */
  folder: string;
  /** Files of each view. The query reads no others. */
  views: Readonly<Record<string, readonly string[]>>;
  sql: string;
}

export interface SqlRows {
  columns: string[];
  rows: unknown[][];
  /** True if the query gives more rows than the limit. */
  hasMore: boolean;
}

export interface SqlQueries {
  /** False where DuckDB is not installed. */
  isAvailable: boolean;
  /**
   * Runs a query in a process of its own.
   *
   * @param account Account of the key, which leaves room for others.
   * @param signal Aborted when the client disconnects, which kills the process.
   * @throws {ParameterError} `sql`: DuckDB rejects it, or it exceeds the time or the memory.
   * @throws {HttpError} 429, 503: too many queries of the account, or of all, wait.
   */
  run(account: string, query: SqlQuery, signal: AbortSignal): Promise<SqlRows>;
}

const viewName = (dataset: FileDataset) => dataset.replaceAll('-', '_');

/** Names of the views of all datasets but bars. */
export const WHOLE_VIEWS = FILE_DATASETS.filter((name) => name !== 'candles').map(viewName);

/** Returns the views of a set, each with its files, as far as the scopes allow. */
export function viewsOf(set: FileSet, scopes: ReadonlySet<Scope>): Record<string, string[]> {
  const allowed = set.files.filter(({ dataset }) => scopes.has(FILE_SCOPES[dataset]));
  const byView = Map.groupBy(allowed, ({ dataset, interval }) => {
    if (interval === null) return viewName(dataset);
    // SQL ignores case, and 1m would be 1M.
    return `bars_${interval === '1m' ? '1min' : interval}`;
  });
  return Object.fromEntries([...byView].map(([view, files]) => [view, files.map((f) => f.name)]));
}
