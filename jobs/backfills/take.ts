/** Runs the backfills that clients request: one process of a data folder takes them. */

import { join } from 'node:path';
import type { Settings } from '../../src/base/config/config.ts';
import { modePaths, uploadsPath } from '../../src/base/config/data-dir.ts';
import {
  QueueUnavailableError,
  RunLostError,
  StoreBusyError,
  TapeworksError,
} from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { pause } from '../../src/base/time/pause.ts';
import { delay } from '../../src/base/world/clock.ts';
import { existsSync, readdirSync, rmSync, statSync } from '../../src/base/world/files.ts';
import { requireSettings } from '../../src/ingest/sources/settings.ts';
import type { Backfill } from '../../src/store/accounts/backfills/backfill-record.ts';
import type { Accounts } from '../../src/store/accounts/records/contract.ts';
import { ObjectStoreError } from '../../src/store/objects/object-store.ts';
import {
  fetchUpload,
  listUploads,
  removeUpload,
  sharedSegments,
} from '../../src/store/shared/shared-segments.ts';
import { failureFrom } from '../contract/failure.ts';
import type { Runner, RunOutcome } from '../contract/runner.ts';
import { backfillId, requestedRun } from '../runner/request.ts';
import { type Notes, notedProgress } from './notes.ts';
import { requestFromBackfill, uploadFolder } from './order.ts';
import { endFromOutcome } from './result.ts';

export interface TakeDeps {
  settings: Settings;
  runner: Pick<Runner, 'enqueue' | 'isUnfinished' | 'finished' | 'cancel'>;
  accounts: Pick<
    Accounts,
    'openBackfills' | 'beginBackfill' | 'noteBackfill' | 'endBackfill' | 'backfillState'
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
  const { settings, runner, accounts, clock, note, signal } = deps;
  const active = new Map<string, Active>();
  /** Running ones whose client has cancelled them. */
  const cancelled = new Set<string>();
  /** Accounts by their last turn, the longest ago first. */
  const turns = new Set<string>();
  let sweptMs = Number.NEGATIVE_INFINITY;
  /** Another process may write for long, or the disk be full. */
  const later = (what: string) => async (error: unknown) => {
    note(`${what}: ${failureFrom(error).reason}`);
    await pause(limits.supervisor.restartMaxMs, signal);
  };

  function begin(backfill: Backfill): void {
    const { id, account } = backfill;
    turns.delete(account);
    turns.add(account);
    const ended = run(backfill, () => cancelled.has(id), deps)
      .catch(later(`backfill ${id}`))
      .finally(() => {
        active.delete(id);
        cancelled.delete(id);
      });
    active.set(id, { account, ended });
  }

  async function round(): Promise<void> {
    if (clock() - sweptMs >= limits.backfills.sweepMs) {
      sweptMs = clock();
      // Object storage may be away: backfills go on, and the next sweep removes the rest.
      await removeStrayFiles(deps).catch((error) => {
        if (!(error instanceof ObjectStoreError)) throw error;
      });
    }
    const open = await accounts.openBackfills();
    for (const backfill of open.filter(({ isCancelled }) => isCancelled)) {
      cancelled.add(backfill.id);
      // Repeated until it has ended: the run may not have begun, or Redis be away.
      const runId = runIdOf(backfill, settings.dataDir);
      if (active.has(backfill.id)) runner.cancel(runId).catch(() => undefined);
    }
    for (const backfill of nextBackfills(open, active, turns, settings)) begin(backfill);
  }

