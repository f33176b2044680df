/** Bugs of jobs, in Redis and without it. */

import type { PlantedBug } from './planted-bug.ts';

const RUNNER = 'jobs/redis/redis-runner.ts';
const OWNERS = 'jobs/ledger/owner-lock.ts';

export const JOB_BUGS: readonly PlantedBug[] = [
  {
    name: 'a scheduled run that another process added is waited for',
    file: RUNNER,
    from: 'ours.tick === undefined && job.data',
    to: 'job.data',
  },
  {
    name: 'results of an earlier run stay',
    file: 'jobs/contract/staging.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of the program
    from: "nameOf(createdMs, `${index}`, 'json')",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of the program
    to: "nameOf(0, `${index}`, 'json')",
  },
  {
    name: 'the files of a later run are removed with those of an earlier one',
    file: 'jobs/contract/staged-files.ts',
    from: "name.includes(nameOf(createdMs, '', ''))",
    to: "name !== ''",
  },
  {
    name: 'loads have no epoch',
    file: 'jobs/redis/load-worker.ts',
    from: '{ settings, epoch: lock?.epoch, note: log.note }',
    to: '{ settings, note: log.note }',
  },
  {
    name: 'runs that are done are forgotten',
    file: 'jobs/ledger/ledger.ts',
    from: '.all(beforeMs)',
    to: '.all(Number.MAX_SAFE_INTEGER)',
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
