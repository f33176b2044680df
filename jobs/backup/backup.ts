/**
 * Copies all data while loads and requests go on.
 *
 * The store of a mode is copied under its writer lock. Its immutable files get hard links there and
 * are copied later. Accounts come last, also from Postgres: they hold every event of the copied
 * stores.
 */

import { join, relative, resolve } from 'node:path';
import {
  accountsPlace,
  MODES,
  type Mode,
  type ModePaths,
  modePaths,
  workPaths,
} from '../../src/base/config/data-dir.ts';
import { scratchName } from '../../src/base/config/scratch-names.ts';
import { syncFolders, writeWhole } from '../../src/base/copy-file.ts';
import { makeFolders } from '../../src/base/data-folder.ts';
import { makeFolder } from '../../src/base/durable-file.ts';
import { TapeworksError, UsageError } from '../../src/base/errors.ts';
import { isRunning } from '../../src/base/is-running.ts';
import { existsSync, linkSync, readdirSync, rmSync } from '../../src/base/world/files.ts';
import { saveAccounts } from '../../src/store/accounts/move.ts';
import { filesOf, MANIFEST_NAME, readManifest } from '../../src/store/arrow/format/manifest.ts';
import { pastPath } from '../../src/store/arrow/format/past-file.ts';
import { STATUS_NAME } from '../../src/store/arrow/read/serving-status.ts';
import { acquireWriterLock } from '../../src/store/duckdb/connection/writer-lock.ts';
import type { RunDeps } from '../contract/reports.ts';
import { newRecord, RECORD_NAME } from './backup-record.ts';
import { fillFolder } from './folder-failure.ts';
import { createSaver, type Saver } from './saver.ts';

const BEGUN_NAME = 'backup.begun';

export interface BackupOptions {
  dataDir: string;
  segmentsDir?: string;
  /** New folder, or the folder of an interrupted backup. */
  target: string;
  modes?: readonly Mode[];
  /** Files with secrets, saved only on request. */
  keyFiles?: readonly string[];
}

export interface BackupReport {
  folder: string;
  modes: Mode[];
  files: number;
  bytes: number;
}

/**
 * Makes a backup.
 *
 * @throws {UsageError} the folder lies inside the data folder.
 * @throws {TapeworksError} the folder holds other files, or there is nothing to save.
 */
export async function backup(options: BackupOptions, deps: RunDeps): Promise<BackupReport> {
  const [dataDir, target] = [resolve(options.dataDir), resolve(options.target)];
  const segmentsDir = options.segmentsDir && resolve(options.segmentsDir);
  const modes = (options.modes ?? MODES).filter((mode) =>
    existsSync(modePaths(dataDir, mode).root),
  );
  if (modes.length === 0) throw new TapeworksError(`"${dataDir}" holds nothing to save yet`);
  const places = { dataDir, segmentsDir };
  return fillFolder(target, () => save(places, target, { ...options, modes }, deps));
}

async function save(
  places: Places,
  target: string,
  { modes, keyFiles = [] }: { modes: Mode[]; keyFiles?: readonly string[] },
  deps: RunDeps,
): Promise<BackupReport> {
  await beginFolder(target, places);
  const saver = createSaver({ ...places, target }, deps.signal);
  for (const mode of modes) await saveMode(workPaths(places, mode), saver, deps);
  const { path, url } = accountsPlace(places.dataDir);
  if (url === undefined) await saver.database(path);
  else await saver.made(path, (to) => saveAccounts({ path: to, url }));
  for (const keyFile of keyFiles) {
    if (existsSync(keyFile)) await saver.file(resolve(keyFile));
  }
  const { files } = saver;
  syncFolders([...files.map(({ path }) => join(target, path, '..')), target]);
  const createdAt = new Date(deps.nowMs).toISOString();
  const record = newRecord({ createdAt, modes, files: [...files] });
  await writeWhole(join(target, RECORD_NAME), JSON.stringify(record, null, 1));
  rmSync(join(target, BEGUN_NAME));
  syncFolders([target]);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return { folder: target, modes, files: files.length, bytes };
}