  while (!signal.aborted) {
    await round().catch(later('backfills wait'));
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

async function run(backfill: Backfill, isCancelled: () => boolean, deps: TakeDeps): Promise<void> {
  const { settings, accounts, signal } = deps;
  const { id } = backfill;
  const { dataDir } = settings;
  if (!(await accounts.beginBackfill(id))) return;
  const notes = notedProgress(id, accounts);
  try {
    const outcome = await outcomeOf(backfill, isCancelled, notes, deps);
    const end = outcome ? endFromOutcome(outcome, dataDir, id) : { result: null, error: null };
    await accounts.endBackfill(id, end);
  } catch (error) {
    // The next process continues.
    if (signal.aborted) return;
    await accounts.endBackfill(id, endFromOutcome({ failure: failureFrom(error) }, dataDir, id));
  } finally {
    notes.end();
  }
  // A retry of a failed one needs its file.
  if ((await accounts.backfillState(id)) === 'failed') return;
  rmSync(uploadFolder(dataDir, id), { recursive: true, force: true });
  const place = sharedSegments(settings);
  // If the storage is away now, the file is removed with the stray ones.
  if (place && backfill.order.file?.sha256) await removeUpload(place, id).catch(() => undefined);
}

function runIdOf(backfill: Backfill, dataDir: string): string {
  return backfill.run ?? backfillId(requestFromBackfill(backfill, dataDir));
}

/**
 * Runs to the end, however long the store is busy or Redis away.
 *
 * @returns undefined if it was cancelled before its run began.
 */
async function outcomeOf(
  backfill: Backfill,
  isCancelled: () => boolean,
  notes: Notes,
  { settings, runner, clock, signal }: TakeDeps,
): Promise<RunOutcome | undefined> {
  const { dataDir } = settings;
  const request = requestFromBackfill(backfill, dataDir);
  const wait = { ...notes, signal };
  requireSettings(request.source, request.options, settings);
  const runId = runIdOf(backfill, dataDir);
  const isRetried = backfill.run !== null;
  for (;;) {
    signal.throwIfAborted();
    try {
      if (!isRetried && !(await runner.isUnfinished(runId))) {
        if (isCancelled()) return undefined;
        await takeUpload(backfill, settings, signal);
        const paths = modePaths(dataDir, request.mode);
        const verb = `backfill ${request.source}`;
        const how = { paths, verb, priority: 'backfill', nowMs: clock() } as const;
        await runner.enqueue(await requestedRun(request, { ...how, ...wait }));
      }
      return await runner.finished(runId, wait);
    } catch (error) {
      // A lost run of failed tasks can't be made again from the request.
      if (!isPassing(error) || (isRetried && error instanceof RunLostError)) throw error;
      // Clients see no address of the server.
      wait.onWaiting?.(error instanceof ObjectStoreError ? 'the object storage' : error.message);
      await delay(limits.jobs.backoffFirstMs, undefined, { signal });
    }
  }
}

/** Downloads the file of a backfill that another machine has received. */
async function takeUpload(
  { id, order: { file } }: Backfill,
  settings: Settings,
  signal: AbortSignal,
): Promise<void> {
  const place = sharedSegments(settings);
  if (!file?.sha256 || !place) return;
  const { name, bytes, sha256 } = file;
  const folder = uploadFolder(settings.dataDir, id);
  try {
    await fetchUpload(place, id, folder, { name, bytes, sha256 }, signal);
  } catch (cause) {
    if (!(cause instanceof ObjectStoreError) || cause.isPassing) throw cause;
    throw new TapeworksError('the uploaded file is gone or damaged: upload it again', { cause });
  }
}

function isPassing(error: unknown): error is Error {
  if (error instanceof ObjectStoreError) return error.isPassing;
  const classes = [StoreBusyError, QueueUnavailableError, RunLostError];
  return classes.some((one) => error instanceof one);
}

/** Removes files of uploads that were interrupted, and of backfills that have ended. */
async function removeStrayFiles({ settings, accounts, clock }: TakeDeps): Promise<void> {
  const nowMs = clock();
  const folder = uploadsPath(settings.dataDir);
  const here = (existsSync(folder) ? readdirSync(folder) : []).map((id) => {
    const stats = statSync(join(folder, id), { throwIfNoEntry: false });
    return { id, ageMs: nowMs - (stats?.mtimeMs ?? nowMs) };
  });
  for (const { id } of await unneeded(here, accounts)) {
    rmSync(join(folder, id), { recursive: true, force: true });
  }
  const place = sharedSegments(settings);
  if (!place) return;
  const shared = (await listUploads(place)).map(({ id, modifiedMs }) => {
    return { id, ageMs: nowMs - modifiedMs };
  });
  for (const { id } of await unneeded(shared, accounts)) await removeUpload(place, id);
}

/** Returns the uploads whose files are not needed any more. */
async function unneeded(
  uploads: readonly { id: string; ageMs: number }[],
  accounts: Pick<Accounts, 'backfillState'>,
): Promise<{ id: string }[]> {
  const { strayFileMs, failedFileMs, failedFilesMax } = limits.backfills;
  let failedLeft = failedFilesMax;
  const found: { id: string }[] = [];
  for (const { id, ageMs } of uploads.toSorted((a, b) => a.ageMs - b.ageMs)) {
    const state = await accounts.backfillState(id);
    if (state === 'waiting' || state === 'running') continue;
    // Its upload may not have ended.
    if (state === undefined && ageMs <= strayFileMs) continue;
    if (state === 'failed' && ageMs <= failedFileMs && failedLeft-- > 0) continue;
    found.push({ id });
  }
  return found;
}
