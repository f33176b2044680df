/** Paths of all files under DATA_DIR. No other file joins them. */

import { dirname, join } from 'node:path';
import { process } from '../world/process.ts';

/** Modes of data: real, or synthetic from the seeded generator. A key's prefix selects the mode. */
export const MODES = ['live', 'sandbox'] as const;

export type Mode = (typeof MODES)[number];

/** Name of the file in `serving` that names the published version. */
export const MANIFEST_NAME = 'manifest.json';

export interface ModePaths {
  mode: Mode;
  root: string;
  /** Immutable Parquet segments, named by content. */
  segments: string;
  /** Rejected rows with their reasons; one CSV file a segment. */
  quarantine: string;
  /** DuckDB file: one writer or many readers. */
  market: string;
  /** Published Arrow files, `manifest.json`, `status.json`. */
  serving: string;
  /** Parquet files of recent versions for other engines, and `files.json`. */
  files: string;
  /** File that names the process that writes the store. */
  writerLock: string;
  /** State of the upload of published files, and the locks of its processes. */
  upload: string;
  uploadLock: string;
  filesUploadLock: string;
  /** State of the download, of a replica. */
  replicaState: string;
  /** State of each news feed, so that a request asks only for changes. */
  feeds: string;
  /** Scratch files of a run (unzipped members); safe to delete while nothing runs. */
  scratch: string;
  /** Accounts of both modes, which also receive the events of a publish. */
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
    files: join(root, 'files'),
    writerLock: join(root, 'writer.lock'),
    upload: join(root, 'upload.json'),
    uploadLock: join(root, 'upload.lock'),
    filesUploadLock: join(root, 'files-upload.lock'),
    replicaState: join(root, 'replica-state.json'),
    feeds: join(root, 'feeds.sqlite'),
    scratch: join(root, 'scratch'),
    accounts: accountsPath(dataDir),
  };
}

export function accountsPath(dataDir: string): string {
  return join(dataDir, 'accounts.sqlite');
}

/** The place of accounts and of what this machine keeps beside them. */
export interface AccountsPlace {
  /** The embedded database. */
  path: string;
  /** Address of the Postgres that is used instead; undefined: the embedded database. */
  url: string | undefined;
  /** The machine's copy of the keys in Postgres. */
  copyPath: string;
  /** File of the key that encrypts secrets of webhooks, unless the setting gives one. */
  keyPath: string;
}

/** Jobs know their folder, not the settings, so the address comes from the environment. */
export function accountsPlace(
  dataDir: string,
  url = process.env.TAPEWORKS_ACCOUNTS_URL?.trim() || undefined,
): AccountsPlace {
  return {
    path: accountsPath(dataDir),
    url,
    copyPath: join(dataDir, 'accounts-copy.sqlite'),
    keyPath: webhookKeyPath(dataDir),
  };
}

export function accountsPlaceOf({ accounts }: Pick<ModePaths, 'accounts'>): AccountsPlace {
  return accountsPlace(dirname(accounts));
}

/** Returns the path of the key that encrypts the secrets of webhooks. */
export function webhookKeyPath(dataDir: string): string {
  return join(dataDir, 'webhook.key');
}

/** Returns the path of the times of requests, by which all processes keep a vendor's rate. */
export function requestsPath(dataDir: string): string {
  return join(dataDir, 'requests.sqlite');
}

/** Returns the paths of a mode, with the segments in the shared folder if there is one. */
export function workPaths(
  { dataDir, segmentsDir }: { dataDir: string; segmentsDir: string | undefined },
  mode: Mode,
): ModePaths {
  const paths = modePaths(dataDir, mode);
  return segmentsDir === undefined ? paths : { ...paths, segments: join(segmentsDir, mode) };
}

/** Returns the job ledger and the folder of the processes that run jobs, without Redis. */
export function jobsPaths(dataDir: string): { ledger: string; owners: string } {
  return { ledger: join(dataDir, 'jobs.sqlite'), owners: join(dataDir, 'runners') };
}

/** Returns the paths of the lock that a `start` holds, and of the note that names it. */
export function startPaths(dataDir: string): { lock: string; holder: string } {
  return { lock: join(dataDir, 'start.lock'), holder: join(dataDir, 'start.lock.json') };
}

/** Returns the folder of uploaded files, which are removed once they are loaded. */
export function uploadsPath(dataDir: string): string {
  return join(dataDir, 'uploads');
}

/** Returns the path of the lock of the process that runs requested backfills. */
export function backfillsLockPath(dataDir: string): string {
  return join(dataDir, 'backfills.lock');
}

/** Returns the path of the lock of the process that downloads for a replica. */
export function replicaLockPath(dataDir: string): string {
  return join(dataDir, 'replica.lock');
}

/** Returns the path of the id by which a Redis knows this store. */
export function storeIdPath(dataDir: string): string {
  return join(dataDir, 'store.json');
}
