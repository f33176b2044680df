/** The command line as `quick-limits.ts` says. */

import { enableCompileCache } from 'node:module';

enableCompileCache();
await import('./quick-limits.ts');
const { main } = await import('../../../src/cli.ts');
await main();
