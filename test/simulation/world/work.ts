/** Stands in for the parts of jobs that reach vendors, DuckDB and receivers of events. */

import type { FailedJob } from '../../../jobs/contract/reports.ts';
import type { RunHead } from '../../../jobs/contract/run.ts';
import type { AttemptResult } from '../../../jobs/webhooks/attempt.ts';
import type { ClaimedDelivery } from '../../../src/store/accounts/webhooks/delivery-queue.ts';
import { ObjectStoreError } from '../../../src/store/objects/object-store.ts';
import { current, type Process, simulation } from '../simulation.ts';

const STEP_MS = 20;

/** Outside of all processes: what was staged, what was loaded, and what receivers have seen. */
export class Outside {
  readonly staged = new Set<string>();
  readonly loaded = new Map<string, number>();
  readonly loading = new Map<string, Process | undefined>();
  readonly received = new Map<string, number>();
}

let outside = new Outside();

export function newOutside(): Outside {
  outside = new Outside();
  return outside;
}

async function step(what: string): Promise<void> {
  const now = simulation();
  await now.turn(what, STEP_MS);
  now.mayDie();
}

export async function fetchTask({ plan, index }: { plan: string; index: number }): Promise<void> {
  await step(`fetch ${plan}.${index}`);
  if (simulation().happens('refused task')) {
    throw new ObjectStoreError('the vendor answers 429', { isPassing: true });
  }
  outside.staged.add(`${plan}.${index}`);
}

export async function loadAndPublish(run: RunHead, failed: ReadonlyMap<number, FailedJob>) {
  const now = simulation();
  const { id, childCount } = run;
  const other = outside.loading.get(id);
  if (other && !other.isDead) now.violate('a run has one owner', `${id} is loaded by two`);
  outside.loading.set(id, current());
  for (let index = 0; index < childCount; index++) {
    if (failed.has(index)) continue;
    await step(`load ${id}.${index}`);
    if (!outside.staged.has(`${id}.${index}`)) {
      now.violate('what was acknowledged is there', `task ${index} of ${id} was never fetched`);
    }
  }
  outside.loaded.set(id, (outside.loaded.get(id) ?? 0) + 1);
  outside.loading.delete(id);
  return { deadJobs: [...failed.values()] };
}

/** A receiver that is overloaded at times, and whose response may be lost. */
export async function attemptDelivery({ eventId }: ClaimedDelivery): Promise<AttemptResult> {
  await step(`deliver ${eventId}`);
  const now = simulation();
  const ended = { error: null, retryAfterMs: undefined };
  if (now.happens('refused delivery')) return { ...ended, status: 503 };
  outside.received.set(eventId, (outside.received.get(eventId) ?? 0) + 1);
  await step(`response to ${eventId}`);
  if (now.happens('lost response')) return { ...ended, status: null, error: 'no response' };
  return { ...ended, status: 200 };
}

export function createGuardedAgents(): object {
  return {};
}
