/** `status`: shows what is published in each mode, how fresh it is, and what to do. */

import type { Command } from 'commander';
import type { FigureState, JobFigures } from '../../../jobs/contract/reader.ts';
import { type Settings, settingsFromEnv } from '../../base/config/config.ts';
import { MODES, type Mode, modePaths } from '../../base/config/data-dir.ts';
import { type ObjectPlace, placeText } from '../../base/config/object-place.ts';
import { countText, manyText } from '../../base/count-text.ts';
import { CorruptDataError, StoreBusyError, TapeworksError } from '../../base/errors.ts';
import { type IntegrityFault, readIntegrity } from '../../base/integrity-record.ts';
import { limits } from '../../base/limits.ts';
import type { ModeReport } from '../../base/operator/report.ts';
import { isoOrNull } from '../../base/time/dates.ts';
import { timeoutSignal, wallMs } from '../../base/world/clock.ts';
import { existsSync, statfsSync } from '../../base/world/files.ts';
import { process } from '../../base/world/process.ts';
import type { Manifest } from '../../store/arrow/format/manifest-types.ts';
import type { ServingStatus } from '../../store/arrow/read/serving-status.ts';
import { type ReplicaState, replicaText } from '../../store/objects/replica-state.ts';
import type { UploadState } from '../../store/objects/upload-state.ts';
import { SEGMENTS_SETTING, sharedSegments } from '../../store/shared/shared-segments.ts';
import { createOutput } from '../output.ts';
import { readJobs } from '../server/operator-jobs.ts';

type PublishState = ModeReport['state'];

/** State of a mode as its published files have it. */
export interface PublishedStatus {
  mode: Mode;
  state: PublishState;
  /** Null unless the state is `published`. */
  published: ServingStatus | null;
  /** Reason why published data or its status cannot be read. */
  damage: string | null;
  /** Datasets other than candles; `changedAt` is the last publish with new or changed rows. */
  datasets: { dataset: string; rows: number; changedAt: string }[];
}

interface ModeStatus extends PublishedStatus {
  /** Loaded but unpublished: series of bars, lists of rows. Null: see `busy`. */
  pending: { series: number; lists: number } | null;
  /** Process that holds the store, or the reason why the store cannot be read. */
  busy: string | null;
  /** Progress of a replica; undefined elsewhere. */
  replica?: ReplicaState;
  /** State of uploads; undefined without object storage. */
  upload?: Pick<UploadState, 'uploaded' | 'failure'>;
}

interface StatusReport {
  dataDir: string;
  modes: ModeStatus[];
  /** Number of jobs by state; null if Redis does not reply. */
  jobs: Partial<Record<FigureState, number>> | null;
  /** Files between machines; null: not read, undefined without `TAPEWORKS_SEGMENTS_URL`. */
  travelling?: { place: string; objects: number; bytes: number; oldestAt: string | null } | null;
  /** Next schedules, soonest first; `nextAt` is an ISO date-time. */
  schedules: { name: string; source: string; nextAt: string }[];
  /** Scheduled check of all data; times are ISO date-times, null before the first. */
  integrity: { ranAt: string | null; roundEndedAt: string | null; faults: IntegrityFault[] };
  disk: { freeBytes: number; isFull: boolean };
}

async function statusReport(settings: Settings, nowMs: number): Promise<StatusReport> {
  const { dataDir } = settings;
  const modes: ModeStatus[] = [];
  for (const mode of MODES) {
    modes.push({ ...(await modeStatus(dataDir, mode)), ...(await sharedStatus(dataDir, mode)) });
  }
  return {
    dataDir,
    modes,
    jobs: (await readJobs(settings, async (jobs) => countsOf(await jobs.figures()))) ?? null,
    ...(sharedSegments(settings) && { travelling: await travelling(settings) }),
    schedules: await nextSchedules(settings, nowMs),
    integrity: integrityStatus(dataDir),
    disk: diskStatus(dataDir),
  };
}

/** Counts the segments and uploads in object storage; null if it can't be read. */
async function travelling(settings: Settings): Promise<StatusReport['travelling']> {
  const place = sharedSegments(settings) as ObjectPlace;
  const { openObjects } = await import('../../store/shared/open-objects.ts');
  const objects = await openObjects(place, SEGMENTS_SETTING);
  const signal = timeoutSignal(limits.objects.idleMs);
  const found = { place: placeText(place), objects: 0, bytes: 0, oldestAt: null as string | null };
  try {
    for await (const { bytes, modifiedMs } of objects.list('', signal)) {
      const at = isoOrNull(modifiedMs);
      found.objects++;
      found.bytes += bytes;
      if (found.oldestAt === null || (at !== null && at < found.oldestAt)) found.oldestAt = at;
    }
    return found;
  } catch (error) {
    if (error instanceof TapeworksError || signal.aborted) return null;
    throw error;
  } finally {
    await objects.close();
  }
}

