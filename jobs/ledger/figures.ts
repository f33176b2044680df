/** Figures of jobs for `/metrics`, and their reader without Redis. */

import type { Mode } from '../../src/base/config/data-dir.ts';
import { inputFaultSql } from '../../src/base/operator/input-fault.ts';
import { byPriority, type RunHead } from '../contract/run.ts';
import type { JobRecord, JobState } from '../contract/runner.ts';
import { readLedgerFile } from './ledger.ts';

/** State of a job; `input` instead of `dead` if its input is at fault. */
export type FigureState = JobState | 'input';

export interface JobFigures {
  jobs: { queue: JobRecord['queue']; state: FigureState; count: number }[];
  /** Time in milliseconds at which the next waiting job of each queue was added. */
  next: { queue: JobRecord['queue']; addedMs: number }[];
  /** The newest run of each source that ended. */
  ended: EndedRun[];
}

export interface EndedRun {
  mode: Mode;
  source: string;
  endedMs: number;
  /** Time from creation to end. */
  tookMs: number;
  /** True if it was given up, apart from faults of its input. */
  isDead: boolean;
  /** True if it was given up because of its input. */
  isInputFault: boolean;
  rows: number;
  rejected: number;
  /** Number of failed tasks. */
  deadJobs: number;
}

/** Reads the figures without writing; takes a few milliseconds. */
export function ledgerFigures(path: string): JobFigures {
  const none: JobFigures = { jobs: [], next: [], ended: [] };
  return readLedgerFile(path, none, (ledger) => {
    const all = <Row>(sql: string) => ledger.prepare(sql).all() as unknown as Row[];
    const jobs = all<JobFigures['jobs'][number]>(`
      SELECT 'fetch' AS queue, ${figureState('children')} AS state, count(*) AS count
      FROM children JOIN plans ON plans.id = children.plan GROUP BY 2
      UNION ALL
      SELECT ${QUEUE} AS queue, ${figureState('plans')} AS state, count(*) FROM plans GROUP BY 1, 2`);
    const ended = all<Omit<EndedRun, 'isDead' | 'isInputFault'> & { state: FigureState }>(`
      SELECT head ->> 'mode' AS mode, head ->> 'source' AS source, max(settled_ms) AS endedMs,
        settled_ms - (head ->> 'createdMs') AS tookMs, ${figureState('plans')} AS state,
        coalesce(report ->> 'accepted', 0) AS rows, coalesce(report ->> 'rejected', 0) AS rejected,
        coalesce(json_array_length(report, '$.deadJobs'), 0) AS deadJobs
      FROM plans WHERE state <> 'waiting' GROUP BY mode, source`);
    return {
      jobs,
      next: nextJobs(all(WAITING)),
      ended: ended.map(({ state, ...run }) => ({
        ...run,
        isDead: state === 'dead',
        isInputFault: state === 'input',
      })),
    };
  });
}

/** @param table Table of the job; the source is in that of runs. */
function figureState(table: 'children' | 'plans'): string {
  const isInput = inputFaultSql("head ->> 'source'", `${table}.kind`);
  return `iif(${table}.state = 'dead' AND coalesce(${isInput}, 0), 'input', ${table}.state)`;
}

const QUEUE = `iif(head ->> 'task' IS NULL, 'load', 'maintenance')`;

/** Unfinished runs; `fetches` is 1 if tasks are left to fetch. */
const WAITING = `
  SELECT head, ${QUEUE} AS queue,
    EXISTS (SELECT 1 FROM children WHERE plan = id AND state = 'waiting') AS fetches
  FROM plans WHERE state = 'waiting'`;

function nextJobs(
  runs: readonly { head: string; queue: 'load' | 'maintenance'; fetches: number }[],
): JobFigures['next'] {
  const inOrder = runs
    .map(({ head, queue, fetches }) => ({
      head: JSON.parse(head) as RunHead,
      queue: fetches === 1 ? ('fetch' as const) : queue,
    }))
    .sort((a, b) => byPriority(a.head, b.head));
  return [...Map.groupBy(inOrder, ({ queue }) => queue)].map(([queue, [first]]) => ({
    queue,
    addedMs: first.head.createdMs,
  }));
}
