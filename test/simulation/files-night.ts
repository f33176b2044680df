/**
 * Some days of sets of Parquet files: a folder that makes and uploads them, and two replicas. Their
 * content comes back at times, as a corrected bar does that is corrected back.
 */

import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModePaths, modePaths } from '../../src/base/config/data-dir.ts';
import { makeFolder, removeFile, UNFINISHED_ENDING } from '../../src/base/durable-file.ts';
import { CorruptDataError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { writePieces } from '../../src/cli/files/write-pieces.ts';
import { followObjects } from '../../src/fleet/replicas/run-replica.ts';
import { keepUploading } from '../../src/fleet/replicas/run-uploads.ts';
import { placeFile } from '../../src/ingest/segments/place-file.ts';
import { MANIFEST_NAME } from '../../src/store/arrow/format/manifest.ts';
import {
  type FileSet,
  readFileSets,
  swapFileSets,
  unneededFiles,
} from '../../src/store/parquet/file-sets.ts';
import type { Disk } from './disk.ts';
import { Log } from './log.ts';
import { newBucket } from './object-store.ts';
import { publishLog, remedyOf, tellFailure } from './publisher.ts';
import { Random } from './random.ts';
import { outside, type Simulation } from './simulation.ts';

/** Times between two sets: some follow at once, others a night later. */
const JUMPS_MS = [11_000, 300_000, 840_000, 2_400_000, 25_200_000];
const JUMPS = 24;
const JUMP_QUIET_MS = 600;

/** Jumps after the faults: sets are uploaded, downloaded and listed, and old objects go. */
const LAST_JUMPS_MS = [11_000, 11_000, 40_000, 3_600_000, 3_600_000, limits.replicas.strayMs];
const LAST_QUIET_MS = 2_000;

const SNAPSHOTS = { kind: 'file', folder: 'bucket' } as const;
const YEARS = [2024, 2025];
const CONTENTS = 3;

interface Place {
  disk: Disk;
  paths: ModePaths;
}

export class FilesNight {
  readonly publishes = 0;
  readonly #now: Simulation;
  readonly #random: Random;
  readonly #bucket = newBucket();
  readonly #publisher: Place;
  readonly #replicas: Place[];
  readonly #log: Log;
  readonly #content = YEARS.map(() => 0);
  #made = 0;
  /** True if the power failed since: a removed file may be back, until the next set is made. */
  #mayComeBack = false;
  #wanted = 1;

  constructor(now: Simulation, addDisk: (name: string) => Disk) {
    this.#now = now;
    this.#random = new Random(now.seed, 'files');
    this.#log = new Log(0, now.seed);
    const place = (name: string) => this.#place(addDisk(name));
    this.#publisher = place('publisher');
    this.#replicas = [place('replica1'), place('replica2')];
    const { disk } = this.#publisher;
    const whole = disk.afterPowerFailure;
    disk.afterPowerFailure = () => {
      whole();
      this.#mayComeBack = true;
      outside(() => this.#checkMade());
    };
    const note = (line: string) => now.tell(line);
    const { signal } = new AbortController();
    const settings = ({ root }: Disk) => ({ dataDir: join(root, 'data'), snapshotsUrl: SNAPSHOTS });
    now.start('files', disk, () => this.#makeFiles());
    now.start('upload', disk, () => keepUploading(settings(disk), note, signal));
    for (const replica of this.#replicas) {
      now.start('follow', replica.disk, () => followObjects(settings(replica.disk), note, signal));
      now.start('read', replica.disk, () => this.#read(replica));
    }
  }

  #place(disk: Disk): Place {
    mkdirSync(join(disk.root, 'data'), { recursive: true });
    const place = { disk, paths: modePaths(join(disk.root, 'data'), 'live') };
    disk.afterPowerFailure = () => outside(() => this.#checkWhole(place));
    return place;
  }

  async end(): Promise<void> {
    const now = this.#now;
    now.faults.isOn = true;
    for (let i = 0; i < JUMPS && now.violations.length === 0; i++) {
      now.nowMs += this.#random.pick(JUMPS_MS);
      this.#change();
      await now.run(now.elapsedMs + JUMP_QUIET_MS);
    }
    now.faults.isOn = false;
    for (const jumpMs of LAST_JUMPS_MS) {
      now.nowMs += jumpMs;
      await now.run(now.elapsedMs + LAST_QUIET_MS);
    }
  }

  /** Asks for some sets, whose content may be one of before. */
  #change(): void {
    this.#wanted += this.#random.below(7);
    YEARS.forEach((_, i) => {
      if (this.#random.next() < 0.5) this.#content[i] = this.#random.below(CONTENTS);
    });
  }

  async #makeFiles(): Promise<void> {
    const { paths } = this.#publisher;
    for (;;) {
      try {
        await this.#publishOnce();
        makeFolder(paths.files);
        while (this.#made < this.#wanted) await this.#makeSet(paths.files);
      } catch (error) {
        remedyOf(error);
        tellFailure(error);
      }
      await this.#now.turn('rest', this.#random.between(20, 300));
    }
  }

  /** Sets follow a version, so one is published. */
  async #publishOnce(): Promise<void> {
    const { paths } = this.#publisher;
    if (existsSync(join(paths.serving, MANIFEST_NAME))) return;
    const nowMs = Math.floor(this.#now.nowMs);
    await publishLog({ paths, log: this.#log, verb: 'load', epoch: 1, nowMs, isWhole: false });
  }

  /** Makes a set as `makeFiles` does: files that are there are kept. */
  async #makeSet(folder: string): Promise<void> {
    const number = this.#made + 1;
    const older = readFileSets(folder);
    const files: FileSet['files'] = [];
    for (const [i, year] of YEARS.entries()) {
      const bytes = new Random(`${year} ${this.#content[i]}`).bytes(2000);
      const sha256 = hash('sha256', bytes);
      const name = `candles-1d-${year}-${sha256.slice(0, 16)}.parquet`;
      files.push({
        ...{ dataset: 'candles', interval: '1d', year, month: null },
        ...{ name, bytes: bytes.length, sha256 },
      });
      const path = join(folder, name);
      if (existsSync(path)) continue;
      const { signal } = new AbortController();
      await writePieces(path + UNFINISHED_ENDING, [bytes], signal);
      await placeFile(path + UNFINISHED_ENDING, path);
    }
    const set = { version: `${number}`, createdMs: Math.floor(this.#now.nowMs), inputs: {}, files };
    const others = older.filter(({ version }) => version !== set.version);
    const sets = [set, ...others.slice(0, limits.files.olderSetsMax)];
    await swapFileSets(folder, sets);
    for (const name of unneededFiles(folder, sets)) removeFile(folder, name);
    this.#made = number;
    this.#mayComeBack = false;
    this.#now.tell(`made set ${number}`);
  }

  /** A set that is made outlives a failure of the power. */
  #checkMade(): void {
    const { files } = this.#publisher.paths;
    const newest = existsSync(files) ? Number(readFileSets(files)[0]?.version ?? 0) : 0;
    if (newest >= this.#made) return;
    this.#now.violate('what was acknowledged is there', `set ${newest}, not ${this.#made}`);
  }

  async #read(place: Place): Promise<void> {
    let newestMs = 0;
    for (;;) {
      this.#checkWhole(place);
      const createdMs = existsSync(place.paths.files) ? newestOf(place.paths.files) : 0;
      if (createdMs < newestMs) this.#now.violate('never an older version', `set of ${createdMs}`);
      newestMs = createdMs;
      await this.#now.turn('rest', this.#random.between(50, 300));
    }
  }

  /** Each file that is listed is there, and has its bytes. */
  #checkWhole({ disk, paths: { files: folder } }: Place): void {
    if (!existsSync(folder)) return;
    try {
      for (const { files } of readFileSets(folder)) {
        const damaged = files.filter(({ name, sha256 }) => hashOf(join(folder, name)) !== sha256);
        if (damaged.length === 0) continue;
        const names = damaged.map(({ name }) => name);
        this.#now.violate('what is served is whole', `${disk.name}: ${names}`);
      }
    } catch (error) {
      if (!(error instanceof CorruptDataError)) throw error;
      this.#now.violate('what is served is whole', `${disk.name}: ${error.message}`);
    }
  }

  checkEnd(): void {
    const { files: folder } = this.#publisher.paths;
    const sets = existsSync(folder) ? readFileSets(folder) : [];
    const listed = new Set(sets.flatMap(({ files }) => files.map(({ name }) => name)));
    const names = [...listed].toSorted();
    const left = listing(folder).filter((name) => !listed.has(name));
    if (left.length > 0 && !this.#mayComeBack) {
      this.#now.violate('nothing is left over', `files ${left}`);
    }
    if (this.#made < this.#wanted) this.#now.violate('work ends', `set ${this.#made} is the last`);
    for (const { disk, paths } of this.#replicas) {
      const there = listing(paths.files);
      if (`${there}` !== `${names}`) {
        this.#now.violate('replicas follow', `${disk.name} has ${there}, not ${names}`);
      }
    }
    const parquet = [...this.#bucket.objects.keys()].filter((key) => key.includes('/parquet/'));
    if (parquet.length !== names.length) {
      this.#now.violate('nothing is left over', `objects ${parquet}, files ${names}`);
    }
  }
}

function newestOf(folder: string): number {
  return readFileSets(folder)[0]?.createdMs ?? 0;
}

function listing(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.parquet'));
  return names.toSorted();
}

function hashOf(path: string): string | undefined {
  return existsSync(path) ? hash('sha256', readFileSync(path)) : undefined;
}