export function integrityStatus(dataDir: string): StatusReport['integrity'] {
  const { ranMs, roundEndedMs, faults } = readIntegrity(dataDir);
  return { ranAt: isoOrNull(ranMs), roundEndedAt: isoOrNull(roundEndedMs), faults };
}

export function diskStatus(dataDir: string): StatusReport['disk'] {
  const { bavail, bsize } = statfsSync(existsSync(dataDir) ? dataDir : '.');
  const freeBytes = bavail * bsize;
  return { freeBytes, isFull: freeBytes < limits.disk.freeBytesMin };
}

async function modeStatus(dataDir: string, mode: Mode): Promise<ModeStatus> {
  const { manifest, ...status } = await publishedStatus(dataDir, mode);
  // Pending changes are counted from the manifest.
  if (status.damage !== null && !manifest) return { ...status, pending: null, busy: null };
  return { ...status, ...(await pendingOf(dataDir, mode, manifest)) };
}

/** Reads how a replica follows the object storage, and how uploads go. */
async function sharedStatus(
  dataDir: string,
  mode: Mode,
): Promise<Pick<ModeStatus, 'replica' | 'upload'>> {
  const [{ readReplicaState }, { readUploadState }] = await Promise.all([
    import('../../store/objects/replica-state.ts'),
    import('../../store/objects/upload-state.ts'),
  ]);
  const paths = modePaths(dataDir, mode);
  const replica = readReplicaState(paths.replicaState);
  const { uploaded, failure } = readUploadState(paths.upload);
  return {
    ...(replica && { replica }),
    ...((uploaded || failure) && { upload: { uploaded, failure } }),
  };
}

/** Reads the state of a mode without its store. */
export async function publishedStatus(
  dataDir: string,
  mode: Mode,
): Promise<PublishedStatus & { manifest: Manifest | undefined }> {
  const [{ isOfOlderFormat, readManifest }, statusFile, { datasetStatuses }] = await Promise.all([
    import('../../store/arrow/format/manifest.ts'),
    import('../../store/arrow/read/serving-status.ts'),
    import('../../store/arrow/snapshot/dataset-status.ts'),
  ]);
  const { serving, market } = modePaths(dataDir, mode);
  const status: PublishedStatus = {
    ...{ mode, state: 'empty', published: null, damage: null, datasets: [] },
  };
  let manifest: Manifest | undefined;
  try {
    manifest = readManifest(serving);
    const statuses = manifest ? [...datasetStatuses(serving, manifest)] : [];
    status.datasets = statuses.map(([dataset, { rows, changedMs }]) => ({
      dataset,
      rows,
      changedAt: new Date(changedMs).toISOString(),
    }));
    // Without a manifest the status may describe files that are not served any more.
    if (manifest) status.published = statusFile.readServingStatus(serving) ?? null;
    if (status.published) status.state = 'published';
    else if (manifest) status.state = 'status-lost';
    else if (isOfOlderFormat(serving)) status.state = 'older-format';
    else if (existsSync(market)) status.state = 'unpublished';
  } catch (error) {
    if (!(error instanceof CorruptDataError)) throw error;
    status.state = 'damaged';
    status.damage = error.message;
  }
  return { ...status, manifest };
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
    using market = await openMarketForReading(paths, { waitMs: 0 });
    const published = { seq: manifest?.seq ?? 0, listsSeq: manifest?.lists?.seq ?? 0 };
    return { pending: await countPending(market, published), busy: null };
  } catch (error) {
    if (error instanceof StoreBusyError) return { pending: null, busy: error.holder };
    if (error instanceof TapeworksError) return { pending: null, busy: error.message };
    throw error;
  }
}

