/**
 * Runs a random sequence of work of BullMQ and tells what each step returns, over the model of a
 * night or over a server.
 *
 * The time of the clients stands still but for the steps of the sequence; locks end when they are
 * removed.
 */

import { FlowProducer, Job, Queue, Worker } from 'bullmq';
import { Random } from '../random.ts';

/** Ways of a sequence around BullMQ into its Redis. */
export interface Under {
  connection: { host: string; port: number; maxRetriesPerRequest: null };
  /** Removes the lock of a job, as its end does. */
  endLock(queue: string, id: string): Promise<void>;
  /** Lets the next look for stalled jobs happen at once. */
  endPause(queue: string): Promise<void>;
  /** Moves the time of the clients. */
  pass(ms: number): void;
}

const NAMES = ['fetch', 'load'];
const PREFIX = 'model';
const TOKENS = ['a', 'b', 'c'];
const STATES = [
  ...['wait', 'active', 'delayed', 'prioritized', 'waiting-children', 'completed', 'failed'],
] as const;

/** Runs steps one after the other; returns a line of each. */
export async function runSequence(seed: number, steps: number, under: Under): Promise<string[]> {
  const random = new Random(seed, 'queue');
  const options = { connection: under.connection, prefix: PREFIX, skipVersionCheck: true };
  const queues = NAMES.map((name) => new Queue(name, options));
  const keep = { removeOnComplete: { count: 6 }, removeOnFail: { count: 4 } };
  const workers = NAMES.map(
    (name) =>
      new Worker(name, undefined, {
        ...{ ...options, ...keep, autorun: false, lockDuration: 3_600_000 },
        ...{ maxStalledCount: 2, stalledInterval: 3_600_000 },
      }),
  );
  const flows = new FlowProducer(options);
  for (const one of [...queues, ...workers, flows]) (one as Queue).on('error', () => {});
  const taken: { job: Job; token: string }[] = [];
  const ids = Array.from({ length: 12 }, (_, i) => `job${i}`);
  const place = () => random.below(NAMES.length);
  const someJob = () => queues[place()].getJob(random.pick(ids));
  const someTaken = () => {
    const one = taken[random.below(taken.length)];
    return one && random.next() < 0.8 ? one : one && { ...one, token: random.pick(TOKENS) };
  };
  const jobOptions = () => ({
    jobId: random.pick(ids),
    priority: random.pick([0, 1, 5]),
    ...(random.next() < 0.3 && { delay: random.pick([10, 1000]) }),
  });

  const work: Record<string, () => Promise<unknown>> = {
    add: async () => (await queues[place()].add('one', { n: random.below(9) }, jobOptions())).id,
    addMany: async () => {
      const jobs = [0, 1, 2].map(() => ({ name: 'many', data: {}, opts: jobOptions() }));
      return (await queues[place()].addBulk(jobs)).map(({ id }) => id);
    },
    addFlow: async () => {
      const children = [0, 1, 2].slice(random.below(3)).map(() => ({
        ...{ name: 'child', queueName: 'fetch', data: {} },
        opts: { ...jobOptions(), ignoreDependencyOnFailure: true },
      }));
      const opts = { ...jobOptions(), delay: undefined };
      const { job } = await flows.add({
        name: 'flow',
        queueName: 'load',
        data: {},
        opts,
        children,
      });
      return job.id;
    },
    take: async () => {
      const token = random.pick(TOKENS);
      const job = await workers[place()].getNextJob(token, { block: false });
      if (job) taken.push({ job, token });
      return job && [job.id, job.attemptsStarted, job.stalledCounter, job.deferredFailure];
    },
    complete: async () => {
      const one = someTaken();
      const next = await one?.job.moveToCompleted(random.below(9), one.token, random.next() < 0.5);
      return follow(one, next);
    },
    fail: async () => {
      const one = someTaken();
      const next = await one?.job.moveToFailed(new Error('no'), one.token, random.next() < 0.5);
      return follow(one, next);
    },
    delay: async () => {
      const one = someTaken();
      await one?.job.moveToDelayed(Date.now() + random.pick([0, 500]), one.token);
    },
    endLock: async () => {
      const one = someTaken();
      if (one) await under.endLock(one.job.queueName, one.job.id ?? '');
    },
    stalled: async () => {
      const number = place();
      // Redis does not say in which order it finds several.
      const { active } = await queues[number].getJobCounts('active');
      if (active > 1) return undefined;
      await under.endPause(NAMES[number]);
      const found: string[] = [];
      const add = (id: string) => void found.push(id);
      workers[number].on('stalled', add);
      await (workers[number] as unknown as Stalling).moveStalledJobsToWait();
      workers[number].off('stalled', add);
      return found;
    },
    extend: async () => {
      const some = taken.slice(0, 3);
      const [queue] = some.map(({ job }) => job.queueName);
      const worker = workers[NAMES.indexOf(queue)];
      const same = some.filter(({ job }) => job.queueName === queue);
      const jobIds = same.map(({ job }) => job.id ?? '');
      return worker?.extendJobLocks(
        jobIds,
        same.map(({ token }) => token),
        3_600_000,
      );
    },
    remove: async () => (await someJob())?.remove({ removeChildren: false }),
    removeChildren: async () => (await someJob())?.removeUnprocessedChildren(),
    leaveParent: async () => {
      const job = await queues[0].getJob(random.pick(ids));
      return job?.parentKey === undefined ? undefined : job.removeChildDependency();
    },
    promote: async () => (await someJob())?.promote(),
    retry: async () => (await someJob())?.retry(),
    update: async () => (await someJob())?.updateData({ n: random.below(9) }),
    progress: async () => (await someJob())?.updateProgress({ done: random.below(9) }),
    pass: async () => under.pass(random.pick([1, 100, 2000])),
  };

  function follow(one: { token: string; job: Job } | undefined, next: unknown) {
    const [json, id] = (next ?? []) as [object | null, string];
    if (!one || !json) return id;
    const worker = workers[NAMES.indexOf(one.job.queueName)];
    const job = Job.fromJSON(worker as never, json as never, id);
    taken.push({ job, token: one.token });
    return id;
  }

  /** Reads everything that commands and workers read. */
  async function look(): Promise<unknown> {
    const queue = queues[place()];
    const job = await queue.getJob(random.pick(ids));
    return [
      await queue.getJobCounts(...STATES),
      await queue.getCountsPerPriority([1, 5]),
      (await queue.getJobs([random.pick(STATES)], 0, 3)).map((one) => one?.id),
      job && [await job.getState(), job.data, job.progress, job.returnvalue, job.failedReason],
      job && [await job.getDependenciesCount(), await job.getIgnoredChildrenFailures()],
      job && [job.delay, job.priority, job.attemptsMade, job.parentKey, await job.isDelayed()],
    ];
  }

  const told: string[] = [];
  for (let step = 0; step < steps; step++) {
    const name = random.pick(Object.keys(work));
    const said = await work[name]().catch((error: Error) => `fails: ${error.message}`);
    told.push(`${step} ${name} ${JSON.stringify(said ?? null)} ${JSON.stringify(await look())}`);
  }
  for (const one of [...queues, ...workers, flows]) await one.close();
  return told;
}

interface Stalling {
  moveStalledJobsToWait(): Promise<void>;
}