interface Places {
  dataDir: string;
  segmentsDir: string | undefined;
}

async function beginFolder(target: string, places: Places): Promise<void> {
  for (const mode of MODES) {
    const { root, segments } = workPaths(places, mode);
    if ([root, segments].some((path) => !relative(path, target).startsWith('..'))) {
      throw new UsageError(`the folder of a backup must not lie in the data, got "${target}"`);
    }
  }
  makeFolder(target);
  const names = readdirSync(target);
  if (names.includes(RECORD_NAME)) {
    throw new TapeworksError(`"${target}" holds a finished backup: give another folder`);
  }
  if (names.length > 0 && !names.includes(BEGUN_NAME)) {
    throw new TapeworksError(`"${target}" holds other files: give an empty or a new folder`);
  }
  await writeWhole(join(target, BEGUN_NAME), '');
}

/** A file and its hard link, which no other process removes while it is copied. */
interface LinkedFile {
  path: string;
  link: string;
}

async function saveMode(paths: ModePaths, saver: Saver, deps: RunDeps): Promise<void> {
  const links = join(paths.scratch, scratchName('backup'));
  try {
    const linked = await saveStore(paths, links, saver, deps);
    for (const [i, { path, link }] of linked.entries()) {
      deps.onProgress?.('save files', i, linked.length);
      if (existsSync(link)) await saver.unchangedFile(path, link);
    }
    deps.onProgress?.('save files', linked.length, linked.length);
  } finally {
    rmSync(links, { recursive: true, force: true });
  }
  // After the manifest: a newer one than it is fine.
  await saver.database(pastPath(paths.serving));
  await saver.database(paths.feeds);
}

/** Saves the part that must not change meanwhile. @returns the files that can be copied later. */
async function saveStore(
  paths: ModePaths,
  links: string,
  saver: Saver,
  deps: RunDeps,
): Promise<LinkedFile[]> {
  using _lock = await acquireWriterLock(paths, deps);
  // After a kill, the last changes are in the log, which is replayed at the next open.
  for (const path of [paths.market, `${paths.market}.wal`]) {
    if (existsSync(path)) await saver.file(path);
  }
  for (const name of [MANIFEST_NAME, STATUS_NAME]) {
    if (existsSync(join(paths.serving, name))) await saver.file(join(paths.serving, name));
  }
  removeLinks(paths, links);
  makeFolders(links);
  const linked: LinkedFile[] = [];
  for (const path of immutableFiles(paths)) {
    const link = join(links, String(linked.length));
    // Another disk allows no hard links, but segments stay and never change.
    const isShared = relative(paths.root, path).startsWith('..');
    const result = isShared ? 'linked' : tryLink(path, link);
    if (result === 'linked') linked.push({ path, link: isShared ? path : link });
    else if (result === 'refused') await saver.unchangedFile(path);
  }
  return linked;
}

/** Removes links of an earlier try and of killed backups: they keep files on the disk. */
function removeLinks({ scratch }: ModePaths, own: string): void {
  if (!existsSync(scratch)) return;
  for (const name of readdirSync(scratch)) {
    const pid = Number(/^backup-(\d+)$/.exec(name)?.[1]);
    const path = join(scratch, name);
    if (path === own || (pid > 0 && !isRunning(pid)))
      rmSync(path, { recursive: true, force: true });
  }
}

function immutableFiles(paths: ModePaths): string[] {
  const manifest = readManifest(paths.serving);
  const served = manifest ? [...filesOf(manifest)] : [];
  return [
    ...served.filter((name) => name !== MANIFEST_NAME).map((name) => join(paths.serving, name)),
    ...filesBelow(paths.segments),
    ...filesBelow(paths.quarantine),
  ];
}

/** `gone`: a fetch has renamed its unfinished file meanwhile. */
function tryLink(path: string, link: string): 'linked' | 'gone' | 'refused' {
  try {
    linkSync(path, link);
    return 'linked';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : 'refused';
  }
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
