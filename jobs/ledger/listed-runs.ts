/** Runs of `jobs.sqlite` with their progress, for the operator's report. */

import type { DatabaseSync } from 'node:sqlite';
import type { Settings } from '../../src/base/config/config.ts';
import { jobsPaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits.ts';
import { isInputFault } from '../../src/base/operator/input-fault.ts';
import type { RunReport } from '../../src/base/operator/report.ts';
import { type RunHead, taskId } from '../contract/run.ts';
import { type Progress, readLedgerFile } from './ledger.ts';
import { isGone } from './owner-lock.ts';

type Row = Progress & {
  head: string;
  owner: string;
  endedMs: number | null;
  accepted: number | null;
  refused: number | null;
  version: number | null;
};

/** Lists unfinished and failed runs, then the newest others, without writing. */
export function listRuns({ dataDir }: Pick<Settings, 'dataDir'>): RunReport[] {
  const { ledger, owners } = jobsPaths(dataDir);
  return readLedgerFile(ledger, [], (db) => {
    const counts = db.prepare(
      'SELECT state, count(*) AS count FROM children WHERE plan = ? GROUP BY state',
    );
    const failed = db.prepare(
      `SELECT number, title, reason FROM children WHERE plan = ? AND state = 'dead'
       ORDER BY number LIMIT ${limits.operatorReport.failedTasksShown}`,
    );
    return newestRows(db).map((row): RunReport => {
      const head = JSON.parse(row.head) as RunHead;
      const { id, mode, source, verb, createdMs } = head;
      const count = new Map(counts.all(id).map((one) => [String(one.state), Number(one.count)]));
      const tasks = failed.all(id) as unknown as {
        number: number;
        title: string;
        reason: string;
      }[];
      return {
        ...{ id, mode, source, verb, state: stateOf(row, owners) },
        createdAt: new Date(createdMs).toISOString(),
        endedAt:
          row.state === 'waiting' || !row.endedMs ? null : new Date(row.endedMs).toISOString(),
        tasks: {
          all: count.values().reduce((sum, one) => sum + one, 0),
          done: count.get('done') ?? 0,
          failed: count.get('dead') ?? 0,
        },
        step: null,
        ...{ accepted: row.accepted, refused: row.refused, version: row.version },
        ...{ failures: row.failures, kind: row.kind, reason: row.reason },
        isInputFault: row.state === 'dead' && isInputFault(source, row.kind),
        failedTasks: tasks.map(({ number, title, reason }) => ({
          ...{ id: taskId(head, number), title, reason },
        })),
      };
    });
  });
}

function newestRows(db: DatabaseSync): Row[] {
  return db
    .prepare(
      `SELECT head, owner, state, failures, kind, reason, settled_ms AS endedMs,
         report ->> 'accepted' AS accepted, report ->> 'rejected' AS refused,
         report ->> 'publishedVersion' AS version
       FROM plans
       ORDER BY state = 'done'
           AND NOT EXISTS (SELECT 1 FROM children WHERE plan = plans.id AND state = 'dead'),
         head ->> 'createdMs' DESC, id
       LIMIT ${limits.operatorReport.runsShown}`,
    )
    .all() as unknown as Row[];
}

function stateOf({ state, owner }: Row, owners: string): RunReport['state'] {
  if (state === 'dead') return 'failed';
  if (state === 'done') return 'done';
  return isGone(owners, owner) ? 'waiting' : 'running';
}
