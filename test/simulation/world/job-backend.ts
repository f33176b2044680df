/** Commands of BullMQ on the Redis of a night. */

import type { BackendFactory, IQueueBackend, JobJson } from 'bullmq';
import { simulation } from '../simulation.ts';
import { Connection, failureOf, jobs, type Options } from './job-connection.ts';
import type { Ended, NextJob, Taken } from './job-server.ts';

type Named = { id?: string };

class Backend extends Connection {
  forQueue(name: string, prefix = this.prefix): Backend {
    return new Backend(name, { ...this.opts, prefix });
  }

  async addJob(job: JobJson, id: string, { parentKey }: { parentKey?: string } = {}) {
    const added = { queueKey: this.qualifiedName, id, job, parentKey };
    return this.must('addJob', id, () => jobs.add(added));
  }

  async addJobs(entries: { job: JobJson; jobId: string; parentKeyOpts: { parentKey?: string } }[]) {
    const ids = await this.send('add jobs to', () =>
      entries.map(({ job, jobId: id, parentKeyOpts: { parentKey } }) =>
        jobs.add({ queueKey: this.qualifiedName, id, job, parentKey }),
      ),
    );
    const code = ids.find((id) => typeof id === 'number');
    if (code === undefined) return ids as string[];
    throw failureOf({ code: code as number, jobId: '', command: 'addJob' });
  }

  addFlow(entries: FlowEntry[]): Promise<[Error | null, string | number][]> {
    return this.send('add a flow', (nowMs) => {
      const parents = new Set<string>();
      const results = entries.map(
        ({ jobData: job, jobId: id, parentKeyOpts, prefix, queueName }) => {
          const { parentKey, addToWaitingChildren: isParent } = parentKeyOpts;
          if (parentKey !== undefined) parents.add(parentKey);
          const queueKey = `${prefix}:${queueName}`;
          return jobs.add({ queueKey, id, job, parentKey, isParent, isFlow: true });
        },
      );
      jobs.endFlow(parents, nowMs);
      return results.map((result): [null, string | number] => [null, result]);
    });
  }

