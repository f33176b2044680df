/** State of BullMQ's queues in a Redis. */

import type { JobJson, JobsOptions } from 'bullmq';

export interface Parent {
  id: string;
  queueKey: string;
  idof?: boolean;
}

export interface Kept {
  name: string;
  data: string;
  opts: JobsOptions;
  timestamp: number;
  delay: number;
  priority: number;
  parent?: Parent;
  processedOn?: number;
  finishedOn?: number;
  starts: number;
  attempts: number;
  stalls: number;
  deferredFailure?: string;
  returnvalue?: string;
  failedReason?: string;
  progress: string;
  /** Keys of children that are not done. */
  waitsFor: Set<string>;
  processed: Map<string, string>;
  ignored: Map<string, string>;
  /** A child of it belongs to another parent. */
  isTorn?: boolean;
}

/** Ids by score; those of one score are in the order of their text. */
export type Scored = Map<string, number>;

export interface QueueKept {
  /** The next one is the last. */
  wait: string[];
  active: string[];
  prioritized: Scored;
  delayed: Scored;
  waitingChildren: Scored;
  completed: Scored;
  failed: Scored;
  stalled: Set<string>;
  priorities: number;
  checkedUntilMs: number;
  /** Time from which on there is work, by kind of marker. */
  marked: Scored;
}

export interface AddedJob {
  queueKey: string;
  id: string;
  job: JobJson;
  parentKey?: string;
  /** True if it waits for its children. */
  isParent?: boolean;
  /** Its parent is released after the whole flow. */
  isFlow?: boolean;
}

/** Everything that a server has; a clone of it is what a failover leaves. */
export interface ServerState {
  queues: Map<string, QueueKept>;
  jobs: Map<string, Kept>;
  locks: Map<string, { token: string; untilMs: number }>;
}
