import { limits } from '../../src/base/limits.ts';
import { pause } from '../../src/base/time/pause.ts';
import type { Runner } from '../contract/runner.ts';

/**
 * Takes over runs without a living owner until the signal aborts: those of killed processes, and
 * those that an API process has requeued.
 */
export async function keepRuns(runner: Pick<Runner, 'resume'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // The ledger may be locked for a moment, or its disk full.
    await runner.resume().catch(() => 0);
    await pause(limits.jobs.keeperMs, signal);
  }
}
