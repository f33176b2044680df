/** Processes of `start` that run jobs, each only while it has work: its memory ends with it. */

import { JobLedger } from '../../../jobs/ledger/ledger.ts';
import { isGone, OwnerLock } from '../../../jobs/ledger/owner-lock.ts';
import { configuredSchedules } from '../../../jobs/schedule/schedules.ts';
import { latestTick } from '../../../jobs/schedule/ticks.ts';
import type { Settings } from '../../base/config/config.ts';
import { accountsPlace, jobsPaths } from '../../base/config/data-dir.ts';
import { limits } from '../../base/limits.ts';
import { pause } from '../../base/time/pause.ts';
import { wallMs } from '../../base/world/clock.ts';
import { openRecords } from '../../store/accounts/open.ts';
import { superviseVerb, superviseWhile } from './supervise.ts';

/**
 * Runs the backfills that clients request, runs without an owner and schedules, until the signal
 * aborts. With Redis, whose jobs are elsewhere, the processes stay.
 *
 * @param onBackfills Called with true while there are backfills, which people wait for.
 */
export async function runWork(
  settings: Settings,
  note: (line: string) => void,
  signal: AbortSignal,
  onBackfills: (areThere: boolean) => void,
): Promise<void> {
  const accounts = openRecords(accountsPlace(settings.dataDir));
  using runs = settings.redisUrl === undefined ? waitingRuns(settings.dataDir) : undefined;
  const schedules = configuredSchedules(settings);
  let dealtMs = Number.NEGATIVE_INFINITY;
  const hasBackfills = async (isRunning: boolean) => {
    const areOpen = (await accounts.openBackfills()).length > 0;
    onBackfills(areOpen);
    return areOpen || !runs || runs.wait(isRunning);
  };
  const hasTicks = async (isRunning: boolean) => {
    const tickMs = Math.max(...schedules.map(({ rule }) => latestTick(rule, wallMs())));
    return tickMs > dealtMs || !runs || (isRunning && runs.wait(isRunning));
  };
  const backfills = () => superviseVerb(['pipeline', '--backfills'], { name: 'backfills', note });
  const ticks = () =>
    superviseVerb(['pipeline', '--schedules'], {
      ...{ name: 'schedules', note },
      // Ticks that must be tried again are not reported: the process stays for them.
      onReport: (tickMs) => {
        dealtMs = Number(tickMs);
      },
    });
  const every = (ms: number) => () => pause(ms, signal);
  try {
    await Promise.all([
      superviseWhile(hasBackfills, backfills, signal, every(limits.backfills.pollMs)),
      schedules.length > 0 && superviseWhile(hasTicks, ticks, signal, every(limits.jobs.keeperMs)),
    ]);
  } finally {
    await accounts.close();
  }
}

/** Looks at the ledger, and tells others that runs without an owner are taken. */
function waitingRuns(dataDir: string) {
  const { ledger: path, owners } = jobsPaths(dataDir);
  const ledger = new JobLedger(path);
  const keeper = new OwnerLock(owners, { isKeeper: true });
  return {
    /** Returns true if runs wait: any for a running process, else those without an owner. */
    wait: (isRunning: boolean) =>
      ledger.runs('waiting').some(({ owner }) => isRunning || isGone(owners, owner)),
    [Symbol.dispose]() {
      keeper.close();
      ledger.close();
    },
  };
}
