/** `replica-state.json`: what a replica does, for `/readyz`, `/metrics` and `status`. */

import { z } from 'zod';
import { readStateFile, replaceStateFile } from '../../base/disk-full.ts';

/** `waiting`: the storage was not read yet. `empty`: it has no version. */
export const REPLICA_STATES = ['waiting', 'empty', 'downloading', 'current', 'failing'] as const;

const stateSchema = z.object({
  state: z.enum(REPLICA_STATES),
  /** Version that is served; null without one. */
  version: z.number().nullable(),
  /** Version that is downloaded; null while there is none. */
  target: z.number().nullable(),
  bytesDone: z.number(),
  bytesTotal: z.number(),
  /** Last time at which the storage had the served or a newer version; null: never. */
  confirmedMs: z.number().nullable(),
  /** Reason of the last failure in a row. */
  failure: z.string().nullable(),
});

export type ReplicaState = z.infer<typeof stateSchema>;

/** Reads the state; undefined if the folder is not that of a replica. */
export function readReplicaState(path: string): ReplicaState | undefined {
  return readStateFile(path, stateSchema);
}

export function writeReplicaState(path: string, state: ReplicaState): void {
  replaceStateFile(path, state);
}

/** Returns the state in words. */
export function replicaText(replica: ReplicaState, nowMs: number): string {
  const { state, target, bytesDone, bytesTotal, confirmedMs, failure } = replica;
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
  const ageS =
    confirmedMs === null ? undefined : Math.max(0, Math.round((nowMs - confirmedMs) / 1000));
  const age = ageS === undefined ? 'the object storage was never read' : `current ${ageS} s ago`;
  if (state === 'downloading') {
    const bytes = `${megabytes(bytesDone)} of ${megabytes(bytesTotal)} MB`;
    return `downloading version ${target}: ${bytes}${failure ? ` (${failure})` : ''}`;
  }
  if (state === 'waiting') return 'waiting for the object storage';
  if (state === 'empty') return 'the object storage has no version';
  return state === 'current' ? age : `${age}: ${failure}`;
}
