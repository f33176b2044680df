/** Takes a backup in a process of its own: `backup.ts DATA_DIR TARGET`. */

import { backup } from '../../../jobs/backup/backup.ts';
import { DEPS } from '../support/flow.ts';

const [dataDir, target] = process.argv.slice(2);
await backup({ dataDir, target }, DEPS);
