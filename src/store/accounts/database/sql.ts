/** Statements of a database. All texts but `dialect` are SQL that SQLite and Postgres both take. */

export type SqlValue = string | number | null | Uint8Array;

/** Values of the text's `?` in order, or those of its `:name` as one object. */
export type SqlValues = readonly SqlValue[] | readonly [Readonly<Record<string, SqlValue>>];

/**
 * Writes that a database with several writers runs one after the other: those that count rows
 * first, and those whose numbers must ascend in the order in which readers see them.
 */
export type WriteLock = 'keys' | 'events' | 'deliveries' | 'records';

export interface TransactionRules {
  /** Default: none. SQLite has one writer at a time in any case. */
  lock?: WriteLock;
  /**
   * True if the changes are on the disk when it ends. A change that a client has seen, such as a
   * revoked key, must survive a power cut. Counts and leases need not, and cost no `fsync`.
   */
  isDurable?: boolean;
  /** True to fail at once if another process writes. */
  isImpatient?: boolean;
  /** True to read everything as of one moment, and write nothing. */
  isSnapshot?: boolean;
}

export interface Sql {
  readonly dialect: {
    /** Source of rows with the column `value`: the elements of the JSON list in `days`. */
    eachDay: string;
    /** Query of the largest committed number of `streamed`, also after it was removed. */
    streamedHead: string;
  };
  /** @returns the first row. */
  get<Row>(text: string, ...values: SqlValues): Promise<Row | undefined>;
  all<Row>(text: string, ...values: SqlValues): Promise<Row[]>;
  /** @returns the number of changed rows. */
  run(text: string, ...values: SqlValues): Promise<number>;
  /**
   * Runs work in a transaction, or in the one that this is. The work must await nothing but its
   * own statements: others wait for it.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>, rules?: TransactionRules): Promise<T>;
}

/** Makes a committed change of keys or accounts visible to the admission of this machine. */
export type Changed = () => void | Promise<void>;
