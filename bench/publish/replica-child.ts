/** Uploads or follows until SIGTERM: `replica-child.ts upload|follow DATA_DIR`. */

import { settingsFromEnv } from '../../src/base/config/config.ts';
import { followObjects } from '../../src/store/replicas/run-replica.ts';
import { keepUploading } from '../../src/store/replicas/run-uploads.ts';

const [work, dataDir] = process.argv.slice(2);
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
const { snapshotsUrl } = settingsFromEnv(process.env);
const note = (line: string) => process.stderr.write(`${work}: ${line}\n`);
const run = work === 'upload' ? keepUploading : followObjects;
await run({ dataDir, snapshotsUrl }, note, stop.signal);
