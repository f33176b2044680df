/**
 * Restores a backup. All files are checked in a staging folder before any is moved, so a damaged
 * backup changes nothing. After an interruption the same command continues.
 */

import { dirname, join, resolve } from 'node:path';
import { accountsPlace, jobsPaths, modePaths } from '../../src/base/config/data-dir.ts';
import { copyFile, hashFile, syncFolders, writeWhole } from '../../src/base/copy-file.ts';
import { makeFolders } from '../../src/base/data-folder.ts';
import {
  AccountsExistError,
  AccountsUnreachableError,
  CorruptDataError,
  TapeworksError,
} from '../../src/base/errors.ts';
import { existsSync, readFileSync, renameSync, rmSync } from '../../src/base/world/files.ts';
import { moveAccounts } from '../../src/store/accounts/move.ts';
import { markTakeover } from '../../src/store/objects/upload-state.ts';
import { markRestored } from '../redis/store-id.ts';
import {
  type BackupRecord,
  RECORD_NAME,
  readRecord,
  type SavedFile,
  SEGMENTS_NAME,
} from './backup-record.ts';
import { fillFolder } from './folder-failure.ts';

/** Staging folder in the data folder and next to shared segments. */
const STAGE_NAME = 'restoring';

const LOG_ENDINGS = ['-wal', '-shm', '-journal'];

/** Runs of the replaced store would continue in the restored one. */
const { ledger } = jobsPaths('');
const OF_A_STORE = ['', ...LOG_ENDINGS].map((ending) => ledger + ending);

export interface RestorePlaces {
  dataDir: string;
  segmentsDir?: string;
}

export interface RestoreDeps {
  onProgress?: (step: string, done: number, total: number) => void;
  signal?: AbortSignal;
}

/**
 * Restores a backup.
 *
 * @param places `dataDir` must not hold the same data, and no process may use it. Segments in a
 *   shared folder stay.
 * @throws {TapeworksError} there is no finished backup, or data would be replaced.
 * @throws {CorruptDataError} a file of the backup is missing or damaged.
 */
export async function restore(source: string, places: RestorePlaces, deps: RestoreDeps) {
  const dataDir = resolve(places.dataDir);
  const segmentsDir = places.segmentsDir && resolve(places.segmentsDir);
  const record = readRecord(source);
  await fillFolder(dataDir, () => place(source, { dataDir, segmentsDir }, record, deps));
  const bytes = record.files.reduce((sum, file) => sum + file.bytes, 0);
  const { createdAt, modes, files } = record;
  const accounts = await moveToPostgres(dataDir);
  return { folder: dataDir, createdAt, modes, files: files.length, bytes, accounts };
}

/**
 * Moves restored accounts to the Postgres of the settings, if it is empty. One with accounts is
 * alive and newer, so it stays as it is.
 *
 * @returns undefined without Postgres, or without accounts in the backup.
 */
async function moveToPostgres(
  dataDir: string,
): Promise<'moved' | 'kept' | 'unreachable' | undefined> {
  const { path, url } = accountsPlace(dataDir);
  if (url === undefined || !existsSync(path)) return undefined;
  try {
    await moveAccounts('postgres', { path, url });
    return 'moved';
  } catch (error) {
    if (error instanceof AccountsExistError) return 'kept';
    if (error instanceof AccountsUnreachableError) return 'unreachable';
    throw error;
  }
}