  #taken(token: string): Omit<Taken, 'nowMs'> {
    return { token, lockMs: this.opts.lockDuration ?? 30_000, timestamp: Date.now() };
  }

  moveToActive(token: string): Promise<NextJob> {
    const taken = this.#taken(token);
    return this.send('take from', (nowMs) => jobs.take(this.qualifiedName, { ...taken, nowMs }));
  }

  async #end(job: Named, token: string, ended: Pick<Ended, 'isCompleted' | 'text' | 'takesNext'>) {
    const { removeOnComplete, removeOnFail } = this.opts;
    const keep = (ended.isCompleted ? removeOnComplete : removeOnFail) ?? {};
    const taken = this.#taken(token);
    const takesNext = ended.takesNext && !this.closing;
    const result = await this.must('moveToFinished', job.id ?? '', (nowMs) =>
      jobs.end(this.qualifiedName, job.id ?? '', { ...taken, ...ended, keep, takesNext, nowMs }),
    );
    return { result: result === 0 ? [] : (result as NextJob), finishedOn: taken.timestamp };
  }

  moveToCompleted(job: Named, value: unknown, _keep: unknown, token: string, takesNext: boolean) {
    const text = JSON.stringify(value) ?? 'null';
    return this.#end(job, token, { isCompleted: true, text, takesNext });
  }

  moveToFailed(job: Named, text: string, _keep: unknown, token: string, takesNext: boolean) {
    return this.#end(job, token, { isCompleted: false, text, takesNext });
  }

  async moveToDelayed(id: string, timestamp: number, delay: number, token = '0'): Promise<void> {
    await this.must('moveToDelayed', id, (nowMs) =>
      jobs.delayActive(this.qualifiedName, id, delay, { token, timestamp, nowMs }),
    );
  }

  moveStalledJobsToWait(): Promise<string[]> {
    const { maxStalledCount: most = 1, stalledInterval: everyMs = 30_000 } = this.opts;
    return this.send('look for stalled jobs of', (nowMs) =>
      jobs.requeueStalled(this.qualifiedName, { most, everyMs, nowMs }),
    );
  }

  extendLocks(ids: string[], tokens: string[], ms: number): Promise<string[]> {
    return this.send('renew locks of', (nowMs) => {
      for (const id of ids) {
        if (simulation().happens('lost lock of a job')) jobs.loseLock(this.qualifiedName, id);
      }
      const locks = ids.map((id, i): [string, string] => [id, tokens[i]]);
      return jobs.extend(this.qualifiedName, locks, ms, nowMs);
    });
  }

  getJobData(id: string): Promise<JobJson | undefined> {
    return this.send('read a job of', () => jobs.json(this.qualifiedName, id));
  }

  getState(id: string) {
    return this.send('read a state of', () => jobs.placeOf(this.qualifiedName, id));
  }

  isJobInState(state: string, id: string): Promise<boolean> {
    return this.send('read a state of', () => jobs.placeOf(this.qualifiedName, id) === state);
  }

  getRanges(types: string[], start = 0, end = -1): Promise<string[][]> {
    return this.send('list', () =>
      types.map((type) => {
        const ids = jobs.ids(this.qualifiedName, type);
        return ids.slice(start, end < 0 ? undefined : end + 1);
      }),
    );
  }

  getCounts(types: string[]): Promise<number[]> {
    return this.send('count', () => types.map((type) => jobs.ids(this.qualifiedName, type).length));
  }

  getCountsPerPriority(priorities: number[]): Promise<number[]> {
    return this.send('count', () =>
      priorities.map((one) => jobs.countOfPriority(this.qualifiedName, one)),
    );
  }

  getDependencyCounts(id: string, types: string[]): Promise<number[]> {
    return this.send('count children in', () => {
      const job = jobs.state.jobs.get(this.toKey(id));
      const counts: Record<string, number | undefined> = {
        processed: job?.processed.size,
        unprocessed: job?.waitsFor.size,
        ignored: job?.ignored.size,
      };
      return types.map((type) => counts[type] ?? 0);
    });
  }

  getIgnoredChildrenFailures(id: string): Promise<Record<string, string>> {
    return this.send('read children in', () =>
      Object.fromEntries(jobs.state.jobs.get(this.toKey(id))?.ignored ?? []),
    );
  }

  async getClientList(): Promise<string[]> {
    const names = await this.send('list workers of', () => [...jobs.workers.values()]);
    return [names.map((name, i) => `id=${i} name=${name}`).join('\n')];
  }

  async updateData(job: Named, data: unknown): Promise<void> {
    await this.#change('updateData', job.id ?? '', { data: JSON.stringify(data) });
  }

  async updateProgress(id: string, progress: unknown): Promise<void> {
    await this.#change('updateProgress', id, { progress: JSON.stringify(progress) });
  }

  async #change(command: string, id: string, fields: { data?: string; progress?: string }) {
    await this.must(command, id, () => {
      const job = jobs.state.jobs.get(this.toKey(id));
      return job ? Object.assign(job, fields) && 0 : -1;
    });
  }

  async promote(id: string): Promise<void> {
    await this.must('promote', id, () => jobs.promote(this.qualifiedName, id), 'delayed');
  }

  async remove(id: string): Promise<number> {
    return this.send('remove from', (nowMs) => Number(jobs.remove(this.toKey(id), nowMs)));
  }

  removeUnprocessedChildren(id: string): Promise<void> {
    return this.send('cancel in', (nowMs) => jobs.removeUnprocessed(this.toKey(id), nowMs));
  }

  async removeChildDependency(id: string, parentKey: string): Promise<boolean> {
    const command = 'removeChildDependency';
    const code = await this.send(command, () => jobs.removeDependency(this.toKey(id), parentKey));
    if (code < 0) throw failureOf({ code, jobId: id, parentKey, command });
    return code === 0;
  }

  async retryFinishedJob(job: Named, state: 'completed' | 'failed'): Promise<void> {
    const id = job.id ?? '';
    await this.must('reprocessJob', id, () => jobs.retry(this.qualifiedName, id, state), state);
  }
}

interface FlowEntry {
  jobData: JobJson;
  jobId: string;
  parentKeyOpts: { parentKey?: string; addToWaitingChildren?: boolean };
  prefix: string;
  queueName: string;
}

/** Makes a connection for a queue, in the place of BullMQ's own. */
export const simulatedBackend: BackendFactory = (name, opts, { withBlockingConnection } = {}) =>
  new Backend(name, opts as Options, withBlockingConnection) as unknown as IQueueBackend;
