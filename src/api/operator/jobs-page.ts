/** `/jobs`: a third-party dashboard if jobs are queued in Redis, else a page of the newest jobs. */

import type { RequestHandler } from 'express';
import type { PublicRoute } from '../contract/route.ts';
import type { Log } from '../http/log.ts';
import { createRequestIds, openContext } from '../http/request-context.ts';
import type { ApiResponse } from '../http/response.ts';
import { createEnd, type Measure } from '../http/send.ts';
import { escaped, htmlPage } from '../responses/html-page.ts';
import type { OperatorCheck } from './access.ts';

/** A job as the page shows it. */
export interface JobLine {
  id: string;
  queue: string;
  state: string;
  /** Null: the job is for both modes. */
  mode: string | null;
  verb: string;
  title: string;
  /** Failed attempts. */
  failures: number;
  /** Reason of the last failure. */
  reason: string | null;
}

export interface JobsSources {
  /** Newest first. */
  list(): Promise<readonly JobLine[]>;
  /** Handles all paths under `/jobs` instead of the page. */
  board?: () => Promise<RequestHandler>;
}

export const JOBS_PATH = '/jobs';

export function jobsRoute({ list }: JobsSources): PublicRoute {
  return { path: JOBS_PATH, respond: async () => jobsPage(await list()) };
}

/** States in the order of the page. */
const STATES: readonly { state: string; heading: string }[] = [
  { state: 'dead', heading: 'Failed' },
  { state: 'waiting', heading: 'Waiting' },
  { state: 'done', heading: 'Done' },
];

/** @param jobs Newest first. */
function jobsPage(jobs: readonly JobLine[]): ApiResponse {
  const sections = STATES.map(({ state, heading }) => {
    const some = jobs.filter((job) => job.state === state);
    return some.length === 0 ? '' : section(`${heading} (${some.length})`, some);
  });
  const hasDead = jobs.some(({ state }) => state === 'dead');
  const hint = hasDead
    ? '<p>Run them again: <code>npx tapeworks jobs retry --all</code>, or with ids.</p>'
    : '';
  const none = jobs.length === 0 ? '<p>There are no jobs.</p>' : '';
  const main = `<h1>Jobs</h1>\n${hint}${none}${sections.join('\n')}`;
  return htmlPage('Jobs · Tapeworks', main, 'no-store');
}

function section(heading: string, jobs: readonly JobLine[]): string {
  return `<h2>${heading}</h2>
<table>
<thead><tr><th>job</th><th>queue</th><th>failed attempts</th><th>last reason</th></tr></thead>
<tbody>
${jobs.map(row).join('\n')}
</tbody>
</table>`;
}

function row({ id, queue, mode, verb, title, failures, reason }: JobLine): string {
  const tried = failures === 0 ? '' : String(failures);
  return `<tr><th scope="row">${escaped(verb)}: ${escaped(title)} <code class="type">${escaped(id)}</code></th>
<td>${escaped(queue)} <span class="type">${escaped(mode ?? '')}</span></td><td>${tried}</td><td>${escaped(reason ?? '')}</td></tr>`;
}

export interface BoardOptions {
  check: OperatorCheck;
  log: Pick<Log, 'request'>;
  measure: Measure;
  /** Number of `/jobs` in the request metrics; it stands for all paths below. */
  route: number;
}

/**
 * Wraps the third-party dashboard: checks access, logs and measures requests. Errors of the check go
 * to the app's error handler, which logs them.
 */
export function boardHandler(
  board: () => Promise<RequestHandler>,
  { check, log, measure, route }: BoardOptions,
): RequestHandler {
  const nextRequestId = createRequestIds();
  const end = createEnd({ log, measure });
  return async (request, response, next) => {
    check(request);
    const target = request.originalUrl;
    const context = { ...openContext(request, nextRequestId()), route, target };
    response.setHeader('X-Request-Id', context.requestId);
    const dashboard = await board();
    response.once('close', () => end(context, response));
    await dashboard(request, response, next);
  };
}
