/** Parts that the integrity check reads. */

import { basename, join } from 'node:path';
import type { Settings } from '../../src/base/config/config.ts';
import { accountsPath, MODES, type ModePaths, workPaths } from '../../src/base/config/data-dir.ts';
import { hashFile } from '../../src/base/copy-file.ts';
import { CorruptDataError, StoreBusyError, TapeworksError } from '../../src/base/errors.ts';
import { existsSync } from '../../src/base/world/files.ts';
import { checkPast } from '../../src/past/check-past.ts';
import { checkAccountsFile } from '../../src/store/accounts/sqlite/check.ts';
import { MANIFEST_NAME, readManifest } from '../../src/store/arrow/format/manifest.ts';
import { pastPath } from '../../src/store/arrow/format/past-file.ts';
import { fileChecks } from '../../src/store/arrow/read/check-files.ts';
import { readServingStatus, STATUS_NAME } from '../../src/store/arrow/read/serving-status.ts';
import {
  checkPiece,
  loadedSegments,
  storePieces,
} from '../../src/store/duckdb/upkeep/check-store.ts';
import { readFileSets } from '../../src/store/parquet/file-sets.ts';
import { readRecords, type SegmentRecord } from '../load/segment-records.ts';

export interface DataPart {
  /** Name such as `live/serving/quotes-12.arrow`; parts are checked in the order of their names. */
  name: string;
  /** Size, if it is known. */
  bytes: number;
  remedy: string;
  /** Checks the part. @throws {CorruptDataError} it is damaged. {StoreBusyError} it is in use. */
  check(signal?: AbortSignal): Promise<void>;
}

const REMEDIES = {
  serving: 'compact --full publishes everything again from the store',
  past: 'remove serving/past.sqlite: only as_of and corrections read it, and it begins again',
  store: 'rebuild builds the store again from the loaded segments',
  segments: 'put the file back from a backup: nothing that is served needs it, a rebuild does',
  records: 'load its input again, or restore the file from a backup: a rebuild needs it',
  files: 'delete the folder, and files makes all Parquet files again',
  accounts: 'restore accounts.sqlite from a backup',
} as const;

