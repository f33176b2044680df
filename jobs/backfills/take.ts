/** Runs the backfills that clients request: one process of a data folder takes them. */

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Settings } from '../../src/base/config/config.ts';
import { modePaths, uploadsPath } from '../../src/base/config/data-dir.ts';
import { QueueUnavailableError, RunLostError, StoreBusyError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { requireSettings } from '../../src/ingest/sources/settings.ts';
import type {
  Backfill,
  BackfillProgress,
} from '../../src/store/sqlite/backfills/backfill-record.ts';
import type { Accounts } from '../../src/store/sqlite/contract.ts';
import { failureFrom } from '../contract/failure.ts';
import type { Runner, RunOutcome, WaitOptions } from '../contract/runner.ts';
import { backfillId, requestedRun } from '../runner/request.ts';
import { requestFromBackfill, uploadFolder } from './order.ts';
import { endFromOutcome } from './result.ts';

export interface TakeDeps {
  settings: Settings;
  runner: Pick<Runner, 'enqueue' | 'isUnfinished' | 'finished'>;
  accounts: Pick<
    Accounts,
    'openBackfills' | 'beginBackfill' | 'noteBackfill' | 'endBackfill' | 'isBackfillOpen'
  >;
  clock: () => number;
  /** Receives a line for people. */
  note: (line: string) => void;
  signal: AbortSignal;
}

interface Active {
  account: string;
  ended: Promise<void>;
}

/** Runs requested backfills until the signal aborts; the caller holds the lock. */
export async function takeBackfills(deps: TakeDeps): Promise<void> {
  const { settings, accounts, note, signal } = deps;
  const active = new Map<string, Active>();
  /** Accounts by their last turn, the longest ago first. */
  const turns = new Set<string>();
  await removeStrayFiles(deps);
  while (!signal.aborted) {
    try {
      const open = await accounts.openBackfills();
      for (const backfill of nextBackfills(open, active, turns, settings)) {
        const { id, account } = backfill;
        turns.delete(account);
        turns.add(account);
        const ended = run(backfill, deps)
          .catch((error) => note(`backfill ${id}: ${failureFrom(error).reason}`))
          .finally(() => active.delete(id));
        active.set(id, { account, ended });
      }
    } catch (error) {
      // Another process writes for long, or the disk is full.
      note(`backfills wait: ${failureFrom(error).reason}`);
      await pause(limits.supervisor.restartMaxMs, signal);
    }
    await pause(limits.backfills.pollMs, signal);
  }
  await Promise.all(active.values().map(({ ended }) => ended));
}

/** Picks backfills to start: those of a dead process first, then one of each account in turn. */
function nextBackfills(
  open: readonly Backfill[],
  active: ReadonlyMap<string, Active>,
  turns: ReadonlySet<string>,
  { redisUrl }: Settings,
): Backfill[] {
  const { runningMax, queuedRunningMax, accountRunningMax } = limits.backfills;
  const runMax = redisUrl === undefined ? runningMax : queuedRunningMax;
  const counts = new Map<string, number>();
  for (const { account } of active.values()) counts.set(account, (counts.get(account) ?? 0) + 1);
  const inTurn = [...turns];
  const turnOf = ({ backfill }: { backfill: Backfill }) =>
    backfill.state === 'running' ? -2 : inTurn.indexOf(backfill.account);
  const ranked = open
    .filter(({ id }) => !active.has(id))
    .sort((a, b) => Number(b.state === 'running') - Number(a.state === 'running'))
    .map((backfill) => {
      const rank = counts.get(backfill.account) ?? 0;
      counts.set(backfill.account, rank + 1);
      return { backfill, rank };
    });
  return ranked
    .filter(({ rank }) => rank < accountRunningMax)
    .sort((a, b) => a.rank - b.rank || turnOf(a) - turnOf(b))
    .slice(0, Math.max(0, runMax - active.size))
    .map(({ backfill }) => backfill);
}

async function run(backfill: Backfill, deps: TakeDeps): Promise<void> {
  const { settings, accounts, signal } = deps;
  const { id } = backfill;
  const { dataDir } = settings;
  if (!(await accounts.beginBackfill(id))) return;
  const notes = notedProgress(id, accounts);
  try {
    const outcome = await outcomeOf(backfill, notes, deps);
    await accounts.endBackfill(id, endFromOutcome(outcome, dataDir, id));
  } catch (error) {
    // The next process continues.
    if (signal.aborted) return;
    await accounts.endBackfill(id, endFromOutcome({ failure: failureFrom(error) }, dataDir, id));
  } finally {
    notes.end();
  }
  rmSync(uploadFolder(dataDir, id), { recursive: true, force: true });
}

/** Runs to the end, however long the store is busy or Redis away. */
async function outcomeOf(
  backfill: Backfill,
  notes: Notes,
  { settings, runner, clock, signal }: TakeDeps,
): Promise<RunOutcome> {
  const { dataDir } = settings;
  const request = requestFromBackfill(backfill, dataDir);
  const wait = { ...notes, signal };
  requireSettings(request.source, request.options, settings);
  const runId = backfillId(request);
  for (;;) {
    signal.throwIfAborted();
    try {
      if (!(await runner.isUnfinished(runId))) {
        const paths = modePaths(dataDir, request.mode);
        const verb = `backfill ${request.source}`;
        const how = { paths, verb, priority: 'backfill', nowMs: clock() } as const;
        await runner.enqueue(await requestedRun(request, { ...how, ...wait }));
      }
      return await runner.finished(runId, wait);
    } catch (error) {
      if (!isPassing(error)) throw error;
      wait.onWaiting?.(error.message);
      await delay(limits.jobs.backoffFirstMs, undefined, { signal });
    }
  }
}

function isPassing(error: unknown): error is Error {
  const classes = [StoreBusyError, QueueUnavailableError, RunLostError];
  return classes.some((one) => error instanceof one);
}

interface Notes extends WaitOptions {
  /** Drops what is not written yet. */
  end(): void;
}

/** Notes the progress in the row of the backfill, a few times a second. */
function notedProgress(id: string, accounts: TakeDeps['accounts']): Notes {
  let progress: BackfillProgress | null = null;
  let waitsFor: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  const write = async () => {
    timer = undefined;
    try {
      await accounts.noteBackfill(id, progress, waitsFor);
    } catch {
      // The file is being written: the next note has newer numbers.
    }
  };
  const note = () => {
    timer ??= setTimeout(write, limits.backfills.pollMs);
  };
  return {
    onProgress(step, done, total) {
      progress = { step, done, total };
      waitsFor = null;
      note();
    },
    onWaiting(whom) {
      waitsFor = whom;
      note();
    },
    end: () => clearTimeout(timer),
  };
}

/** Removes files of uploads that were interrupted, and of backfills that have ended. */
async function removeStrayFiles({ settings, accounts, clock }: TakeDeps): Promise<void> {
  const folder = uploadsPath(settings.dataDir);
  if (!existsSync(folder)) return;
  const beforeMs = clock() - limits.backfills.strayFileMs;
  for (const id of readdirSync(folder)) {
    const path = join(folder, id);
    if (statSync(path).mtimeMs > beforeMs || (await accounts.isBackfillOpen(id))) continue;
    rmSync(path, { recursive: true, force: true });
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
