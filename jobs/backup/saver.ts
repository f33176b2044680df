/** Copies files from a data folder into a backup; each keeps its relative path. */

import { dirname, join, relative, sep } from 'node:path';
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite';
import { MODES } from '../../src/base/config/data-dir.ts';
import { copyFile, hashFile } from '../../src/base/copy-file.ts';
import { makeFolders } from '../../src/base/data-folder.ts';
import { closeSync, existsSync, openSync, rmSync, statSync } from '../../src/base/world/files.ts';
import { type SavedFile, SEGMENTS_NAME } from './backup-record.ts';

export interface Saver {
  /** Copies a file, which no process changes or removes meanwhile, from its path or from `from`. */
  file(path: string, from?: string): Promise<void>;
  /** Like `file`, but keeps an equal copy of an interrupted run. */
  unchangedFile(path: string, from?: string): Promise<void>;
  /** Copies an SQLite database that is in use; does nothing if there is none. */
  database(path: string): Promise<void>;
  /** Lets `make` write the copy of a path. */
  made(path: string, make: (to: string) => Promise<unknown>): Promise<void>;
  readonly files: readonly SavedFile[];
}

/** Returns the path of a shared segment as if it were in the data folder. */
function sharedSegment(segmentsDir: string | undefined, path: string): string | undefined {
  const [mode, ...rest] = segmentsDir === undefined ? [] : relative(segmentsDir, path).split(sep);
  return MODES.some((one) => one === mode) ? [mode, SEGMENTS_NAME, ...rest].join('/') : undefined;
}

export function createSaver(
  { dataDir, segmentsDir, target }: { dataDir: string; segmentsDir?: string; target: string },
  signal?: AbortSignal,
): Saver {
  const files: SavedFile[] = [];
  const relativeOf = (path: string) =>
    sharedSegment(segmentsDir, path) ?? relative(dataDir, path).split(sep).join('/');
  const note = (path: string, content: Omit<SavedFile, 'path'>) => {
    files.push({ path: relativeOf(path), ...content });
  };
  async function made(path: string, make: (to: string) => Promise<unknown>): Promise<void> {
    const to = join(target, relativeOf(path));
    makeFolders(dirname(to));
    // SQLite would write into the leftover of an interrupted run, page by page.
    for (const ending of ['', '-wal', '-shm']) rmSync(to + ending, { force: true });
    await make(to);
    const content = await hashFile(to, signal);
    if (content) note(path, content);
  }
  return {
    files,
    async file(path, from = path) {
      note(path, await copyFile(from, join(target, relativeOf(path)), signal));
    },
    async unchangedFile(path, from = path) {
      const to = join(target, relativeOf(path));
      const copied = await hashFile(to, signal);
      const isThere = copied && copied.sha256 === (await hashFile(from, signal))?.sha256;
      note(path, isThere ? copied : await copyFile(from, to, signal));
    },
    async database(path) {
      if (!existsSync(path)) return;
      await made(path, async (to) => {
        // SQLite keeps the rights of an existing file, so the copy is as private as the original.
        closeSync(openSync(to, 'wx', statSync(path).mode & 0o777));
        const source = new DatabaseSync(path, { readOnly: true });
        try {
          await copyDatabase(source, to);
        } finally {
          source.close();
        }
      });
    },
    made,
  };
}
