/**
 * Failpoints: the points at which loading, publishing, migrating and the outbox relay change the
 * disk.
 *
 * Each is reported before its change, or right after a commit. A test can then stop or fail a
 * process there, or see the order of changes. No other code uses them: without a hook each costs
 * one comparison.
 */

export const FAILPOINTS = [
  // Files that must be durable before they are named: served files, staged files and their lists.
  'create file',
  'write file',
  'fsync file',
  'rename file',
  'fsync folder',
  'remove file',
  // A missing folder, with its missing parents.
  'make folder',
  // A file that only names the process at work; a crash may lose it.
  'write note',
  'rename note',
  // The second name of a store that is being replaced.
  'link file',
  // `market.duckdb`: a transaction is written by its commit.
  'begin rows',
  'commit rows',
  'rows committed',
  'checkpoint store',
  // The last connection writes the log into the file.
  'close store',
  // `accounts.sqlite`.
  'commit accounts',
  'accounts committed',
  // Object storage: an immutable object, the swap of its manifest, an object that nothing names.
  'put object',
  'swap manifest',
  'remove object',
  // The outbox relay; each has commits of its own.
  'add events',
  'move position',
  'drop outbox',
] as const;

export type Failpoint = (typeof FAILPOINTS)[number];

/** Hook that is called with a failpoint and the final name of its file, or an empty text. */
export type FailpointHook = (name: Failpoint, what: string) => void;

let hook: FailpointHook | undefined;

/** Sets the hook of this thread's failpoints; undefined removes it. */
export function onFailpoint(next: FailpointHook | undefined): void {
  hook = next;
}

/** Reports a failpoint; an error of the hook prevents the change. */
export function failpoint(name: Failpoint, what = ''): void {
  hook?.(name, what);
}
