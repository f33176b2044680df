/** Where everything lies under DATA_DIR. The only file that joins those paths. */

import { join } from 'node:path';

/** Real data, or synthetic data from the seeded generator. A key's prefix decides which. */
export const MODES = ['live', 'sandbox'] as const;

export type Mode = (typeof MODES)[number];

export interface ModePaths {
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
}

export function modePaths(dataDir: string, mode: Mode): ModePaths {
  const root = join(dataDir, mode);
  return {
    root,
    segments: join(root, 'segments'),
    quarantine: join(root, 'quarantine'),
    market: join(root, 'market.duckdb'),
    serving: join(root, 'serving'),
    writerLock: join(root, 'writer.lock'),
    feeds: join(root, 'feeds.sqlite'),
    scratch: join(root, 'scratch'),
  };
}

export function accountsPath(dataDir: string): string {
  return join(dataDir, 'accounts.sqlite');
}

/** When which vendor was asked, so that all processes together keep its pace. */
export function requestsPath(dataDir: string): string {
  return join(dataDir, 'requests.sqlite');
}
