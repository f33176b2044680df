/** A source of data: the facts about it, and the code that runs it. Types only. */

import type { VendorSettings } from '../../base/config/config.ts';
import type { HttpClient } from '../http/client.ts';
import type { Host } from '../http/host.ts';
import type { FetchContext, Fetched } from './fetch-context.ts';
import type { SourceSchedule } from './schedule.ts';
import type { SourceOptions } from './source-options.ts';

/** The facts about a source, as `sources` lists them. */
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
  stored?: 'bars' | 'companies' | 'year ends' | 'tickers' | 'filings';
  /** Setting that names the inputs of a run that names none. */
  defaultPaths?: 'rssFeeds';
}

/** The code of a source; a vendor's `source.ts` exports its own as `source`. */
export interface SourceCode {
  /**
   * Fetches the data that the options ask for. A segment can be used until the next is requested.
   * Undefined where a job of its own loads the data.
   *
   * @throws as the source's own module says.
   */
  fetch?(options: SourceOptions, context: FetchContext): AsyncIterable<Fetched>;
  /**
   * Counts the requests that `fetch` would send, and sends none.
   *
   * @throws {ParameterError} as `fetch`.
   */
  dryRun?(options: SourceOptions, nowMs: number): DryRun;
  /**
   * Cuts a run into partitions, each a matter of seconds to some minutes at the vendor's pace.
   * Fetched in any order and any number of times, they give the data of the whole run. Empty where
   * nothing is missing; undefined where a run is one partition.
   *
   * @throws {ParameterError} as `fetch`.
   */
  partition?(options: SourceOptions, nowMs: number): SourceOptions[];
  /**
   * Sends one small request, parses the response, and returns its number of rows.
   *
   * @throws {ConfigError} a key or contact is not set. Else as `HttpClient.get` and the parser.
   */
  probe?(context: ProbeContext): Promise<number>;
}

/** The code of a vendor, which can always say what it would ask, and be tried. */
export interface VendorCode extends SourceCode {
  dryRun: NonNullable<SourceCode['dryRun']>;
  probe: NonNullable<SourceCode['probe']>;
}

export interface Source extends SourceFacts, Partial<Omit<VendorFacts, keyof SourceFacts>> {
  keyNeeded: boolean;
  /** Loads the code, which for some sources is large. */
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

/** The form of `backfill <vendor>` on the command line. */
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
  /** Offers `--interval`. */
  hasInterval?: true;
  /** Describes `--bulk`; undefined where there is none. */
  bulk?: string;
  /** Takes no options of rows, as symbols and dates. */
  isWhole?: true;
  /** Refuses a run without `--symbols`. */
  needsSymbols?: true;
  /** Says why the options make no run; undefined where they make one. */
  misuse?: (options: CommandOptions) => string | undefined;
}

/** Options of a command, as far as they decide if it makes a run. */
export interface CommandOptions {
  symbols?: unknown;
  paths?: readonly string[];
  bulk?: boolean;
}
