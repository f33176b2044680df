/** `/healthz` (the process answers) and `/readyz` (there is data to answer with). */

import { statfsSync } from 'node:fs';
import { MODES, type Mode, modePaths } from '../../base/config/data-dir.ts';
import { CorruptDataError, HttpError } from '../../base/errors.ts';
import { limits } from '../../base/limits/limits.ts';
import {
  latestCompletedSession,
  previousSession,
  sessionCloseMs,
} from '../../base/time/calendar.ts';
import { readServingStatus, type ServingStatus } from '../../store/arrow/read/serving-status.ts';
import type { ServingReader } from '../../store/arrow/snapshot/snapshot.ts';
import { healthSchema, readinessSchema, unreadySchema } from '../docs/answer-schemas.ts';
import { healthExample, readinessExample, UNREADY } from '../docs/examples/service.ts';
import { errorReply } from '../http/error-reply.ts';
import { noParameters } from '../http/query.ts';
import { jsonAnswer, NO_STORE } from '../http/response.ts';
import type { PublicRoute } from '../http/route.ts';

/**
 * `stale`: readable, but bars of the last two completed sessions are missing. `damaged`: some of
 * what is published can't be read, or all of it.
 */
export type Readiness = 'ready' | 'stale' | 'empty' | 'damaged';

export interface HealthSources {
  dataDir: string;
  readers: Record<Mode, ServingReader>;
  now: () => number;
}

const NO_DATA = 'No mode has data yet';

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
  function statusOf(mode: Mode): ServingStatus | CorruptDataError | undefined {
    try {
      return readServingStatus(modePaths(dataDir, mode).serving);
    } catch (error) {
      if (error instanceof CorruptDataError) return error;
      throw error;
    }
  }

  function readiness(mode: Mode): Readiness {
    const state = readers[mode].state();
    if (state !== 'ready') return state;
    const status = statusOf(mode);
    if (readers[mode].damage() || status instanceof CorruptDataError) return 'damaged';
    const newest = status?.datasets.candles.newestBarEnd;
    // A directory of symbols, or actions, without any bars is data too, and none of it is old.
    if (!newest) return 'ready';
    const expectedDay = previousSession(latestCompletedSession(now()));
    return Date.parse(newest) < sessionCloseMs(expectedDay) ? 'stale' : 'ready';
  }

  return [
    {
      path: '/healthz',
      contract: {
        operationId: 'getHealth',
        tag: 'Service',
        summary: 'Check liveness',
        description: 'Succeeds while the process runs; checks no data.',
        query: noParameters,
        answer: healthSchema,
        examples: [healthExample],
      },
      answer: () => jsonAnswer(200, { status: 'ok' }, NO_STORE),
    },
    {
      path: '/readyz',
      contract: {
        operationId: 'getReadiness',
        tag: 'Service',
        summary: 'Check readiness',
        description:
          'Each mode is `ready`, `stale` (the newest bar is older than the session before the ' +
          'latest completed one; the data is still served), `empty` or `damaged` (some or all data ' +
          'is damaged; the intact part is still served). The status is 503 while no mode has ' +
          'readable data.',
        query: noParameters,
        answer: readinessSchema,
        errors: { 503: NO_DATA },
        errorDetails: {
          503: { schema: unreadySchema, example: UNREADY },
        },
        examples: [readinessExample],
      },
      answer(exchange) {
        const modes = { live: readiness('live'), sandbox: readiness('sandbox') };
        const isReady = MODES.some((mode) => readers[mode].state() === 'ready');
        const status = isReady ? 'ready' : 'empty';
        const body: ReadinessBody = { status, modes, diskFull: isDiskFull(dataDir) };
        if (isReady) return jsonAnswer(200, body, NO_STORE);
        return errorReply(new HttpError(503, NO_DATA), exchange, body);
      },
    },
  ];
}
