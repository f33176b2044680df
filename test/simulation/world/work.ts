/** Stands in for the parts of jobs that reach receivers of events, and keeps what is outside of a night. */

import type { SharedContext } from '../../../jobs/contract/partition.ts';
import type { AttemptResult } from '../../../jobs/webhooks/attempt.ts';
import type { ClaimedDelivery } from '../../../src/store/accounts/webhooks/delivery-queue.ts';
import { Random } from '../random.ts';
import { type Process, simulation } from '../simulation.ts';

const STEP_MS = 20;
/** Nights whose runs have something that all their tasks need. */
const NIGHTS_OF_SHARED = 0.3;

/** Outside of all processes: what vendors answered, what was loaded, and what receivers have seen. */
export class Outside {
  /** Ids of the segments of whole answers and their times, by task. */
  readonly answers = new Map<string, { ids: string[]; atMs: number }[]>();
  /** Requests to vendors, by task. */
  readonly asked = new Map<string, number>();
  /** Segments in the store of a folder. */
  readonly loaded = new Set<string>();
  /** Times that a run was loaded and published. */
  readonly published = new Map<string, number>();
  readonly loading = new Map<string, Process | undefined>();
  readonly received = new Set<string>();
  /** Looks at an event that a receiver has just got. */
  afterReceipt = (_id: string) => {};
  version = 0;
  epoch = 0;
  /** Processes that loaded with an epoch, where loads have one. */
  readonly writers = new Map<number, Process | undefined>();
  /** Changes that a segment and a publish make for readers, where a night has both. */
  readers: { accept: () => void; publish: (epoch: number) => Promise<void> } | undefined;
  /** True if an operator retries what has failed. */
  hasOperator = false;
  /** Given to all tasks of a run, in nights that have it. */
  shared: SharedContext = {};
  /** True if the lock in Redis fences loads, instead of an owner of each run. */
  hasEpochs = false;
}

let outside = new Outside();

export function newOutside(): Outside {
  outside = new Outside();
  const isShared = new Random(simulation().seed, 'shared').next() < NIGHTS_OF_SHARED;
  if (isShared) outside.shared = { tickersByCik: [[1, ['A']]] };
  return outside;
}

export function outsideOfNight(): Outside {
  return outside;
}

export async function step(what: string): Promise<void> {
  const now = simulation();
  await now.turn(what, STEP_MS);
  now.mayDie();
}

/** A receiver that is overloaded at times, and whose response may be lost. */
export async function attemptDelivery({ eventId }: ClaimedDelivery): Promise<AttemptResult> {
  await step(`deliver ${eventId}`);
  const now = simulation();
  const ended = { error: null, retryAfterMs: undefined };
  if (now.happens('refused delivery')) return { ...ended, status: 503 };
  outside.received.add(eventId);
  outside.afterReceipt(eventId);
  await step(`response to ${eventId}`);
  if (now.happens('lost response')) return { ...ended, status: null, error: 'no response' };
  return { ...ended, status: 200 };
}

export function createGuardedAgents(): object {
  return {};
}