async function place(
  source: string,
  places: RestorePlaces,
  record: BackupRecord,
  deps: RestoreDeps,
): Promise<void> {
  const { dataDir, segmentsDir } = places;
  const stage = join(dataDir, STAGE_NAME);
  const sharedStage = segmentsDir && join(segmentsDir, STAGE_NAME);
  const text = JSON.stringify({ ...record, segmentsDir });
  const segments = segmentsDir === undefined ? [] : sharedSegments(segmentsDir, record);
  const shared = new Map(segments.map((one) => [one.file, one]));
  if (!isStaged(stage, text)) {
    checkRoom(dataDir, record);
    const stagedAt = (file: SavedFile) => shared.get(file)?.staged ?? join(stage, file.path);
    await stageFiles(source, stage, { ...record, stagedAt }, deps);
    await writeWhole(join(stage, RECORD_NAME), text);
    syncFolders([stage]);
  }
  // A file that is no longer staged was moved by an earlier, interrupted run.
  for (const { staged, place: to } of segments) {
    makeFolders(dirname(to));
    if (existsSync(staged)) renameSync(staged, to);
  }
  syncFolders(segments.map(({ place: to }) => dirname(to)));
  for (const name of topNames(record)) {
    if (existsSync(join(stage, name))) renameSync(join(stage, name), join(dataDir, name));
  }
  // With Redis, jobs are loaded into this store from now on.
  await markRestored(dataDir);
  // With object storage, this folder replaces the publisher.
  for (const mode of record.modes) await markTakeover(modePaths(dataDir, mode).upload);
  syncFolders([dataDir]);
  if (sharedStage) rmSync(sharedStage, { recursive: true, force: true });
  rmSync(stage, { recursive: true });
}

interface SharedSegment {
  file: SavedFile;
  staged: string;
  place: string;
}

function sharedSegments(segmentsDir: string, { files }: BackupRecord): SharedSegment[] {
  return files.flatMap((file) => {
    const [mode, folder, ...rest] = file.path.split('/');
    if (folder !== SEGMENTS_NAME) return [];
    const staged = join(segmentsDir, STAGE_NAME, mode, ...rest);
    return [{ file, staged, place: join(segmentsDir, mode, ...rest) }];
  });
}

function isStaged(stage: string, record: string): boolean {
  const path = join(stage, RECORD_NAME);
  return existsSync(path) && readFileSync(path, 'utf8') === record;
}

function topNames({ files }: BackupRecord): string[] {
  return [...new Set(files.map(({ path }) => path.split('/')[0]))];
}

function checkRoom(dataDir: string, record: BackupRecord): void {
  const names = topNames(record);
  // SQLite would apply the log of another database to the restored one.
  const logs = names.flatMap((name) => LOG_ENDINGS.map((ending) => name + ending));
  const taken = [...names, ...logs, ...OF_A_STORE].filter((name) =>
    existsSync(join(dataDir, name)),
  );
  if (taken.length === 0) return;
  throw new TapeworksError(
    `"${dataDir}" holds ${taken.join(', ')} already: stop what runs on it and move that away, ` +
      'or set TAPEWORKS_DATA_DIR to a new folder',
  );
}

async function stageFiles(
  source: string,
  stage: string,
  { files, stagedAt }: Pick<BackupRecord, 'files'> & { stagedAt(file: SavedFile): string },
  { onProgress, signal }: RestoreDeps,
): Promise<void> {
  makeFolders(stage);
  // The record of another backup would approve a mix of both.
  rmSync(join(stage, RECORD_NAME), { force: true });
  for (const [i, file] of files.entries()) {
    onProgress?.('check and copy files', i, files.length);
    const to = stagedAt(file);
    if ((await hashFile(to, signal))?.sha256 !== file.sha256) {
      await copyChecked(source, file, to, signal);
    }
  }
  onProgress?.('check and copy files', files.length, files.length);
  syncFolders([...files.map((file) => dirname(stagedAt(file))), stage]);
}

async function copyChecked(
  source: string,
  { path, sha256 }: SavedFile,
  to: string,
  signal?: AbortSignal,
): Promise<void> {
  const from = join(source, path);
  if (!existsSync(from)) throw new CorruptDataError(`the backup lacks its file "${path}"`);
  const copied = await copyFile(from, to, signal);
  if (copied.sha256 === sha256) return;
  rmSync(to);
  throw new CorruptDataError(
    `the backup's file "${path}" does not match its SHA-256: expected ${sha256}, ` +
      `got ${copied.sha256}; nothing was restored`,
  );
}
