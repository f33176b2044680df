/** One API thread: opens accounts and published data, then listens. */

import { createApp } from '../../api/app.ts';
import { listen } from '../../api/http/listen.ts';
import { createLog } from '../../api/http/log.ts';
import { startThreadMetrics } from '../../api/operator/metrics/thread-metrics.ts';
import { prepareVersion } from '../../api/operator/prepare-version.ts';
import { createScreens } from '../../api/screens/client.ts';
import { createStreams } from '../../api/streams/streams.ts';
import { accountsPlace, MODES, type Mode, modePaths } from '../../base/config/data-dir.ts';
import { limits } from '../../base/limits.ts';
import { clearInterval, setInterval, wallMs } from '../../base/world/clock.ts';
import { process } from '../../base/world/process.ts';
import { parentPort } from '../../base/world/threads.ts';
import { openAccounts } from '../../store/accounts/open.ts';
import type { SharedCounts } from '../../store/accounts/usage/usage-counts.ts';
import { openServing } from '../../store/arrow/read/reader.ts';
import type { ApiMessage, ApiReply, ApiThreadData } from './api-threads.ts';
import { operatorJobs } from './operator-jobs.ts';
import { createOperatorReports } from './operator-reports.ts';
import { createSqlQueries } from './sql-queries.ts';

const { promise: begun, resolve: begin } = Promise.withResolvers<ApiThreadData>();
const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();

const screens = createScreens();

parentPort?.on('message', (message: ApiMessage) => {
  if (message.kind === 'stop') stop();
  else if (message.kind === 'screens') screens.connect(message.port);
  else begin(message.data);
});

const { settings, threadCount, memory, metrics, streamMemory, thread } = await begun;
const log = createLog(settings.logLevel);
const tell = (message: ApiReply) => parentPort?.postMessage(message);
const counts: SharedCounts = { memory, post: (usage) => tell({ kind: 'usage', counts: usage }) };
const accounts = openAccounts(accountsPlace(settings.dataDir), wallMs, counts);
// A thread that crashes still posts what it has counted.
process.on('exit', accounts.flush);
const open = (mode: Mode) =>
  openServing(modePaths(settings.dataDir, mode).serving, {
    prepare: prepareVersion,
    holdsReplaced: true,
    onError: (error) => log.damage(mode, error),
  });
const readers = { live: open('live'), sandbox: open('sandbox') };
// A replica downloads damaged files again.
const lookForDamage = setInterval(() => {
  for (const mode of MODES) if (readers[mode].damage()) tell({ kind: 'damage', mode });
}, limits.replicas.damageLookMs);
const responseBytesMax = limits.responseCache.bytesMax / threadCount;
const jobs = operatorJobs(settings);
const streams = createStreams({ accounts, now: wallMs, log, memory: streamMemory, thread });
const threadMetrics = startThreadMetrics(metrics, thread, streams.count);
const operator = {
  memory: metrics,
  own: thread,
  families: [threadMetrics.families, jobs.families],
  jobs,
  reports: createOperatorReports(settings),
};
const sql = createSqlQueries(Math.max(1, Math.floor(limits.sql.processesMax / threadCount)));
const app = createApp({
  ...{ settings, readers, accounts, log, screens, streams, responseBytesMax, operator, sql },
  now: wallMs,
});
const server = await listen(app, { ...settings, reusePort: threadCount > 1 }, log);

const sandboxSymbolCount = readers.sandbox.current().symbols.length;
tell({ kind: 'report', report: { address: server.address, sandboxSymbolCount } });

await stopped;
clearInterval(lookForDamage);
streams.close();
await server.close();
screens.close();
readers.live.close();
readers.sandbox.close();
await accounts.close();
threadMetrics.stop();
process.exit();
