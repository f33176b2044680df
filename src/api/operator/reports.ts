/** `/operator/…`: reports and retries for the operator, as JSON. The page's view shows them. */

import { z } from 'zod';
import { MODES, type Mode } from '../../base/config/data-dir.ts';
import { limits } from '../../base/limits.ts';
import type { RetryRequest } from '../../base/operator/report.ts';
import type { PublicRoute } from '../contract/route.ts';
import { checkedBody } from '../http/body.ts';
import { CONTENT_TYPES } from '../http/format.ts';
import { checkedQuery, noParameters } from '../http/query.ts';
import { choiceField } from '../http/query-fields.ts';
import { type ApiResponse, createResponse, NO_STORE } from '../http/response.ts';

/** Source of reports. The results are JSON. */
export interface OperatorReports {
  /** Makes an `OperatorReport`. */
  status(): Promise<string>;
  /** Makes a `GapsReport`. */
  gaps(mode: Mode): Promise<string>;
  /**
   * Requeues failed jobs. @returns `{"runs": […]}`, the ids of their runs.
   *
   * @throws {HttpError} 404 or 503: there is no such job, or no process runs jobs.
   */
  retry(request: RetryRequest): Promise<string>;
}

const { retriedMax, idCharsMax, heldSymbolsShown } = limits.operatorReport;

const gapsParameters = z.strictObject({ mode: choiceField(MODES) });

const ID_RULE = `must be an id, of 1 to ${idCharsMax} characters`;

const retryBody = z.strictObject({
  jobs: z
    .array(z.string({ error: ID_RULE }).min(1, ID_RULE).max(idCharsMax, ID_RULE), {
      error: 'must be a list of ids',
    })
    .min(1, { error: 'must have an id' })
    .max(retriedMax, { error: `must have at most ${retriedMax} ids` }),
  accept: z
    .union([z.boolean(), z.array(z.string()).min(1).max(heldSymbolsShown)], {
      error: 'must be true or false, or a list of symbols',
    })
    .default(false),
});

export function reportRoutes({ status, gaps, retry }: OperatorReports): PublicRoute[] {
  return [
    {
      path: '/operator/status',
      async respond({ query }) {
        checkedQuery(noParameters, query);
        return json(200, await status());
      },
    },
    {
      path: '/operator/gaps',
      async respond({ query }) {
        return json(200, await gaps(checkedQuery(gapsParameters, query).mode));
      },
    },
    {
      method: 'POST',
      path: '/operator/retry',
      async respond(context) {
        return json(202, await retry(await checkedBody(context, retryBody)));
      },
    },
  ];
}

function json(status: number, text: string): ApiResponse {
  return createResponse(status, CONTENT_TYPES.json, text, NO_STORE);
}
