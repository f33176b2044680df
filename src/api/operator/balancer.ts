/** `GET /operator/balancer`: a response that is cut on purpose, to see what a load balancer makes of it. */

import type { PublicRoute } from '../contract/route.ts';
import { originOf } from '../http/error-response.ts';
import { CONTENT_TYPES } from '../http/format.ts';
import { checkedQuery, noParameters } from '../http/query.ts';
import { followedResponse } from '../http/response.ts';

/** The request as the balancer passed it on: the first line of the response. */
export interface BalancerReport {
  /** Address for links, from `Host` and `X-Forwarded-Proto`. */
  origin: string;
  /** Version of HTTP between the balancer and the server. */
  httpVersion: string;
  /** True if it passed on `X-API-Key`. */
  hasKey: boolean;
}

export const BALANCER_PATH = '/operator/balancer';

/** Header by which clients of bulk responses see a cut. */
export const ROWS_HEADER = 'X-SVC-Rows';

/** Bytes after the report: a balancer may hold back a short response. */
const FILLER = ' '.repeat(64 * 1024);

export const balancerRoute: PublicRoute = {
  path: BALANCER_PATH,
  respond({ query, headers, request }) {
    checkedQuery(noParameters, query);
    const report: BalancerReport = {
      origin: originOf(headers),
      httpVersion: request.httpVersion,
      hasKey: headers['x-api-key'] !== undefined,
    };
    const text = `${JSON.stringify(report)}\n${FILLER}`;
    const made = followedResponse(CONTENT_TYPES.json, (response) => {
      const closed = new Promise<void>((resolve) => response.once('close', resolve));
      // Once the kernel has the text, the connection ends as that of a killed server does.
      response.write(text, () => response.destroy());
      return closed;
    });
    return { ...made, headers: [...made.headers, ROWS_HEADER, '1'] };
  },
};
