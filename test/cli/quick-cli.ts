/**
 * The command line, less patient with the dead: a worker that was killed is missed after seconds
 * instead of half a minute. Nothing else differs, so what is taken over is taken over as ever.
 */

import { enableCompileCache } from 'node:module';

enableCompileCache();
const { limits } = await import('../../src/limits.ts');
Object.assign(limits.redis, {
  lockMs: 4000,
  stalledMs: 1000,
  storeLockMs: 3000,
  storeRenewMs: 500,
  idleMs: 3000,
});
const { main } = await import('../../src/cli.ts');
await main();
