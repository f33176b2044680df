/**
 * Less patience with the dead, for tests that kill workers: one is missed after seconds instead of
 * half a minute, and looked for more often. Nothing else differs, so what is taken over is taken
 * over as ever.
 */

import { limits } from '../../../src/base/limits/limits.ts';

Object.assign(limits.redis, {
  lockMs: 4000,
  stalledMs: 1000,
  storeLockMs: 3000,
  storeRenewMs: 500,
  idleMs: 3000,
  reconnectMaxMs: 300,
  pollMs: 100,
});