/** Lists all parts, ascending by name. */
export async function dataParts(
  settings: Pick<Settings, 'dataDir' | 'segmentsDir'>,
): Promise<DataPart[]> {
  const parts: DataPart[] = accountsParts(accountsPath(settings.dataDir));
  for (const mode of MODES) {
    const paths = workPaths(settings, mode);
    parts.push(...servingParts(paths), ...segmentParts(paths), ...(await storeParts(paths)));
    parts.push(...pastParts(paths), ...parquetParts(paths));
  }
  return parts.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function accountsParts(path: string): DataPart[] {
  if (!existsSync(path)) return [];
  const check = async () => checkAccountsFile(path);
  return [{ name: 'accounts', bytes: 0, remedy: REMEDIES.accounts, check }];
}

function pastParts({ mode, serving }: ModePaths): DataPart[] {
  const path = pastPath(serving);
  if (!existsSync(path)) return [];
  const check = async () => checkPast(path);
  return [{ name: `${mode}/past`, bytes: 0, remedy: REMEDIES.past, check }];
}

/** Lists the parts of the published version. */
export function servingParts({ mode, serving }: ModePaths): DataPart[] {
  const remedy = REMEDIES.serving;
  try {
    const manifest = readManifest(serving);
    if (!manifest) return [];
    const files = fileChecks(serving, manifest).map(({ name, bytes, check }) => ({
      ...{ name: `${mode}/serving/${name}`, bytes, remedy },
      check: () => check().catch((error) => throwIfServed(error, serving, name)),
    }));
    const status: DataPart = {
      ...{ name: `${mode}/serving/${STATUS_NAME}`, bytes: 0, remedy },
      check: async () => void readServingStatus(serving),
    };
    return [...files, status];
  } catch (error) {
    return [faultyPart(`${mode}/serving/${MANIFEST_NAME}`, error, remedy)];
  }
}

/** Throws the error if the file is still served: a publish may have replaced it. */
function throwIfServed(error: unknown, serving: string, name: string): void {
  const manifest = readManifest(serving);
  if (!manifest || fileChecks(serving, manifest).some((one) => one.name === name)) throw error;
}

/** Lists the Parquet files of the newest set and of some before it. */
function parquetParts({ mode, files: folder }: ModePaths): DataPart[] {
  const remedy = REMEDIES.files;
  try {
    return filesIn(folder).map(({ name, bytes, sha256 }) => ({
      ...{ name: `${mode}/files/${name}`, bytes, remedy },
      check: async (signal) => {
        const path = join(folder, name);
        // A newer set may have replaced it.
        const isListed = () => filesIn(folder).some((file) => file.name === name);
        await checkHash(path, sha256, signal).catch((error) => {
          if (isListed()) throw error;
        });
      },
    }));
  } catch (error) {
    return [faultyPart(`${mode}/files/files.json`, error, remedy)];
  }
}

/** Files with a known hash, each once. @throws {CorruptDataError} `files.json` is damaged. */
function filesIn(folder: string): { name: string; bytes: number; sha256: string }[] {
  const files = readFileSets(folder).flatMap((set) => set.files);
  const known = files.flatMap(({ name, bytes, sha256 }) =>
    sha256 ? [{ name, bytes, sha256 }] : [],
  );
  return [...new Map(known.map((file) => [file.name, file])).values()];
}

function segmentParts(paths: ModePaths): DataPart[] {
  const { records, damaged } = readRecords(paths);
  const faulty = damaged.map((path) =>
    faultyPart(
      `${paths.mode}/segments/loaded/${basename(path)}`,
      new CorruptDataError(`"${path}" is damaged`),
      REMEDIES.records,
    ),
  );
  if (records.length === 0) return faulty;
  const ledger: DataPart = {
    ...{ name: `${paths.mode}/ledger`, bytes: 0, remedy: REMEDIES.store },
    check: () => checkLedger(paths, records),
  };
  const kept = records.flatMap(({ id, sha256 }): DataPart[] => {
    if (sha256 === undefined) return [];
    const path = join(paths.segments, `${id}.parquet`);
    return [
      {
        ...{ name: `${paths.mode}/segments/${id}`, bytes: 0, remedy: REMEDIES.segments },
        check: (signal) => checkHash(path, sha256, signal),
      },
    ];
  });
  return [...faulty, ledger, ...kept];
}

async function checkHash(path: string, sha256: string, signal?: AbortSignal): Promise<void> {
  const content = await hashFile(path, signal, sha256);
  if (!content) throw new CorruptDataError(`"${path}" is missing`);
  if (content.sha256 !== sha256) {
    throw new CorruptDataError(`"${path}" does not match its SHA-256`);
  }
}

async function checkLedger(paths: ModePaths, records: readonly SegmentRecord[]): Promise<void> {
  // Facts are not segments and have another id.
  const noted = records.filter(({ staged }) => staged?.kind !== 'facts');
  if (noted.length > 0 && !existsSync(paths.market)) {
    throw new CorruptDataError(`"${paths.market}" is missing`);
  }
  if (noted.length === 0) return;
  const loaded = await loadedSegments(paths);
  const lost = noted.filter(({ id }) => !loaded.has(id));
  if (lost.length === 0) return;
  throw new CorruptDataError(
    `"${paths.market}" lacks ${lost.length} loads, the first of them ${lost[0].origin}`,
  );
}

async function storeParts(paths: ModePaths): Promise<DataPart[]> {
  if (!existsSync(paths.market)) return [];
  const name = `${paths.mode}/store`;
  const remedy = REMEDIES.store;
  try {
    return (await storePieces(paths)).map((piece) => ({
      ...{ name: `${name}/${piece.name}`, bytes: 0, remedy },
      check: () => checkPiece(paths, piece),
    }));
  } catch (error) {
    return [faultyPart(name, error, remedy)];
  }
}

/** Builds a part that always fails with this error. */
function faultyPart(name: string, error: unknown, remedy: string): DataPart {
  const check = async () => {
    throw error;
  };
  return { name, bytes: 0, remedy, check };
}

/** Describes damage; undefined for other errors, such as an older schema. */
export function faultText(error: unknown): string | undefined {
  if (error instanceof CorruptDataError) return error.message;
  if (error instanceof StoreBusyError || !(error instanceof TapeworksError)) throw error;
  return undefined;
}
