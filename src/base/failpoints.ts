/**
 * The points at which loading, publishing, migrating and handing over events change the disk.
 *
 * Each is told before it happens, or right after a commit, so that a test can stop a process
 * there, make it fail there, or see in which order things were done. Nothing else uses this: a
 * program that sets no hook pays a comparison for each.
 */

export const STEPS = [
  // Files that must be durable before they are named: served, landed, lists of what was landed.
  'create file',
  'write file',
  'fsync file',
  'rename file',
  'fsync folder',
  'remove file',
  // One that is missing, with those above it.
  'make folder',
  // A file that only tells who is at work; a crash may lose it.
  'write note',
  'rename note',
  // The second name of a store that another one replaces.
  'link file',
  // `market.duckdb`: a transaction is written by its commit.
  'begin rows',
  'commit rows',
  'rows committed',
  'checkpoint store',
  // What its last connection does with the log.
  'close store',
  // `accounts.sqlite`.
  'commit accounts',
  'accounts committed',
  // What a relay does, each with commits of its own.
  'add events',
  'move position',
  'drop outbox',
] as const;

export type Step = (typeof STEPS)[number];

/** Told of a step and of what it is done to: a file's final name, or nothing. */
export type StepHook = (name: Step, what: string) => void;

let hook: StepHook | undefined;

/** Sets what this thread's steps are told to; undefined: to nobody. */
export function onStep(next: StepHook | undefined): void {
  hook = next;
}

/** @throws what the hook throws: the step is then not done. */
export function step(name: Step, what = ''): void {
  hook?.(name, what);
}
