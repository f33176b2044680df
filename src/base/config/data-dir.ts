/** Where everything lies under DATA_DIR. The only file that joins those paths. */

import { join } from 'node:path';

/** Real data, or synthetic data from the seeded generator. A key's prefix decides which. */
export const MODES = ['live', 'sandbox'] as const;

export type Mode = (typeof MODES)[number];

/** File in `serving` that names the published version. */
export const MANIFEST_NAME = 'manifest.json';

export interface ModePaths {
  mode: Mode;
  root: string;
  /** Immutable Parquet segments, named by content. */
  segments: string;
  /** Rejected rows with their reasons, one CSV file a segment. */
  quarantine: string;
  /** DuckDB: one writer or many readers. */
  market: string;
  /** Published Arrow files, `manifest.json`, `status.json`. */
  serving: string;
  /** Names the process that writes the store now. */
  writerLock: string;
  /** What news feeds told so far, so that each is asked only for what changed. */
  feeds: string;
  /** Scratch files of a run (unzipped members); safe to delete while nothing runs. */
  scratch: string;
  /** Of both modes: publishing hands events over to it. */
  accounts: string;
}

export function modePaths(dataDir: string, mode: Mode): ModePaths {
  const root = join(dataDir, mode);
  return {
    mode,
    root,
    segments: join(root, 'segments'),
    quarantine: join(root, 'quarantine'),
    market: join(root, 'market.duckdb'),
    serving: join(root, 'serving'),
    writerLock: join(root, 'writer.lock'),
    feeds: join(root, 'feeds.sqlite'),
    scratch: join(root, 'scratch'),
    accounts: accountsPath(dataDir),
  };
}

export function accountsPath(dataDir: string): string {
  return join(dataDir, 'accounts.sqlite');
}

/** The key that secrets of webhooks are encrypted with, outside of `accounts.sqlite`. */
export function webhookKeyPath(dataDir: string): string {
  return join(dataDir, 'webhook.key');
}

/** When which vendor was asked, so that all processes together keep its pace. */
export function requestsPath(dataDir: string): string {
  return join(dataDir, 'requests.sqlite');
}

/** Those of a mode where segments lie in a folder that machines share. */
export function workPaths(
  { dataDir, segmentsDir }: { dataDir: string; segmentsDir: string | undefined },
  mode: Mode,
): ModePaths {
  const paths = modePaths(dataDir, mode);
  return segmentsDir === undefined ? paths : { ...paths, segments: join(segmentsDir, mode) };
}

/** Jobs that run without Redis, and who runs them. */
export function jobsPaths(dataDir: string): { ledger: string; owners: string } {
  return { ledger: join(dataDir, 'jobs.sqlite'), owners: join(dataDir, 'runners') };
}

/** Held by a `start`, and a note of which. */
export function startPaths(dataDir: string): { lock: string; holder: string } {
  return { lock: join(dataDir, 'start.lock'), holder: join(dataDir, 'start.lock.json') };
}

/** Names the store whose loads a Redis queues. */
export function storeIdPath(dataDir: string): string {
  return join(dataDir, 'store.json');
}
