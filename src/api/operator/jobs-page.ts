/** `/jobs`: somebody else's dashboard where jobs are queued in Redis, else a page of the newest. */

import type { RequestHandler } from 'express';
import { escaped } from '../docs/reference/html.ts';
import { HTML_TYPE, type Page, pageHeaders, pageHtml } from '../docs/reference/page.ts';
import { type Answer, createAnswer, NO_STORE } from '../http/response.ts';
import type { PublicRoute } from '../http/route.ts';

/** A job as the page shows it. */
export interface JobLine {
  id: string;
  queue: string;
  state: string;
  /** Null: what it does is of both. */
  mode: string | null;
  verb: string;
  title: string;
  /** Tries that failed. */
  failures: number;
  /** Why the last of them failed. */
  reason: string | null;
}

export interface JobsSources {
  /** Newest first. */
  list(): Promise<readonly JobLine[]>;
  /** Answers all that is under `/jobs` itself, instead of the page. */
  board?: () => Promise<RequestHandler>;
}

export const JOBS_PATH = '/jobs';

export function jobsRoute({ list }: JobsSources): Pick<PublicRoute, 'path' | 'answer'> {
  return { path: JOBS_PATH, answer: async () => jobsAnswer(await list()) };
}

const TITLE = 'Jobs';

/** In the order in which people look for them. */
const STATES: readonly { state: string; heading: string }[] = [
  { state: 'dead', heading: 'Failed' },
  { state: 'waiting', heading: 'To be done' },
  { state: 'done', heading: 'Done' },
];

/** @param jobs Newest first. */
function jobsAnswer(jobs: readonly JobLine[]): Answer {
  const sections = STATES.map(({ state, heading }) => {
    const some = jobs.filter((job) => job.state === state);
    return some.length === 0 ? '' : section(`${heading} (${some.length})`, some);
  });
  const hasDead = jobs.some(({ state }) => state === 'dead');
  const hint = hasDead
    ? '<p>Run them again: <code>npx tapeworks jobs retry --all</code>, or with ids.</p>'
    : '';
  const none = jobs.length === 0 ? '<p>There are no jobs.</p>' : '';
  const main = `<h1>${TITLE}</h1>\n${hint}${none}${sections.join('\n')}`;
  const page: Page = { title: `${TITLE} · Tapeworks`, main };
  return createAnswer(200, HTML_TYPE, pageHtml(page), [...NO_STORE, ...pageHeaders(page)]);
}

function section(heading: string, jobs: readonly JobLine[]): string {
  return `<h2>${heading}</h2>
<div class="table"><table>
<thead><tr><th>job</th><th>queue</th><th>failed attempts</th><th>last reason</th></tr></thead>
<tbody>
${jobs.map(row).join('\n')}
</tbody>
</table></div>`;
}

function row({ id, queue, mode, verb, title, failures, reason }: JobLine): string {
  const tried = failures === 0 ? '' : String(failures);
  return `<tr><th scope="row">${escaped(verb)}: ${escaped(title)} <code class="type">${escaped(id)}</code></th>
<td>${escaped(queue)} <span class="type">${escaped(mode ?? '')}</span></td><td>${tried}</td><td>${escaped(reason ?? '')}</td></tr>`;
}
