/** What a process that runs schedules says of them. */

import type { Runner } from '../contract/runner.ts';
import type { ScheduleDeps } from './run-schedules.ts';

export interface ScheduleLog {
  info(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** Logs ticks when they are due and when they are done; hooks for `runSchedules`. */
export function logged(
  runner: Pick<Runner, 'finished'>,
  log: ScheduleLog,
  signal: AbortSignal,
): Required<Pick<ScheduleDeps, 'onDue' | 'onFailure'>> {
  return {
    onDue({ name, source }, tick, runId) {
      const told = { schedule: name, source, tick, job: runId };
      log.info(told, 'due');
      runner.finished(runId, { signal }).then(
        (outcome) => {
          if ('failure' in outcome) {
            const { kind, reason } = outcome.failure;
            log.error({ ...told, kind, reason }, 'failed');
            return;
          }
          const { accepted, rejected, publishedVersion, deadJobs, did, faults } = outcome.report;
          if (did) {
            if (faults?.length) log.error({ ...told, ...did, faults }, 'data are damaged');
            else log.info({ ...told, ...did }, 'done');
            return;
          }
          const counts = { accepted, rejected, publishedVersion, dead: deadJobs.length };
          if (deadJobs.length > 0) log.error({ ...told, ...counts }, 'done in part');
          else log.info({ ...told, ...counts }, 'done');
        },
        (error) => {
          if (!signal.aborted) log.error({ ...told, reason: String(error) }, 'not waited for');
        },
      );
    },
    onFailure({ name, source }, error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.error({ schedule: name, source, reason }, 'could not be started');
    },
  };
}
