/** Bugs of jobs, in Redis and without it. */

import type { PlantedBug } from './planted-bug.ts';

const RUNNER = 'jobs/redis/redis-runner.ts';
const OWNERS = 'jobs/ledger/owner-lock.ts';
const ADD = 'jobs/redis/add-run.ts';

export const JOB_BUGS: readonly PlantedBug[] = [
  {
    name: 'a run that Redis lost is not added again',
    file: RUNNER,
    from: '    if (!job) return true;\n    // A worker',
    to: '    if (!job) return false;\n    // A worker',
  },
  {
    name: 'a scheduled run that another process added is waited for',
    file: RUNNER,
    from: 'ours.tick === undefined && job.data',
    to: 'job.data',
  },
  {
    name: 'results of an earlier run stay',
    file: RUNNER,
    from: '          await removeStaged(stage, run.id);\n',
    to: '',
  },
  {
    name: 'a failed task that is added again blocks its load',
    file: ADD,
    from: '  if (isAgain) await releaseFailed(queues, run);\n',
    to: '',
  },
  {
    name: 'the gate of a long run opens before its tasks are added',
    file: ADD,
    from: '  if (isLong) await addChunks(queues, run);\n',
    to: '  if (isLong) await openGate(queues, run);\n  if (isLong) await addChunks(queues, run);\n',
  },
  {
    name: 'a worker ends if Redis goes away as it starts',
    file: 'jobs/redis/worker.ts',
    from: 'throw isAway(error) ? unreachable(url, error) : error;',
    to: 'throw error;',
  },
  {
    name: 'loads have no epoch',
    file: 'jobs/redis/load-worker.ts',
    from: '{ settings, epoch: lock?.epoch, note: log.note }',
    to: '{ settings, note: log.note }',
  },
  {
    name: 'a retried job is delayed without its lock',
    file: 'jobs/redis/take-jobs.ts',
    from: 'await job.moveToDelayed(wallMs() + waitMs, token);',
    to: 'if (waitMs === 0) await job.moveToDelayed(wallMs(), token);',
  },
  {
    name: 'a dead owner of runs is not found',
    file: OWNERS,
    from: 'if (!existsSync(path)) return true;',
    to: 'if (!existsSync(path)) return false;',
  },
  {
    name: 'a living owner of runs counts as dead',
    file: OWNERS,
    from: '  lock?.close();\n  return lock !== undefined;',
    to: '  lock?.close();\n  return true;',
  },
];
