/**
 * A backup back into a data directory: all of it is checked beside the data before any of it gets
 * its place, so a damaged backup changes nothing. Interrupted, the same command goes on.
 */

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Mode } from '../../src/data-dir.ts';
import { CorruptDataError, TapeworksError } from '../../src/errors.ts';
import { markRestored } from '../redis/store-id.ts';
import { type BackupRecord, RECORD_NAME, readRecord, type SavedFile } from './backup-record.ts';
import { copyFile, hashFile, syncFolders, writeWhole } from './copy-file.ts';

/** In the data directory, while files of a backup are on their way. */
const STAGE_NAME = 'restoring';

export interface RestoreReport {
  folder: string;
  /** ISO date-time of the backup. */
  createdAt: string;
  modes: Mode[];
  files: number;
  bytes: number;
}

export interface RestoreDeps {
  onProgress?: (step: string, done: number, total: number) => void;
  signal?: AbortSignal;
}

/**
 * @param dataDir Must not hold what the backup holds; nothing may run on it.
 * @throws {TapeworksError} there is no finished backup, or data that would be replaced.
 * @throws {CorruptDataError} a file of the backup is missing or differs from its hash.
 */
export async function restore(
  source: string,
  dataDir: string,
  deps: RestoreDeps,
): Promise<RestoreReport> {
  const record = readRecord(source);
  const stage = join(resolve(dataDir), STAGE_NAME);
  const text = JSON.stringify(record);
  if (!isStaged(stage, text)) {
    checkRoom(dataDir, record);
    await stageFiles(source, stage, record, deps);
    await writeWhole(join(stage, RECORD_NAME), text);
    syncFolders([stage]);
  }
  for (const name of topNames(record)) {
    // What is gone from the stage has its place already: an earlier run was interrupted here.
    if (existsSync(join(stage, name))) renameSync(join(stage, name), join(dataDir, name));
  }
  // With Redis, jobs are loaded into this store from now on.
  markRestored(dataDir);
  syncFolders([resolve(dataDir)]);
  rmSync(stage, { recursive: true });
  const bytes = record.files.reduce((sum, file) => sum + file.bytes, 0);
  const { createdAt, modes, files } = record;
  return { folder: resolve(dataDir), createdAt, modes, files: files.length, bytes };
}

/** Whether an earlier run has checked all files of this very backup. */
function isStaged(stage: string, record: string): boolean {
  const path = join(stage, RECORD_NAME);
  return existsSync(path) && readFileSync(path, 'utf8') === record;
}

function topNames({ files }: BackupRecord): string[] {
  return [...new Set(files.map(({ path }) => path.split('/')[0]))];
}

function checkRoom(dataDir: string, record: BackupRecord): void {
  const taken = topNames(record).filter((name) => existsSync(join(dataDir, name)));
  if (taken.length === 0) return;
  throw new TapeworksError(
    `"${dataDir}" holds ${taken.join(', ')} already: stop what runs on it and move that away, ` +
      'or set TAPEWORKS_DATA_DIR to a new folder',
  );
}

async function stageFiles(
  source: string,
  stage: string,
  { files }: BackupRecord,
  { onProgress, signal }: RestoreDeps,
): Promise<void> {
  mkdirSync(stage, { recursive: true });
  // A record of another backup would vouch for a mix of both.
  rmSync(join(stage, RECORD_NAME), { force: true });
  for (const [i, file] of files.entries()) {
    onProgress?.('check and copy files', i, files.length);
    const to = join(stage, file.path);
    if ((await hashFile(to, signal))?.sha256 !== file.sha256) {
      await copyChecked(source, file, to, signal);
    }
  }
  onProgress?.('check and copy files', files.length, files.length);
  syncFolders([...files.map(({ path }) => dirname(join(stage, path))), stage]);
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
