/** `/healthz` (the process answers) and `/readyz` (there is data to answer with). */

import { statfsSync } from 'node:fs';
import { latestCompletedSession, previousSession, sessionCloseMs } from '../calendar.ts';
import { MODES, type Mode, modePaths } from '../data-dir.ts';
import { HttpError } from '../errors.ts';
import { limits } from '../limits.ts';
import { readServingStatus } from '../store/serving/serving-status.ts';
import type { ServingReader } from '../store/serving/snapshot.ts';
import { jsonAnswer } from './answer.ts';
import { errorReply } from './error-reply.ts';
import type { PublicRoute } from './route.ts';

/** `stale`: readable, but bars of the last two completed sessions are missing. */
export type Readiness = 'ready' | 'stale' | 'empty' | 'damaged';

export interface HealthSources {
  dataDir: string;
  readers: Record<Mode, ServingReader>;
  now: () => number;
}

const NO_STORE = ['Cache-Control', 'no-store'];

interface ReadinessBody extends Record<string, unknown> {
  status: 'ready' | 'empty';
  modes: Record<Mode, Readiness>;
  diskFull: boolean;
}

function isDiskFull(dataDir: string): boolean {
  const { bavail, bsize } = statfsSync(dataDir);
  return bavail * bsize < limits.disk.freeBytesMin;
}

export function healthRoutes({ dataDir, readers, now }: HealthSources): PublicRoute[] {
  function readiness(mode: Mode): Readiness {
    const state = readers[mode].state();
    if (state !== 'ready') return state;
    const newest = readServingStatus(modePaths(dataDir, mode).serving)?.datasets.candles
      .newestBarEnd;
    // A directory of symbols, or actions, without any bars is data too, and none of it is old.
    if (!newest) return 'ready';
    const expectedDay = previousSession(latestCompletedSession(now()));
    return Date.parse(newest) < sessionCloseMs(expectedDay) ? 'stale' : 'ready';
  }

  return [
    { path: '/healthz', answer: () => jsonAnswer(200, { status: 'ok' }, NO_STORE) },
    {
      path: '/readyz',
      answer(exchange) {
        const modes = { live: readiness('live'), sandbox: readiness('sandbox') };
        const isReady = MODES.some((mode) => readers[mode].state() === 'ready');
        const status = isReady ? 'ready' : 'empty';
        const body: ReadinessBody = { status, modes, diskFull: isDiskFull(dataDir) };
        if (isReady) return jsonAnswer(200, body, NO_STORE);
        return errorReply(new HttpError(503, 'No mode has data yet'), exchange, body);
      },
    },
  ];
}
