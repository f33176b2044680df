/** What a source of data states of itself, and how it is run. */

import type { Vendor } from '../http/vendors.ts';
import type { FetchPlan } from './dry-runs.ts';
import type { FetchContext, Fetched } from './fetch-context.ts';
import type { SourceOptions } from './source-options.ts';

export interface Source {
  /** Name in `backfill <source>` and in the store. */
  id: string;
  title: string;
  datasets: readonly string[];
  history: string;
  delay: string;
  cost: string;
  keyNeeded: boolean;
  /** Where the terms are, or whose they are. */
  terms: string;
  /** Whether its data may be passed on to others. */
  redistribution: string;
  /** What the connector was tried against. */
  verified: string;
  /**
   * Fetches what the options ask for. Each segment can be used until the next is asked for.
   * Undefined where a job of its own loads what it gives.
   *
   * @throws as the source's own module says.
   */
  fetch?(options: SourceOptions, context: FetchContext): AsyncIterable<Fetched>;
  /** Who is asked over the network; undefined for sources that ask nobody. */
  vendor?: Vendor;
  /**
   * What `fetch` would ask, without asking.
   *
   * @throws {ParameterError} as `fetch`.
   */
  plan?(options: SourceOptions, nowMs: number): Promise<FetchPlan>;
}
