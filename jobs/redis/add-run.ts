import { FlowProducer } from 'bullmq';
import { limits } from '../../src/base/limits.ts';
import { delay } from '../../src/base/world/clock.ts';
import { headOf, type Run, type RunHead, taskFromId, taskId } from '../contract/run.ts';
import { connectionOptions, KEY_PREFIX } from './connection.ts';
import { GATE, jobOptions, type QueuedFetch, type Queues, queueOf } from './queues.ts';

/**
 * Adds a run: a job for its load, which waits for the jobs of its tasks. Few tasks are added in one
 * step, all or nothing. Many are added in chunks behind a gate, a job without work that keeps the
 * load from starting. Repeated, it adds what is missing.
 *
 * @param options.isAgain True if some of its jobs may exist already.
 */
export async function addRun(
  url: string,
  queues: Queues,
  run: Run,
  { isAgain = false } = {},
): Promise<void> {
  const { addedAtOnce } = limits.jobs;
  const isLong = run.childCount > addedAtOnce;
  if (isLong && isAgain) await removeOpenGate(queues, run);
  const first = fetchJobs(run, 0, isLong ? 0 : addedAtOnce);
  const gate = { name: GATE, opts: { ...gateOptions(run), delay: limits.redis.gateMs } };
  await addLoad(url, run, isLong ? [gate] : first);
  if (isLong) await addChunks(queues, run);
  if (isAgain) await releaseFailed(queues, run);
  if (isLong) await openGate(queues, run);
}

async function addChunks(queues: Queues, run: Run): Promise<void> {
  const { addedAtOnce } = limits.jobs;
  const parent = { id: run.id, queue: queues.load.qualifiedName };
  let adding: Promise<unknown> = Promise.resolve();
  for (let from = 0; from < run.childCount; from += addedAtOnce) {
    const some = fetchJobs(run, from, from + addedAtOnce);
    const jobs = some.map(({ opts, ...job }) => ({ ...job, opts: { ...opts, parent } }));
    // Builds the next chunk while Redis adds this one.
    const before = adding;
    adding = queues.fetch.addBulk(jobs);
    adding.catch(() => undefined);
    await before;
  }
  await adding;
}

/**
 * Releases failed tasks from the load. A task that is added again is a dependency again, and a
 * failed one would block the load for ever. One that was released has no parent any more.
 */
export async function releaseFailed(
  { fetch, load }: Queues,
  { id }: Pick<RunHead, 'id'>,
): Promise<void> {
  for (const job of await fetch.getFailed()) {
    if (taskFromId(job.id ?? '').plan !== id || !job.parentKey) continue;
    await job.removeChildDependency().catch(async (error: unknown) => {
      // Redis may have lost either since the task was read.
      if ((await job.getState()) !== 'unknown' && (await load.getJob(id))) throw error;
    });
  }
}

/** Returns true if the gate is closed: a process adds the run, or died while adding it. */
export async function isBeingAdded(
  { fetch }: Queues,
  head: Pick<RunHead, 'id' | 'createdMs'>,
): Promise<boolean> {
  const gate = await fetch.getJob(gateId(head));
  return (await gate?.isDelayed()) ?? false;
}

/** Removes an open gate: behind a new one, the load of a run that is added again waits for its tasks. */
async function removeOpenGate({ fetch }: Queues, run: Run): Promise<void> {
  for (;;) {
    const gate = await fetch.getJob(gateId(run));
    if (!gate || (await gate.isDelayed())) return;
    // A worker that has it ends it at once.
    await gate.remove().catch(() => delay(limits.redis.pollMs));
  }
}

async function openGate({ fetch }: Queues, run: Run): Promise<void> {
  const gate = await fetch.getJob(gateId(run));
  // It also opens itself after `limits.redis.gateMs`.
  if (!gate || !(await gate.isDelayed())) return;
  // A request that was sent twice, as its reply was lost, finds the gate opened by the first.
  await gate.promote().catch(async (error: unknown) => {
    if (await gate.isDelayed()) throw error;
  });
}

const gateId = ({ id, createdMs }: Pick<RunHead, 'id' | 'createdMs'>) =>
  `${id}-${createdMs.toString(36)}-${GATE}`;

function gateOptions(run: Run) {
  return { ...jobOptions(gateId(run), run.priority), ignoreDependencyOnFailure: true };
}

async function addLoad(
  url: string,
  run: Run,
  first: readonly { name: string; data?: QueuedFetch; opts: object }[],
): Promise<void> {
  const connection = connectionOptions(url, 'producer');
  const flows = new FlowProducer({ connection, prefix: KEY_PREFIX });
  flows.on('error', () => undefined);
  try {
    await flows.add({
      name: run.source,
      queueName: queueOf(run),
      data: headOf(run),
      opts: jobOptions(run.id, run.priority),
      children: first.map((job) => ({ ...job, queueName: 'fetch' })),
    });
  } finally {
    await flows.close();
  }
}

function fetchJobs(run: Run, from: number, to: number) {
  return run.tasks.slice(from, to).map(({ slice }, i) => {
    const index = from + i;
    const data: QueuedFetch = { mode: run.mode, slice };
    const opts = {
      ...jobOptions(taskId(run, index), run.priority),
      ignoreDependencyOnFailure: true,
    };
    return { name: run.source, data, opts };
  });
}
