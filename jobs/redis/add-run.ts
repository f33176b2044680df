/** Adds a plan to Redis: its load as a job that waits for its children, and these as jobs. */

import { FlowProducer } from 'bullmq';
import { limits } from '../../src/base/limits/limits.ts';
import { headOf, type Run, type RunHead, taskFromId, taskId } from '../contract/run.ts';
import { connectionOptions, KEY_PREFIX } from './connection.ts';
import { GATE, jobOptions, type QueuedFetch, type Queues, queueOf } from './queues.ts';

/**
 * A plan of few children is added in one step, all or nothing. One of many is added in chunks,
 * behind a gate: a child that does nothing and is let through when all others are there, so that
 * the load cannot run before. Run again, it adds what is missing.
 *
 * @param options.isAgain Whether some of its jobs may be there already.
 */
export async function addRun(
  url: string,
  queues: Queues,
  plan: Run,
  { isAgain = false } = {},
): Promise<void> {
  const { addedAtOnce } = limits.jobs;
  const isLong = plan.childCount > addedAtOnce;
  const first = children(plan, 0, isLong ? 0 : addedAtOnce);
  const gate = { name: GATE, opts: { ...gateOptions(plan), delay: limits.redis.gateMs } };
  await addLoad(url, plan, isLong ? [gate] : first);
  if (isLong) await addChunks(queues, plan);
  if (isAgain) await releaseDead(queues, plan);
  if (isLong) await openGate(queues, plan);
}

async function addChunks(queues: Queues, plan: Run): Promise<void> {
  const { addedAtOnce } = limits.jobs;
  const parent = { id: plan.id, queue: queues.load.qualifiedName };
  let adding: Promise<unknown> = Promise.resolve();
  for (let from = 0; from < plan.childCount; from += addedAtOnce) {
    const some = children(plan, from, from + addedAtOnce);
    const jobs = some.map(({ opts, ...job }) => ({ ...job, opts: { ...opts, parent } }));
    // The next chunk is made while Redis adds this one.
    const before = adding;
    adding = queues.fetch.addBulk(jobs);
    // It is awaited a chunk later.
    adding.catch(() => undefined);
    await before;
  }
  await adding;
}

/**
 * A job that is there becomes the load's child anew when it is added again. One that is dead by
 * then would hold the load up for ever: nothing happens to it any more.
 */
async function releaseDead({ fetch }: Queues, { id }: Run): Promise<void> {
  for (const job of await fetch.getFailed()) {
    if (taskFromId(job.id ?? '').plan === id) await job.removeChildDependency();
  }
}

/** Whether the gate of a long plan is closed: who added it is not done, or died. */
export async function isBeingAdded(
  { fetch }: Queues,
  head: Pick<RunHead, 'id' | 'createdMs'>,
): Promise<boolean> {
  const gate = await fetch.getJob(gateId(head));
  return (await gate?.isDelayed()) ?? false;
}

/** Lets the load of a long plan through. */
async function openGate({ fetch }: Queues, plan: Run): Promise<void> {
  const gate = await fetch.getJob(gateId(plan));
  // It opens by itself after a while.
  if (await gate?.isDelayed()) await gate?.promote();
}

const gateId = ({ id, createdMs }: Pick<RunHead, 'id' | 'createdMs'>) =>
  `${id}-${createdMs.toString(36)}-${GATE}`;

function gateOptions(plan: Run) {
  return { ...jobOptions(gateId(plan), plan.priority), ignoreDependencyOnFailure: true };
}

async function addLoad(
  url: string,
  plan: Run,
  first: readonly { name: string; data?: QueuedFetch; opts: object }[],
): Promise<void> {
  const connection = connectionOptions(url, 'producer');
  const flows = new FlowProducer({ connection, prefix: KEY_PREFIX });
  flows.on('error', () => undefined);
  try {
    await flows.add({
      name: plan.source,
      queueName: queueOf(plan),
      data: headOf(plan),
      opts: jobOptions(plan.id, plan.priority),
      children: first.map((job) => ({ ...job, queueName: 'fetch' })),
    });
  } finally {
    await flows.close();
  }
}

function children(plan: Run, from: number, to: number) {
  return plan.children.slice(from, to).map(({ slice }, i) => {
    const index = from + i;
    const data: QueuedFetch = { mode: plan.mode, slice };
    // A dead child never blocks the load.
    const opts = {
      ...jobOptions(taskId(plan, index), plan.priority),
      ignoreDependencyOnFailure: true,
    };
    return { name: plan.source, data, opts };
  });
}
