/** One dialect of docs/files.md, by a small file in it and the bars that it holds. */

export interface Dialect {
  /** Name of the file, which may name the symbol. */
  file: string;
  content: string | Buffer;
  /** `AAA 2024-01-02 open high low close volume`, in the order of symbols and times. */
  bars: readonly string[];
  /** Basis of the bars; `raw` if it is not said. */
  basis?: 'raw' | 'split' | 'all';
}