export function countsOf({ jobs }: JobFigures): Partial<Record<FigureState, number>> {
  const counts: Partial<Record<FigureState, number>> = {};
  for (const { state, count } of jobs) counts[state] = (counts[state] ?? 0) + count;
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

async function showStatus(options: { json?: boolean }): Promise<void> {
  const { newYorkText } = await import('../../../jobs/schedule/schedules.ts');
  const report = await statusReport(settingsFromEnv(process.env), wallMs());
  createOutput(options.json).result(report, statusLines(report, newYorkText));
}

function statusLines(report: StatusReport, newYorkText: (ms: number) => string): string[] {
  const { dataDir, modes, jobs, schedules, integrity, disk } = report;
  const gigabytes = (disk.freeBytes / 2 ** 30).toFixed(1);
  return [
    `data: ${dataDir}, ${gigabytes} GiB free${disk.isFull ? ': FULL' : ''}`,
    ...modes.flatMap((status) => modeLines(status, wallMs())),
    `jobs: ${jobsText(jobs)}`,
    ...(report.travelling === undefined ? [] : [travellingText(report.travelling)]),
    ...integrityLines(integrity),
    ...(schedules.length === 0 ? [] : ['schedules, run by start or schedule (New York time):']),
    ...schedules.map(
      ({ name, source, nextAt }) => `  ${newYorkText(Date.parse(nextAt))}  ${name} from ${source}`,
    ),
  ];
}

function travellingText(found: NonNullable<StatusReport['travelling']> | null): string {
  if (!found) return 'between machines: TAPEWORKS_SEGMENTS_URL does not respond (see doctor)';
  const { place, objects, bytes, oldestAt } = found;
  const size = `${manyText(objects, 'file')}, ${(bytes / 1e6).toFixed(1)} MB`;
  return `between machines: ${size} in ${place}${oldestAt ? `, the oldest of ${oldestAt}` : ''}`;
}

function integrityLines({ ranAt, roundEndedAt, faults }: StatusReport['integrity']): string[] {
  const when = ranAt === null ? 'not checked yet' : `checked ${ranAt}`;
  const round = roundEndedAt === null ? '' : `, all data by ${roundEndedAt}`;
  if (faults.length === 0) return [`integrity: ${when}${round}`];
  const lines = faults.map(({ part, fault, remedy }) => `  ${part}: ${fault}: ${remedy}`);
  return [
    `integrity: ${countText(faults.length)} parts are DAMAGED, ${when}`,
    ...lines.slice(0, limits.integrity.faultsShown),
  ];
}

function modeLines(status: ModeStatus, nowMs: number): string[] {
  const { published, datasets, pending, busy, replica, upload } = status;
  const others = datasets.map(
    ({ dataset, rows, changedAt }) =>
      `  ${dataset}: ${manyText(rows, 'row')}, last changed ${changedAt}`,
  );
  const left = pending && pending.series + pending.lists > 0 ? pending : undefined;
  return [
    headingOf(status),
    ...(published ? candleLines(published) : []),
    ...others,
    ...(left
      ? [`  not published yet: ${countText(left.series)} series, ${countText(left.lists)} lists`]
      : []),
    ...(busy ? [`  unpublished changes unknown: ${busy}`] : []),
    ...(replica ? [`  replica: ${replicaText(replica, nowMs)}`] : []),
    ...(upload ? [`  object storage: ${uploadText(upload)}`] : []),
  ];
}

function uploadText({ uploaded, failure }: Pick<UploadState, 'uploaded' | 'failure'>): string {
  const has = uploaded
    ? `version ${uploaded.version}, uploaded ${new Date(uploaded.atMs).toISOString()}`
    : 'nothing uploaded yet';
  if (!failure) return has;
  return `${has}; FAILING since ${new Date(failure.sinceMs).toISOString()}: ${failure.reason}`;
}

const UNPUBLISHED: Record<PublishState, string> = {
  published: '',
  damaged: '',
  empty: 'empty',
  unpublished: 'nothing is published yet: the next backfill publishes what is loaded',
  'older-format': 'published by an older version: start, or the next backfill, publishes it again',
  'status-lost': 'served, but its status.json is missing: the next backfill writes it',
};

function headingOf({ mode, state, published, damage }: ModeStatus): string {
  if (damage) return `${mode}: DAMAGED: ${damage}: compact --full --mode ${mode}`;
  if (published) return `${mode}: version ${published.version}, published ${published.publishedAt}`;
  return `${mode}: ${UNPUBLISHED[state]}`;
}

function candleLines({ datasets: { candles, intraday } }: ServingStatus): string[] {
  const { symbols, rows, newestBarEnd, staleSymbols } = candles;
  return [
    newestBarEnd === null
      ? '  candles: no bars'
      : `  candles: ${manyText(symbols, 'symbol')}, newest bar ended ${newestBarEnd}` +
        (staleSymbols > 0 ? `, ${manyText(staleSymbols, 'symbol')} ended earlier` : ''),
    ...Object.entries(rows).map(([interval, count]) => `  ${interval}: ${manyText(count, 'bar')}`),
    ...(intraday ? Object.entries(intraday) : []).map(
      ([interval, { symbols, rows, newestBarEnd, otherHours = 0 }]) =>
        (newestBarEnd === null
          ? `  ${interval}: no bars`
          : `  ${interval}: ${manyText(rows, 'bar')} of ${manyText(symbols, 'symbol')}, ` +
            `newest ended ${newestBarEnd}`) +
        (otherHours === 0 ? '' : `; ${manyText(otherHours, 'bar')} outside of regular hours`),
    ),
  ];
}

function jobsText(jobs: StatusReport['jobs']): string {
  if (!jobs) return 'Redis does not respond';
  const { waiting = 0, active = 0, delayed = 0, dead = 0, input = 0 } = jobs;
  return [
    `${countText(waiting + delayed)} to be done`,
    `${countText(active)} running`,
    ...(dead === 0 ? [] : [`${countText(dead)} failed`]),
    ...(input === 0 ? [] : [`${countText(input)} with faults of their input`]),
  ]
    .join(', ')
    .concat(dead + input === 0 ? '' : ': tapeworks jobs list --dead');
}

export function registerStatus(program: Command): void {
  program
    .command('status')
    .description('show what is published, how fresh it is, and pending jobs')
    .action(showStatus);
}
