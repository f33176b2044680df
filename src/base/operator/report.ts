/**
 * Reports for the operator, as `/operator/status` and `/operator/gaps` send them and the page shows
 * them. Times are ISO date-times in UTC.
 */

/** Equal to `Mode`; the page can't import that file. */
type Mode = 'live' | 'sandbox';

/** Bars of one interval, or rows of another dataset. */
export interface DatasetReport {
  dataset: string;
  /** Null unless the dataset is candles. */
  interval: string | null;
  rows: number;
  /** Null unless the dataset is candles. */
  symbols: number | null;
  /** Candles: end of the newest bar. Others: last publish of new rows. Null: there are none. */
  newestAt: string | null;
  /** Symbols of daily bars that ended earlier; null for others. */
  endedEarlier: number | null;
  /** True if bars of the last two completed sessions are missing. */
  isStale: boolean;
}

export interface ModeReport {
  mode: Mode;
  /**
   * `empty`: nothing was ever loaded; `unpublished`: loaded, but no version exists;
   * `older-format`: an older version published it; `status-lost`: served, but `status.json` is
   * missing.
   */
  state: 'published' | 'damaged' | 'empty' | 'unpublished' | 'older-format' | 'status-lost';
  version: number | null;
  publishedAt: string | null;
  damage: string | null;
  datasets: DatasetReport[];
}

/** A run of a source, or of a maintenance task. */
export interface RunReport {
  id: string;
  mode: Mode;
  source: string;
  verb: string;
  /** `waiting` without Redis: no process runs it at this moment. */
  state: 'waiting' | 'running' | 'delayed' | 'done' | 'failed';
  createdAt: string;
  endedAt: string | null;
  /** Tasks that fetch; none for local files. */
  tasks: { all: number; done: number; failed: number };
  /** Progress of the load; null if it is unknown. */
  step: { name: string; done: number; total: number } | null;
  /** Rows of the load; null before its end. */
  accepted: number | null;
  refused: number | null;
  version: number | null;
  /** Failed attempts of the load, with the kind and reason of the last one. */
  failures: number;
  kind: string | null;
  reason: string | null;
  /** True if it failed because of its input, which needs no operator. */
  isInputFault: boolean;
  /** The first few failed tasks. */
  failedTasks: { id: string; title: string; reason: string }[];
}

/** A load that a sanity check holds. */
export interface HeldReport {
  id: string;
  mode: Mode;
  source: string;
  origin: string;
  heldAt: string;
  reason: string;
  /** Held symbols, if the others of the input are loaded; else none. */
  symbols: { symbol: string; reason: string }[];
  /** Failed run that accepts it; null: it is loaded again, and accepted then. */
  run: string | null;
}

/** Refused rows of the kept quarantine files. */
export interface RefusedReport {
  mode: Mode;
  rows: number;
  files: number;
  /** Files of an earlier version, whose rows are not counted. */
  uncounted: number;
  /** Most rows first. */
  reasons: { source: string; reason: string; rows: number; files: number; newestAt: string }[];
  /** Number of reasons that are left out. */
  more: number;
  /** Folder on the server's disk, for the operator alone. */
  folder: string;
}

export interface ScheduleReport {
  name: string;
  source: string;
  /** Rule in words, on New York's clocks. */
  when: string;
  nextAt: string;
  runs: boolean;
  /** `runs`, or the settings that it needs. */
  state: string;
}

export interface DiskReport {
  freeBytes: number;
  totalBytes: number;
  isFull: boolean;
  /** Largest first. */
  parts: { part: string; bytes: number; files: number }[];
}

export interface KeyReport {
  id: string;
  /** First characters of the key. */
  prefix: string;
  label: string;
  account: string;
  mode: Mode;
  state: 'active' | 'expired' | 'revoked' | 'suspended';
  lastUsedAt: string | null;
  /** Requests, errors and tokens of the last 30 days. */
  calls: number;
  errors: number;
  tokens: number;
}

export interface KeysReport {
  /** Most requests first. */
  keys: KeyReport[];
  /** Number of keys that are left out. */
  more: number;
  /** Requests of all keys by day in UTC, oldest first. */
  days: { day: string; calls: number; errors: number }[];
}

export interface WebhookReport {
  id: string;
  account: string;
  mode: Mode;
  url: string;
  events: string;
  disabledAt: string | null;
  disabledReason: string | null;
  /** Deliveries of the last week. */
  delivered: number;
  pending: number;
  failed: number;
  lastAttemptAt: string | null;
  /** Reason of the newest failed attempt that was not followed by a success. */
  error: string | null;
}

export interface WebhooksReport {
  /** Webhooks with failures first. */
  webhooks: WebhookReport[];
  more: number;
  /** Newest deliveries that were given up. */
  givenUp: {
    eventId: string;
    webhookId: string;
    type: string;
    attempts: number;
    attemptedAt: string | null;
    error: string | null;
  }[];
}

/** A check as `doctor` makes it. */
export interface CheckReport {
  name: string;
  state: 'ok' | 'note' | 'failed';
  detail: string;
}

export interface OperatorReport {
  /** Moment of the report. */
  at: string;
  modes: ModeReport[];
  /** Number of jobs by state; null if Redis does not respond. */
  jobs: Partial<
    Record<'waiting' | 'active' | 'delayed' | 'done' | 'dead' | 'input', number>
  > | null;
  /** Unfinished and failed runs, then the newest others. */
  runs: RunReport[];
  /** False if no process takes jobs, so that a retry is refused. */
  canRetry: boolean;
  held: HeldReport[];
  refused: RefusedReport[];
  schedules: ScheduleReport[];
  integrity: {
    ranAt: string | null;
    roundEndedAt: string | null;
    faults: { part: string; fault: string; remedy: string }[];
  };
  disk: DiskReport;
  /** Null while the Postgres of the accounts can't be reached, as are webhooks. */
  keys: KeysReport | null;
  webhooks: WebhooksReport | null;
  checks: CheckReport[];
}

export interface HoleReport {
  from: string;
  to: string;
  sessions: number;
  /** Number of symbols with this hole, and the first few. */
  symbols: number;
  examples: string[];
}

/** Missing sessions of the published daily bars. */
export interface GapsReport {
  mode: Mode;
  /** Published version, which the report is of. */
  version: string;
  symbols: number;
  bars: number;
  /** Day of the newest bar; null without bars. */
  newestBar: string | null;
  missing: { sessions: number; holes: number; symbols: number };
  stopped: number;
  /** Holes of the same days together, those that lack most bars first. */
  holes: HoleReport[];
  /** Series that have stopped, the latest first. */
  stoppedSeries: { symbol: string; source: string; lastBar: string; sessionsBehind: number }[];
}

/** Request for `/operator/retry`. */
export interface RetryRequest {
  /** Ids of failed runs or tasks; a run that is done stands for all its failed tasks. */
  jobs: readonly string[];
  /** Loads inputs that a sanity check holds, or only these symbols of them. */
  accept: boolean | string[];
}
