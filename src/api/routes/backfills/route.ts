/** `/svc/backfills`: data that the caller's account loads from sources into live mode. */

import { z } from 'zod';
import { HttpError, ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { quoted } from '../../../base/quoted.ts';
import type { Backfill, NewBackfill } from '../../../store/accounts/backfills/backfill-record.ts';
import type { ListPlace } from '../../../store/accounts/database/list-part.ts';
import type { StoredRecords } from '../../../store/accounts/records/contract.ts';
import type { RouteAccess } from '../../access/admission.ts';
import type { Route, RouteSources } from '../../contract/route.ts';
import type { AdmittedContext } from '../../http/request-context.ts';
import { type ApiResponse, createResponse, jsonResponse, NO_STORE } from '../../http/response.ts';
import { listParameters, listResponse, onlyPage } from '../../responses/pages.ts';
import { newBackfillBody, orderFromBody } from './body.ts';
import {
  ACCEPTED,
  acceptedBackfillSchema,
  BACKFILL,
  backfillPageSchema,
  backfillSchema,
  ID,
  UNKNOWN_BACKFILL,
} from './schema.ts';

export const loading: RouteAccess = { scope: 'ingest:write', tokens: 1, beyondQuota: true };

export const SANDBOX_REFUSED =
  'The sandbox takes no data: use a live key with the scope "ingest:write" ' +
  '(npx tapeworks keys create --mode live --label me --scopes all,ingest:write)';

export const NO_JOBS =
  'Nothing runs backfills on this server: start it with "tapeworks start", or set ' +
  'TAPEWORKS_REDIS_URL and run a worker';

const { accountOpenMax, symbolsMax } = limits.backfills;

export const REFUSALS = {
  403: SANDBOX_REFUSED,
  429: `The account has ${accountOpenMax} unfinished backfills: wait until one has ended, or cancel one`,
  503: NO_JOBS,
};

const backfillPath = z.strictObject({
  id: z.string().min(1).describe('The `id` of a backfill.'),
});

const UNKNOWN = { 404: UNKNOWN_BACKFILL };

/**
 * Checks that backfills run here and that the key is of live mode.
 *
 * @throws {HttpError} 403, 503
 */
export function requireJobs({ key }: AdmittedContext, { jobsRun }: RouteSources): void {
  if (key.mode !== 'live') throw new HttpError(403, SANDBOX_REFUSED);
  if (!jobsRun()) throw new HttpError(503, NO_JOBS, ['Retry-After', '10']);
}

/** @throws {HttpError} 403, 429, 503 */
export async function acceptBackfill(
  context: AdmittedContext,
  sources: RouteSources,
  backfill: Pick<NewBackfill, 'id' | 'order'>,
  accounts: Pick<StoredRecords, 'createBackfill'> = sources.accounts,
): Promise<ApiResponse> {
  requireJobs(context, sources);
  const { account, mode } = context.key;
  const { id, state } = await accounts.createBackfill({ account, mode, ...backfill });
  return jsonResponse(202, { id, state }, NO_STORE);
}

function jsonFromBackfill({ account, order, isCancelled, run, ...backfill }: Backfill) {
  const { source, dataset, symbols, from, to, file } = order;
  const shown = file && { name: file.name, bytes: file.bytes };
  return { ...backfill, source, dataset, symbols, from, to, file: shown };
}

/** @throws {HttpError} 404: it does not exist, or belongs to another account or mode. */
async function ownBackfill(
  { key, params }: AdmittedContext,
  { accounts, readers }: RouteSources,
): Promise<Backfill> {
  const backfill = await accounts.findBackfill(key.account, key.mode, params.id);
  if (!backfill) throw new HttpError(404, `No backfill ${quoted(params.id)} in ${key.mode} mode`);
  // A client that sees the end requests the new data at once.
  if (backfill.endedAt !== null) readers[key.mode].catchUp();
  return backfill;
}

const listBackfills: Route = {
  template: '/svc/backfills',
  access: loading,
  contract: {
    operationId: 'listBackfills',
    tag: 'Backfills',
    summary: 'List backfills',
    description: 'Returns the backfills of your account in the last 30 days, newest first.',
    query: listParameters,
    response: backfillPageSchema,
    examples: [{ title: 'Your backfills', response: onlyPage([BACKFILL]) }],
  },
  respond(context, sources) {
    const { account, mode } = context.key;
    const read = (place: ListPlace) => sources.accounts.listBackfillPart(account, mode, place);
    return listResponse(sources, context, 'backfills', read, jsonFromBackfill);
  },
};

const createBackfill: Route = {
  method: 'POST',
  template: '/svc/backfills',
  access: loading,
  contract: {
    operationId: 'createBackfill',
    tag: 'Backfills',
    summary: 'Create a backfill',
    description:
      'Loads what is missing of the symbols into live mode, as the command `backfill` does, and ' +
      'publishes it. The response comes at once; `GET /svc/backfills/{id}` shows the progress. ' +
      `A request names at most ${symbolsMax} symbols, and an account can have ${accountOpenMax} ` +
      'unfinished backfills. The server needs the key of the source in its settings.',
    body: newBackfillBody,
    isIdempotent: true,
    status: 202,
    response: acceptedBackfillSchema,
    errors: {
      ...REFUSALS,
      400: `symbols must be a list of 1 to ${symbolsMax} symbols, it is missing`,
    },
    examples: [
      {
        title: 'Load the bars of a symbol',
        body: { source: 'any', symbols: ['AAPL'] },
        response: ACCEPTED,
      },
    ],
  },
  respond: (context, sources) =>
    sources.once(context, newBackfillBody, async (body, accounts) =>
      acceptBackfill(context, sources, { order: orderFromBody(body) }, accounts),
    ),
};

const getBackfill: Route = {
  template: '/svc/backfills/{id}',
  access: loading,
  contract: {
    operationId: 'getBackfill',
    tag: 'Backfills',
    summary: 'Get a backfill',
    description: 'Shows its state and progress and, once it has ended, its result.',
    path: backfillPath,
    response: backfillSchema,
    errors: UNKNOWN,
    examples: [{ title: 'One backfill', path: { id: ID }, response: BACKFILL }],
  },
  respond: async (context, sources) =>
    jsonResponse(200, jsonFromBackfill(await ownBackfill(context, sources)), NO_STORE),
};

const cancelBackfill: Route = {
  method: 'DELETE',
  template: '/svc/backfills/{id}',
  access: loading,
  contract: {
    operationId: 'cancelBackfill',
    tag: 'Backfills',
    summary: 'Cancel a backfill',
    description:
      'Cancels a backfill that waits or runs. One that runs begins no further part: it loads ' +
      'what it has fetched, and `GET /svc/backfills/{id}` shows it as `cancelled` once it has ' +
      'ended, with its result.',
    path: backfillPath,
    status: 204,
    errors: { ...UNKNOWN, 400: 'id must be of a backfill that waits or runs, and it is done' },
    examples: [{ title: 'Cancel a backfill', path: { id: ID } }],
  },
  async respond(context, sources) {
    const { id } = await ownBackfill(context, sources);
    const { account, mode } = context.key;
    if (!(await sources.accounts.cancelBackfill(account, mode, id))) {
      const { state } = await ownBackfill(context, sources);
      const rule = 'must be of a backfill that waits or runs';
      throw new ParameterError('id', `id ${rule}, and it is ${state}`);
    }
    return createResponse(204, '', '');
  },
};

export const backfillRoutes = [listBackfills, createBackfill, getBackfill, cancelBackfill];
