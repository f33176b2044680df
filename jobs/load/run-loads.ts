/**
 * Results of the loads of a run, each written before its commit. A run that is continued after a
 * kill reports them with its own.
 */

import { join } from 'node:path';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { ifExists } from '../../src/base/copy-file.ts';
import { makeFolder } from '../../src/base/durable-file.ts';
import { failpoint } from '../../src/base/failpoints.ts';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from '../../src/base/world/files.ts';
import type { ReadingOfFiles } from '../../src/ingest/contract/reading-of-files.ts';
import { readServed, type Served } from '../../src/store/arrow/read/served-bars.ts';
import type { RunName } from '../contract/run.ts';
import { nameOf, stagingFolder } from '../contract/staged-files.ts';
import type { FetchedLoad } from './load-fetched.ts';

type Folders = Pick<ModePaths, 'segments' | 'serving'>;

/** A load as reports count it. */
export interface CountedLoad {
  result: FetchedLoad;
  rejectedByReason: readonly (readonly [string, number])[];
  readings: readonly ReadingOfFiles[];
  notes: readonly string[];
}

interface StoredLoad extends CountedLoad {
  /** Id of the segment, and the time of its load in the store's ledger. */
  id: string;
  loadedMs: number;
}

/** First line of the file. */
interface Begun {
  served: Served | null;
}

const NAME = 'loads';

function pathOf(paths: Folders, { id, createdMs }: RunName): string {
  return join(stagingFolder(paths, id), nameOf(createdMs, NAME, 'jsonl'));
}

/**
 * Begins the list of a run, or finds that of its killed process.
 *
 * @returns what was served before the run; null if it can't be read.
 */
export function beginLoads(paths: Folders, run: RunName): Served | null {
  const [known] = readLines<Begun>(pathOf(paths, run));
  if (known) return known.served;
  const begun: Begun = { served: readServed(paths.serving) };
  makeFolder(stagingFolder(paths, run.id));
  // A crash of the machine may lose lines: then the report lacks what was stored before.
  writeNote(() => writeFileSync(pathOf(paths, run), lineOf(begun)));
  return begun.served;
}

/** Forgets the loads of an attempt that failed for good: a retry counts only what it loads. */
export function forgetLoads(paths: Folders, run: RunName): void {
  rmSync(pathOf(paths, run), { force: true });
}

/** Loads of a run that `beginLoads` has begun. */
export class RunLoads {
  readonly #path: string;
  readonly #loads: Map<string, StoredLoad>;

  constructor(paths: Folders, run: RunName) {
    this.#path = pathOf(paths, run);
    const [, ...loads] = readLines<StoredLoad>(this.#path);
    this.#loads = new Map(loads.map((load) => [load.id, load]));
  }

  /**
   * Takes a load of this run out of the list: an input may come twice.
   *
   * @param loadedMs Time of the load in the ledger; undefined for facts, which do not read it.
   */
  take(id: string, loadedMs: number | undefined): CountedLoad | undefined {
    const load = this.#loads.get(id);
    this.#loads.delete(id);
    return loadedMs === undefined || load?.loadedMs === loadedMs ? load : undefined;
  }

  add(id: string, loadedMs: number, load: CountedLoad): void {
    const stored: StoredLoad = { id, loadedMs, ...load };
    writeNote(() => appendFileSync(this.#path, lineOf(stored)));
  }
}

/** Writes what only a report reads. A successor may have ended the run and removed its folder. */
function writeNote(write: () => void): void {
  failpoint('write note', NAME);
  ifExists(write);
}

function lineOf(content: object): string {
  // First, so that a line that was cut off spoils no other.
  return `\n${JSON.stringify(content)}`;
}

function readLines<T>(path: string): T[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as T];
    } catch {
      // It was cut off by a full disk or a kill.
      return [];
    }
  });
}
