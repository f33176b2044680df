/** The report of `status`, from files, the queue of jobs and, if it is free, the store. */

import { existsSync, statfsSync } from 'node:fs';
import type { JobState } from '../../../jobs/contract/runner.ts';
import type { Settings } from '../../base/config/config.ts';
import { MODES, type Mode, modePaths } from '../../base/config/data-dir.ts';
import { CorruptDataError, StoreBusyError, TapeworksError } from '../../base/errors.ts';
import { type IntegrityFault, readIntegrity } from '../../base/integrity-record.ts';
import { limits } from '../../base/limits/limits.ts';
import type { Manifest } from '../../store/arrow/format/manifest-types.ts';
import type { ServingStatus } from '../../store/arrow/read/serving-status.ts';
import { readJobFigures } from '../server/operator-jobs.ts';

export interface DatasetLine {
  dataset: string;
  rows: number;
  /** ISO date-time of the last publish with new or changed rows. */
  changedAt: string;
}

/**
 * State of published data. `empty`: nothing was ever loaded; `unpublished`: loaded, but no version
 * exists; `older-format`: an older version published it; `status-lost`: served, but `status.json`
 * is missing.
 */
export type PublishState =
  | 'published'
  | 'damaged'
  | 'empty'
  | 'unpublished'
  | 'older-format'
  | 'status-lost';

export interface ModeStatus {
  mode: Mode;
  state: PublishState;
  /** Null unless the state is `published`. */
  published: ServingStatus | null;
  /** Reason why published data or its status cannot be read. */
  damage: string | null;
  /** Datasets other than candles, by name. */
  datasets: DatasetLine[];
  /** Loaded but unpublished: series of bars, lists of rows. Null: see `busy`. */
  pending: { series: number; lists: number } | null;
  /** Process that holds the store, or the reason why the store cannot be read. */
  busy: string | null;
}

export interface StatusReport {
  dataDir: string;
  modes: ModeStatus[];
  /** Number of jobs by state; null if Redis does not reply. */
  jobs: Partial<Record<JobState, number>> | null;
  /** Next schedules, soonest first; `nextAt` is an ISO date-time. */
  schedules: { name: string; source: string; nextAt: string }[];
  /** Scheduled check of all data; times are ISO date-times, null before the first. */
  integrity: { ranAt: string | null; roundEndedAt: string | null; faults: IntegrityFault[] };
  disk: { freeBytes: number; isFull: boolean };
}

export async function statusReport(settings: Settings, nowMs: number): Promise<StatusReport> {
  const { dataDir } = settings;
  const modes: ModeStatus[] = [];
  for (const mode of MODES) modes.push(await modeStatus(dataDir, mode));
  return {
    dataDir,
    modes,
    jobs: await jobCounts(settings),
    schedules: await nextSchedules(settings, nowMs),
    integrity: integrityStatus(dataDir),
    disk: diskStatus(dataDir),
  };
}

function integrityStatus(dataDir: string): StatusReport['integrity'] {
  const { ranMs, roundEndedMs, faults } = readIntegrity(dataDir);
  const told = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return { ranAt: told(ranMs), roundEndedAt: told(roundEndedMs), faults };
}

async function modeStatus(dataDir: string, mode: Mode): Promise<ModeStatus> {
  const [{ isOfOlderFormat, readManifest }, statusFile, { datasetStatuses }] = await Promise.all([
    import('../../store/arrow/format/manifest.ts'),
    import('../../store/arrow/read/serving-status.ts'),
    import('../../store/arrow/snapshot/dataset-status.ts'),
  ]);
  const { serving, market } = modePaths(dataDir, mode);
  const told: ModeStatus = {
    ...{ mode, state: 'empty', published: null, damage: null, datasets: [] },
    ...{ pending: null, busy: null },
  };
  let manifest: Manifest | undefined;
  try {
    manifest = readManifest(serving);
    const statuses = manifest ? [...datasetStatuses(serving, manifest)] : [];
    told.datasets = statuses.map(([dataset, { rows, changedMs }]) => ({
      dataset,
      rows,
      changedAt: new Date(changedMs).toISOString(),
    }));
    // Without a manifest the status may describe files that are not served any more.
    if (manifest) told.published = statusFile.readServingStatus(serving) ?? null;
    if (told.published) told.state = 'published';
    else if (manifest) told.state = 'status-lost';
    else if (isOfOlderFormat(serving)) told.state = 'older-format';
    else if (existsSync(market)) told.state = 'unpublished';
  } catch (error) {
    if (!(error instanceof CorruptDataError)) throw error;
    told.state = 'damaged';
    told.damage = error.message;
    // Pending changes are counted from the manifest.
    if (!manifest) return told;
  }
  return { ...told, ...(await pendingOf(dataDir, mode, manifest)) };
}

async function pendingOf(
  dataDir: string,
  mode: Mode,
  manifest: Manifest | undefined,
): Promise<Pick<ModeStatus, 'pending' | 'busy'>> {
  const paths = modePaths(dataDir, mode);
  if (!existsSync(paths.market)) return { pending: { series: 0, lists: 0 }, busy: null };
  const [{ openMarketForReading }, { countPending }] = await Promise.all([
    import('../../store/duckdb/connection/open.ts'),
    import('../../store/duckdb/connection/changes.ts'),
  ]);
  try {
    const market = await openMarketForReading(paths, { waitMs: 0 });
    try {
      const published = { seq: manifest?.seq ?? 0, listsSeq: manifest?.lists?.seq ?? 0 };
      return { pending: await countPending(market, published), busy: null };
    } finally {
      market.close();
    }
  } catch (error) {
    if (error instanceof StoreBusyError) return { pending: null, busy: error.holder };
    if (error instanceof TapeworksError) return { pending: null, busy: error.message };
    throw error;
  }
}

async function jobCounts(settings: Settings): Promise<StatusReport['jobs']> {
  const figures = await readJobFigures(settings);
  if (!figures) return null;
  const counts: StatusReport['jobs'] = {};
  for (const { state, count } of figures.jobs) counts[state] = (counts[state] ?? 0) + count;
  return counts;
}

async function nextSchedules(
  settings: Settings,
  nowMs: number,
): Promise<StatusReport['schedules']> {
  const [{ configuredSchedules }, { nextTick }] = await Promise.all([
    import('../../../jobs/schedule/schedules.ts'),
    import('../../../jobs/schedule/ticks.ts'),
  ]);
  return configuredSchedules(settings)
    .map(({ name, source, rule }) => ({
      name,
      source,
      nextAt: new Date(nextTick(rule, nowMs)).toISOString(),
    }))
    .sort((a, b) => Date.parse(a.nextAt) - Date.parse(b.nextAt));
}

function diskStatus(dataDir: string): StatusReport['disk'] {
  const { bavail, bsize } = statfsSync(existsSync(dataDir) ? dataDir : '.');
  const freeBytes = bavail * bsize;
  return { freeBytes, isFull: freeBytes < limits.disk.freeBytesMin };
}
