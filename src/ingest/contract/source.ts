import type { VendorSettings } from '../../base/config/config.ts';
import type { HttpClient } from '../http/client.ts';
import type { Host } from '../http/host.ts';
import type { FetchContext, Fetched } from './fetch-context.ts';
import type { SourceSchedule } from './schedule.ts';
import type { SourceOptions } from './source-options.ts';

export interface SourceFacts {
  /** Name in `backfill <source>` and in the store. */
  id: string;
  title: string;
  datasets: readonly string[];
  history: string;
  delay: string;
  cost: string;
  /** Address of the terms, or the name of their owner. */
  terms: string;
  /** Tells if its data may be passed on to others. */
  redistribution: string;
  /** Data that the connector was tried against. */
  verified: string;
}

/** The facts about a vendor; `src/ingest/vendors/<id>/vendor.ts` exports them as `vendor`. */
export interface VendorFacts extends SourceFacts {
  host: Host;
  command: VendorCommand;
  schedules: readonly SourceSchedule[];
  /** Facts of the store that a run needs, see `jobs/load/stored.ts`. */
  stored?:
    | 'bars'
    | 'bars by source'
    | 'companies'
    | 'year ends'
    | 'tickers'
    | 'filings'
    | 'notices';
  /** Setting that names the inputs of a run that names none. */
  defaultPaths?: 'rssFeeds';
}

/** The code of a source; a vendor's `source.ts` exports its own as `source`. */
export interface SourceCode {
  /** Fetches the requested data. A segment can be used until the next one is requested. */
  fetch?(options: SourceOptions, context: FetchContext): AsyncIterable<Fetched>;
  /** Counts the requests that `fetch` would send, and sends none. */
  dryRun?(options: SourceOptions, nowMs: number): DryRun;
  /**
   * Cuts a run into partitions of seconds to minutes each. Fetched in any order and any number of
   * times, they give the data of the whole run. Empty where nothing is missing; undefined where a
   * run is one partition.
   */
  partition?(options: SourceOptions, nowMs: number): SourceOptions[];
  /** Sends one small request and returns the number of rows in the response. */
  probe?(context: ProbeContext): Promise<number>;
}

/** The code of a vendor, which can always say what it would ask, and be tried. */
export interface VendorCode extends SourceCode {
  dryRun: NonNullable<SourceCode['dryRun']>;
  probe: NonNullable<SourceCode['probe']>;
}

export interface Source extends SourceFacts, Partial<Omit<VendorFacts, keyof SourceFacts>> {
  keyNeeded: boolean;
  load(): Promise<SourceCode>;
}

/** Upper bounds where a symbol may have been listed later, or not trade every minute. */
export interface DryRun {
  requests: number;
  bars: number;
  /** Rows of datasets other than candles; undefined means none. */
  rows?: number;
  /** Size of whole files, which lie on disk while they are read; undefined means none. */
  downloadBytes?: number;
  /** Number of requests that run at a time; default one. */
  requestsAtOnce?: number;
}

export interface ProbeContext {
  http: Pick<HttpClient, 'get'>;
  settings: VendorSettings;
  nowMs: number;
}

export interface VendorCommand {
  description: string;
  alias?: string;
  argument?: {
    /** Name in the help: `[paths...]`. */
    name: string;
    description: string;
    choices?: readonly string[];
    /** The option that receives it; a list for `paths`. */
    option: 'dataset' | 'path' | 'paths';
  };
  hasInterval?: true;
  /** Describes `--bulk`; undefined where there is none. */
  bulk?: string;
  /** Describes `--statements`; undefined where there are none. */
  statements?: string;
  /** Files in the program that `--sample` loads, and its description; undefined where there are none. */
  sample?: { path: string; description: string };
  /** Takes no options of rows, as symbols and dates. */
  isWhole?: true;
  needsSymbols?: true;
  /** Says why the options make no run; undefined where they make one. */
  misuse?: (options: CommandOptions) => string | undefined;
}

export interface CommandOptions {
  symbols?: unknown;
  paths?: readonly string[];
  bulk?: boolean;
  statements?: string;
}
