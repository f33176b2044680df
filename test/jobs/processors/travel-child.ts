/**
 * Fetches the tasks of a run, or loads them, until it is done, or until a failpoint kills it.
 *
 * Arguments: `fetch` or `load`, number of tasks, and optionally a failpoint with the number of
 * times that it is passed before. The settings come from the environment.
 */

import { withStage } from '../../../jobs/contract/stage.ts';
import { removeStaged } from '../../../jobs/contract/staging.ts';
import { fetchTask } from '../../../jobs/processors/fetch.ts';
import { loadAndPublish } from '../../../jobs/processors/load.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { workPaths } from '../../../src/base/config/data-dir.ts';
import { onFailpoint } from '../../../src/base/failpoints.ts';
import { runOf } from './travelling-run.ts';

const [work, count, name, passes = '0'] = process.argv.slice(2);
const settings = settingsFromEnv(process.env);
const paths = workPaths(settings, 'live');
const run = runOf(Number(count));
const nowMs = Date.parse('2024-01-10T12:00:00Z');

let left = Number(passes);
onFailpoint((reached) => {
  if (reached === name && left-- === 0) process.kill(process.pid, 'SIGKILL');
});

if (work === 'fetch') {
  for (const [index, { slice }] of run.tasks.entries()) {
    const job = { plan: run.id, createdMs: run.createdMs, index, source: run.source, slice };
    await fetchTask(job, { paths, settings, nowMs });
  }
} else {
  const { tasks: _, shared: __, ...head } = run;
  const deps = { paths, settings, nowMs, verb: 'test' };
  const { segments, accepted, deadJobs } = await loadAndPublish(head, new Map(), deps);
  await withStage(paths, settings, (stage) => removeStaged(stage, run));
  process.stdout.write(JSON.stringify({ segments, accepted, deadJobs }));
}
