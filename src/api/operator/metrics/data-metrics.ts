/** Metrics of data: versions, rows and ages of each mode, and the age of what is known of accounts. */

import { MODES, type Mode, type ModePaths, modePaths } from '../../../base/config/data-dir.ts';
import { readIntegrity } from '../../../base/integrity-record.ts';
import { readManifest } from '../../../store/arrow/format/manifest.ts';
import { readServingStatus, type ServingStatus } from '../../../store/arrow/read/serving-status.ts';
import { datasetStatuses } from '../../../store/arrow/snapshot/dataset-status.ts';
import { readReplicaState } from '../../../store/objects/replica-state.ts';
import { readUploadState } from '../../../store/objects/upload-state.ts';
import { family, type MetricFamily, type MetricValue } from './family.ts';

/** Bars of one interval, or rows of another dataset. */
interface Part {
  labels: Record<string, string>;
  rows: number;
  /** Milliseconds of the end of the newest bar, or of the last publish of rows; NaN: never. */
  newestMs: number;
}

interface PublishedMode {
  labels: { mode: Mode };
  version: number;
  publishedMs: number;
  parts: Part[];
}

/** Reads the metrics from the files each time: a few milliseconds. */
export function dataFamilies(dataDir: string, nowMs: number): MetricFamily[] {
  const modes = MODES.map((mode) => publishedMode(dataDir, mode)).filter(
    (one) => one !== undefined,
  );
  const ofModes = (value: (one: PublishedMode) => number): MetricValue[] =>
    modes.map((one) => ({ value: value(one), labels: one.labels }));
  const ofParts = (value: (part: Part) => number): MetricValue[] =>
    modes.flatMap(({ parts }) =>
      parts.map((part) => ({ value: value(part), labels: part.labels })),
    );
  return [
    family(
      'gauge',
      'tapeworks_published_version',
      'Number of the published version.',
      ofModes(({ version }) => version),
    ),
    family(
      'gauge',
      'tapeworks_published_age_seconds',
      'Time since it was published.',
      ofModes(({ publishedMs }) => (nowMs - publishedMs) / 1000),
    ),
    family(
      'gauge',
      'tapeworks_dataset_rows',
      'Published rows.',
      ofParts(({ rows }) => rows),
    ),
    family(
      'gauge',
      'tapeworks_dataset_age_seconds',
      'Of candles, time since the newest bar ended; of others, since new rows were published.',
      ofParts(({ newestMs }) => (nowMs - newestMs) / 1000),
    ),
    ...integrityFamilies(dataDir, nowMs),
    ...replicaFamilies(dataDir, nowMs),
  ];
}

/** Returns metrics of a replica and of uploads; none where neither is in use. */
function replicaFamilies(dataDir: string, nowMs: number): MetricFamily[] {
  const valuesOf = (value: (paths: ModePaths) => number | undefined): MetricValue[] =>
    MODES.flatMap((mode) => {
      const found = value(modePaths(dataDir, mode));
      return found === undefined ? [] : [{ value: found, labels: { mode } }];
    });
  return [
    family(
      'gauge',
      'tapeworks_replica_confirmed_age_seconds',
      'Time since the object storage had no newer version than the served one.',
      valuesOf(({ replicaState }) => {
        const replica = readReplicaState(replicaState);
        return replica && (nowMs - (replica.confirmedMs ?? Number.NaN)) / 1000;
      }),
    ),
    family(
      'gauge',
      'tapeworks_replica_missing_bytes',
      'Bytes of the newest version that are not downloaded yet.',
      valuesOf(({ replicaState }) => {
        const replica = readReplicaState(replicaState);
        return replica && replica.bytesTotal - replica.bytesDone;
      }),
    ),
    family(
      'gauge',
      'tapeworks_uploaded_version',
      'Newest version in the object storage.',
      valuesOf(({ upload }) => readUploadState(upload).uploaded?.version),
    ),
    family(
      'gauge',
      'tapeworks_upload_failing_seconds',
      'Time since uploads fail; 0 while they work.',
      valuesOf(({ upload }) => {
        const { uploaded, failure } = readUploadState(upload);
        if (!uploaded && !failure) return undefined;
        return failure ? (nowMs - failure.sinceMs) / 1000 : 0;
      }),
    ),
  ].filter(({ values }) => values.length > 0);
}

/** @param contactMs Last contact with accounts in Postgres; undefined: they are a file. */
export function accountsFamily(contactMs: number | undefined, nowMs: number): MetricFamily {
  return family(
    'gauge',
    'tapeworks_accounts_confirmed_age_seconds',
    'Time since this machine reached the accounts in Postgres.',
    [{ value: (nowMs - (contactMs ?? Number.NaN)) / 1000, labels: {} }],
  );
}

/** Returns metrics of the scheduled integrity check; none if it has never run. */
function integrityFamilies(dataDir: string, nowMs: number): MetricFamily[] {
  const { ranMs, roundEndedMs, faults } = readIntegrity(dataDir);
  if (ranMs === null) return [];
  const one = (name: string, help: string, value: number) =>
    family('gauge', `tapeworks_integrity_${name}`, help, [{ value, labels: {} }]);
  const ageS = (ms: number | null) => (ms === null ? Number.NaN : (nowMs - ms) / 1000);
  return [
    one('run_age_seconds', 'Time since the last run of the integrity check.', ageS(ranMs)),
    one(
      'round_age_seconds',
      'Time since the check last completed a round of all data.',
      ageS(roundEndedMs),
    ),
    one('faults', 'Damaged parts of the data.', faults.length),
  ];
}

/** Reads a mode; undefined if nothing is published or it can't be read. */
function publishedMode(dataDir: string, mode: Mode): PublishedMode | undefined {
  const { serving } = modePaths(dataDir, mode);
  try {
    const manifest = readManifest(serving);
    if (!manifest) return undefined;
    const rows = [...datasetStatuses(serving, manifest)].map(
      ([dataset, { rows, changedMs }]): Part => ({
        labels: { mode, dataset },
        rows,
        newestMs: changedMs,
      }),
    );
    const { version, createdMs } = manifest;
    const parts = [...barParts(mode, readServingStatus(serving)), ...rows];
    return { labels: { mode }, version, publishedMs: createdMs, parts };
  } catch {
    // `/readyz` and the log report damage; a version that was just replaced is there next time.
    return undefined;
  }
}

function barParts(mode: Mode, status: ServingStatus | undefined): Part[] {
  if (!status) return [];
  const { candles, intraday } = status.datasets;
  const dataset = 'candles';
  const daily = Object.entries(candles.rows).map(([interval, rows]) => ({
    labels: { mode, dataset, interval },
    rows,
    newestMs: momentMs(interval === '1d' ? candles.newestBarEnd : null),
  }));
  const short = (intraday ? Object.entries(intraday) : []).map(
    ([interval, { rows, newestBarEnd }]) => ({
      labels: { mode, dataset, interval },
      rows,
      newestMs: momentMs(newestBarEnd),
    }),
  );
  return [...daily, ...short];
}

function momentMs(iso: string | null): number {
  return iso === null ? Number.NaN : Date.parse(iso);
}
