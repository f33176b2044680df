/** `/healthz` (the process runs) and `/readyz` (there is data to serve). */

import { z } from 'zod';
import { MODES, type Mode, modePaths } from '../../base/config/data-dir.ts';
import { CorruptDataError, HttpError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import {
  latestCompletedSession,
  previousSession,
  sessionCloseMs,
} from '../../base/time/calendar.ts';
import { isoOrNull } from '../../base/time/dates.ts';
import { statfsSync } from '../../base/world/files.ts';
import { readServingStatus, type ServingStatus } from '../../store/arrow/read/serving-status.ts';
import type { ServingReader } from '../../store/arrow/snapshot/snapshot.ts';
import {
  REPLICA_STATES,
  type ReplicaState,
  readReplicaState,
  replicaText,
} from '../../store/objects/replica-state.ts';
import type { PublicRoute } from '../contract/route.ts';
import { errorResponse } from '../http/error-response.ts';
import { errorSchema } from '../http/error-types.ts';
import { jsonResponse, NO_STORE } from '../http/response.ts';
import { dateTime } from '../responses/schema-fields.ts';

/**
 * State of a mode. `stale`: readable, but without bars of the last two completed sessions.
 * `damaged`: some or all published data can't be read.
 */
const readinessField = z.enum(['ready', 'stale', 'empty', 'damaged']);

export type Readiness = z.infer<typeof readinessField>;

const replicaField = z
  .strictObject({
    state: z.enum(REPLICA_STATES),
    version: z.int().nullable(),
    target: z.int().nullable().describe('Version that is downloaded.'),
    bytesDone: z.int(),
    bytesTotal: z.int(),
    confirmedAt: dateTime.nullable().describe('Last time at which no newer version was known.'),
    failure: z.string().nullable(),
  })
  .nullable()
  .meta({ id: 'ReplicaState' });

export const readinessSchema = z
  .strictObject({
    status: z.enum(['ready', 'empty']),
    modes: z.strictObject({ live: readinessField, sandbox: readinessField }),
    newestBars: z
      .strictObject({ live: dateTime.nullable(), sandbox: dateTime.nullable() })
      .describe('End of the newest bar; null without bars.'),
    diskFull: z.boolean(),
    replicas: z
      .strictObject({ live: replicaField, sandbox: replicaField })
      .optional()
      .describe('Only of a replica: how it follows the object storage.'),
  })
  .meta({ id: 'Readiness' });

/** Response without data: the error envelope and the fields of `Readiness`. */
export const unreadySchema = errorSchema
  .extend({ ...readinessSchema.shape, status: z.literal('empty') })
  .meta({ id: 'Unready' });

export const healthSchema = z.strictObject({ status: z.literal('ok') }).meta({ id: 'Health' });

/** Fields of the error in addition to the envelope. */
const UNREADY = {
  status: 'empty',
  modes: { live: 'empty', sandbox: 'empty' },
  newestBars: { live: null, sandbox: null },
  diskFull: false,
};

export interface HealthSources {
  dataDir: string;
  readers: Record<Mode, ServingReader>;
  now: () => number;
}

const NO_DATA = 'No mode has data yet';

function isDiskFull(dataDir: string): boolean {
  const { bavail, bsize } = statfsSync(dataDir);
  return bavail * bsize < limits.disk.freeBytesMin;
}

/** Returns true if bars that end at `newest` lack the last two completed sessions. */
export function isStale(newest: string | null | undefined, nowMs: number): boolean {
  if (!newest) return false;
  const expectedDay = previousSession(latestCompletedSession(nowMs));
  return Date.parse(newest) < sessionCloseMs(expectedDay);
}

/**
 * Returns the replica that has no version of its mode, and may get one soon. A machine that has
 * data already does not wait for a store that may be away.
 */
function firstDownload(replicas: readonly (ReplicaState | null)[]): ReplicaState | undefined {
  const isNew = replicas.every((one) => one === null || one.version === null);
  const found = replicas.find(
    (one) =>
      one?.version === null && (one.state === 'downloading' || (isNew && one.state === 'waiting')),
  );
  return found ?? undefined;
}

function shown(replica: ReplicaState | null) {
  if (replica === null) return null;
  const { confirmedMs, ...rest } = replica;
  return {
    ...rest,
    confirmedAt: isoOrNull(confirmedMs),
  };
}

/** Data of both modes: its state, and the end of its newest bar (null without bars). */
export interface DataState {
  modes: Record<Mode, Readiness>;
  newestBars: Record<Mode, string | null>;
}

/** Returns the state of the data when it is called. */
export function dataState({ dataDir, readers, now }: HealthSources): DataState {
  function statusOf(mode: Mode): ServingStatus | CorruptDataError | undefined {
    if (readers[mode].state() !== 'ready') return undefined;
    try {
      return readServingStatus(modePaths(dataDir, mode).serving);
    } catch (error) {
      if (error instanceof CorruptDataError) return error;
      throw error;
    }
  }
  const statuses = { live: statusOf('live'), sandbox: statusOf('sandbox') };

  function readiness(mode: Mode): Readiness {
    const state = readers[mode].state();
    if (state !== 'ready') return state;
    const status = statuses[mode];
    if (readers[mode].damage() || status instanceof CorruptDataError) return 'damaged';
    // A directory of symbols without bars is data too, and never stale.
    return isStale(status?.datasets.candles.newestBarEnd, now()) ? 'stale' : 'ready';
  }

  function newestBar(mode: Mode): string | null {
    const status = statuses[mode];
    if (status === undefined || status instanceof CorruptDataError) return null;
    const { candles, intraday } = status.datasets;
    const all = [candles, ...(intraday ? Object.values(intraday) : [])];
    const ends = all.flatMap(({ newestBarEnd }) => newestBarEnd ?? []);
    // ISO texts of one zone sort by time.
    return ends.sort().at(-1) ?? null;
  }

  return {
    modes: { live: readiness('live'), sandbox: readiness('sandbox') },
    newestBars: { live: newestBar('live'), sandbox: newestBar('sandbox') },
  };
}

export function healthRoutes(sources: HealthSources): PublicRoute[] {
  const { dataDir, readers, now } = sources;
  const replicaOf = (mode: Mode) => readReplicaState(modePaths(dataDir, mode).replicaState) ?? null;

  return [
    {
      path: '/healthz',
      contract: {
        operationId: 'getHealth',
        tag: 'Service',
        summary: 'Check liveness',
        description: 'Succeeds while the process runs; checks no data.',
        response: healthSchema,
        examples: [{ title: 'The server is alive', response: { status: 'ok' } }],
      },
      respond: () => jsonResponse(200, { status: 'ok' }, NO_STORE),
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
          'readable data, and while a replica downloads the first version of a mode.',
        response: readinessSchema,
        errors: { 503: NO_DATA },
        errorDetails: { 503: { schema: unreadySchema, example: UNREADY } },
        examples: [
          {
            title: 'Live data is stale, the sandbox is ready',
            response: {
              status: 'ready',
              modes: { live: 'stale', sandbox: 'ready' },
              newestBars: {
                live: '2026-11-13T21:00:00.000Z',
                sandbox: '2026-11-17T21:00:00.000Z',
              },
              diskFull: false,
            },
          },
        ],
      },
      respond(context) {
        const replicas = { live: replicaOf('live'), sandbox: replicaOf('sandbox') };
        const first = firstDownload(MODES.map((mode) => replicas[mode]));
        const isReady = !first && MODES.some((mode) => readers[mode].state() === 'ready');
        const status = isReady ? 'ready' : 'empty';
        const isReplica = MODES.some((mode) => replicas[mode] !== null);
        const body = {
          ...{ status, ...dataState(sources), diskFull: isDiskFull(dataDir) },
          ...(isReplica && {
            replicas: { live: shown(replicas.live), sandbox: shown(replicas.sandbox) },
          }),
        };
        if (isReady) return jsonResponse(200, body, NO_STORE);
        const reason = first ? replicaText(first, now()) : NO_DATA;
        return errorResponse(new HttpError(503, reason), context, body);
      },
    },
  ];
}
