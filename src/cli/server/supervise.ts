/** Keeps something running that should never end: a thread or a process of this program. */

import { TapeworksError } from '../../base/errors.ts';
import { limits } from '../../base/limits/limits.ts';

/** One run of it. */
export interface Run {
  /** Resolves with how it ended, in words. */
  ended: Promise<string>;
  /** Asks it to end. */
  stop(): void;
  /** Ends it whatever it does. */
  kill(): void;
}

export interface Supervised<Report> {
  /**
   * What the first run has reported: it does its work.
   *
   * @throws {TapeworksError} it ended before, and its end was `fatalUntilReported`.
   */
  firstReport: Promise<Report>;
  /**
   * Asks the run to end, waits until it has, and starts no other. One that does not end is killed
   * after `stopMs`.
   */
  stop(): Promise<void>;
}

export interface SuperviseOptions<Report> {
  name: string;
  /** Starts one run, which tells of its work by `report`. */
  launch: (report: (report: Report) => void) => Run;
  note: (line: string) => void;
  stopMs: number;
  /** Whether a run that ends before any has reported is the end of it all. Default: false. */
  fatalUntilReported?: boolean;
}

/** Runs again what has ended, after a wait that doubles until a run reports that it works. */
export function supervise<Report>(options: SuperviseOptions<Report>): Supervised<Report> {
  const { name, launch, note, stopMs, fatalUntilReported = false } = options;
  const { restartFirstMs, restartMaxMs } = limits.supervisor;
  const { promise: firstReport, resolve, reject } = Promise.withResolvers<Report>();
  // Who does not wait for it hears of the end by `note`.
  firstReport.catch(() => {});
  let run: Run | undefined;
  let hasReported = false;
  let isStopping = false;
  let restarts = 0;
  let timer: NodeJS.Timeout | undefined;

  async function start(): Promise<void> {
    run = launch((report) => {
      restarts = 0;
      hasReported = true;
      resolve(report);
    });
    const how = await run.ended;
    run = undefined;
    if (isStopping) return;
    if (fatalUntilReported && !hasReported)
      return reject(new TapeworksError(`${name} ended (${how})`));
    const delayMs = Math.min(restartFirstMs * 2 ** restarts++, restartMaxMs);
    note(`${name} ended (${how}); restarting in ${delayMs / 1000} s`);
    timer = setTimeout(start, delayMs);
  }
  start();

  return {
    firstReport,
    async stop() {
      isStopping = true;
      clearTimeout(timer);
      if (!run) return;
      const { ended, kill } = run;
      run.stop();
      const killing = setTimeout(kill, stopMs);
      await ended;
      clearTimeout(killing);
    },
  };
}
