/**
 * Shorter waits, for tests of workers that die and of requests that fail: a worker is missed after
 * some seconds instead of half a minute, and a second try comes at once. Nothing else differs.
 * A living worker that gets no processor for as long as a lock lasts would lose its jobs.
 */

import { limits } from '../../../src/base/limits.ts';

Object.assign(limits.redis, {
  lockMs: 12_000,
  stalledMs: 1000,
  storeLockMs: 12_000,
  storeRenewMs: 500,
  idleMs: 3000,
  reconnectMaxMs: 300,
  pollMs: 100,
});
Object.assign(limits.http, { backoffFirstMs: 20 });
Object.assign(limits.jobs, { backoffFirstMs: 100 });
