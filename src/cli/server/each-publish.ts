import { MODES, type Mode, modePaths } from '../../base/config/data-dir.ts';
import { pause } from '../../base/time/pause.ts';
import { manifestStamp } from '../../store/arrow/format/manifest.ts';

export interface PublishFollower {
  dataDir: string;
  /** Interval of looks for a new version. */
  pollMs: number;
  /** Shortest time between two rounds of a mode. */
  restMs: number;
  /** Does what the published version needs. A round that throws is repeated. */
  round: (mode: Mode, signal: AbortSignal) => Promise<void>;
  /** Called with the message of a failed round, unless the round before failed with it too. */
  onFailure: (mode: Mode, message: string) => void;
}

/** Calls `round` after each publish of a mode, and once at first, until the signal aborts. */
export async function eachPublish(
  { dataDir, pollMs, restMs, round, onFailure }: PublishFollower,
  signal: AbortSignal,
): Promise<void> {
  const modes = MODES.map((mode) => ({ mode, stamp: '', nextMs: 0, failure: '' }));
  while (!signal.aborted) {
    for (const one of modes) {
      // Read before the round: a publish during the round needs another one.
      const stamp = manifestStamp(modePaths(dataDir, one.mode).serving);
      if (stamp === one.stamp || performance.now() < one.nextMs) continue;
      const failure = await round(one.mode, signal).then(
        () => '',
        (error: Error) => error.message || error.name,
      );
      if (failure && failure !== one.failure && !signal.aborted) onFailure(one.mode, failure);
      if (!failure) one.stamp = stamp;
      one.failure = failure;
      one.nextMs = performance.now() + restMs;
    }
    await pause(pollMs, signal);
  }
}
