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
    name: 'the lock of the store is renewed without a look at its holder',
    file: 'jobs/redis/store-lock.ts',
    from: '  if not isOurs then return 0 end\n',
    to: '',
  },
  {
    name: 'a delivery is settled before it is sent',
    file: 'jobs/webhooks/deliver-one.ts',
    from: '    const settled = await attempted(claimed, options, connect, signal);\n',
    to: '    const sent = { status: 200, error: null, retryAfterMs: undefined };\n    await accounts.settleDelivery(claimed, afterAttempt(claimed, sent, { nowMs: wallMs(), random: 0 }));\n    const settled = await attempted(claimed, options, connect, signal);\n',
  },
  {
    name: 'a vendor that is busy is asked once',
    file: 'jobs/contract/failure.ts',
    from: 'if (tries >= (TRIES_MAX[kind] ?? 1)) return undefined;',
    to: 'if (tries >= 1) return undefined;',
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
