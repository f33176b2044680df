/** What is measured of jobs; and how, of those that run without Redis. */

import type { Mode } from '../../src/base/config/data-dir.ts';
import { readLedgerFile } from './ledger-file.ts';
import { type PlanHead, PRIORITIES } from './plan.ts';
import type { JobRecord, JobState } from './runner.ts';

export interface JobFigures {
  jobs: { queue: JobRecord['queue']; state: JobState; count: number }[];
  /** Of each queue in which a job waits: when the job that is next was added, in milliseconds. */
  next: { queue: JobRecord['queue']; addedMs: number }[];
  /** The newest plan of each source that ended. */
  ended: EndedPlan[];
}

export interface EndedPlan {
  mode: Mode;
  source: string;
  /** In milliseconds since the epoch. */
  endedMs: number;
  /** From its making to its publish. */
  tookMs: number;
  /** It was given up; it has no rows then. */
  isDead: boolean;
  rows: number;
  rejected: number;
  /** Children that gave nothing, or not all. */
  deadJobs: number;
}

/** Figures of a ledger, which is only read; a few milliseconds. */
export function ledgerFigures(path: string): JobFigures {
  const none: JobFigures = { jobs: [], next: [], ended: [] };
  return readLedgerFile(path, none, (ledger) => {
    const all = <Row>(sql: string) => ledger.prepare(sql).all() as unknown as Row[];
    const jobs = all<JobFigures['jobs'][number]>(`
      SELECT 'fetch' AS queue, state, count(*) AS count FROM children GROUP BY state
      UNION ALL
      SELECT ${QUEUE} AS queue, state, count(*) FROM plans GROUP BY 1, state`);
    const ended = all<Omit<EndedPlan, 'isDead'> & { isDead: number }>(`
      SELECT head ->> 'mode' AS mode, head ->> 'source' AS source, max(settled_ms) AS endedMs,
        settled_ms - (head ->> 'createdMs') AS tookMs, state = 'dead' AS isDead,
        coalesce(report ->> 'accepted', 0) AS rows, coalesce(report ->> 'rejected', 0) AS rejected,
        coalesce(json_array_length(report, '$.deadJobs'), 0) AS deadJobs
      FROM plans WHERE state <> 'waiting' GROUP BY mode, source`);
    return {
      jobs,
      next: nextJobs(all(WAITING)),
      ended: ended.map((plan) => ({ ...plan, isDead: plan.isDead === 1 })),
    };
  });
}

const QUEUE = `iif(head ->> 'task' IS NULL, 'load', 'maintenance')`;

/** Plans to be run, and whether they have anything left to fetch. */
const WAITING = `
  SELECT head, ${QUEUE} AS queue,
    EXISTS (SELECT 1 FROM children WHERE plan = id AND state = 'waiting') AS fetches
  FROM plans WHERE state = 'waiting'`;

function nextJobs(
  plans: readonly { head: string; queue: 'load' | 'maintenance'; fetches: number }[],
): JobFigures['next'] {
  const inOrder = plans
    .map(({ head, queue, fetches }) => ({
      head: JSON.parse(head) as PlanHead,
      queue: fetches === 1 ? ('fetch' as const) : queue,
    }))
    .sort(
      (a, b) =>
        PRIORITIES[a.head.priority] - PRIORITIES[b.head.priority] ||
        a.head.createdMs - b.head.createdMs,
    );
  return [...Map.groupBy(inOrder, ({ queue }) => queue)].map(([queue, [first]]) => ({
    queue,
    addedMs: first.head.createdMs,
  }));
}
