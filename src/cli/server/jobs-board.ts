/** bull-board for the queues in Redis: shows all jobs, and retries failed ones. */

import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { type RequestHandler, Router } from 'express';
import type { Runner } from '../../../jobs/contract/runner.ts';
import type { Queues } from '../../../jobs/redis/queues.ts';
import { JOBS_PATH } from '../../api/operator/jobs-page.ts';

/** Security headers: its pages load only their own files, and have styles in attributes. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Builds the handler of `/jobs`; access is checked before. */
export function createJobsBoard(
  { fetch, load, webhooks, maintenance }: Queues,
  runner: Pick<Runner, 'retry'>,
): RequestHandler {
  const serverAdapter = new ExpressAdapter().setBasePath(JOBS_PATH);
  createBullBoard({
    queues: [fetch, load, webhooks, maintenance].map((queue) => new BullMQAdapter(queue)),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Tapeworks jobs', hideRedisDetails: true } },
  });
  const router = Router();
  router.use((_request, response, next) => {
    response.set(HEADERS);
    next();
  });
  // bull-board would only requeue the job: no load would follow the fetch of a failed task.
  router.put('/api/queues/:queue/:job/retry{/:status}', async (request, response) => {
    await runner.retry([request.params.job]);
    response.status(204).end();
  });
  router.put('/api/queues/:queue/retry/:status', async (_request, response) => {
    await runner.retry('all');
    response.status(204).end();
  });
  router.use((request, response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    response.status(405).set('Allow', 'GET, HEAD').json({ error: 'Jobs can only be run again' });
  });
  router.use(serverAdapter.getRouter());
  return router;
}
