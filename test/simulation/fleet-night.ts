/** A night: two publishers over one data folder, perhaps a second folder, replicas and readers. */

import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ModePaths, modePaths } from '../../src/base/config/data-dir.ts';
import { CorruptDataError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { followObjects } from '../../src/fleet/replicas/run-replica.ts';
import { keepUploading } from '../../src/fleet/replicas/run-uploads.ts';
import {
  objectOf,
  SHARED_NAME,
  type SharedManifest,
} from '../../src/fleet/replicas/shared-manifest.ts';
import { SETS_NAME } from '../../src/fleet/replicas/shared-sets.ts';
import {
  filesOf,
  MANIFEST_NAME,
  manifestFromText,
  readManifest,
  snapshotId,
} from '../../src/store/arrow/format/manifest.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import { openPublished, openServing } from '../../src/store/arrow/read/reader.ts';
import { addDisk, Disk, forgetDisks } from './disk.ts';
import type { Fault } from './faults.ts';
import { differences, Log } from './log.ts';
import { type Bucket, newBucket } from './object-store.ts';
import { type Published, publishLog, remedyOf, tellFailure } from './publisher.ts';
import { Random } from './random.ts';
import { outside, Simulation, type SimulationOptions, simulate } from './simulation.ts';

/** Simulated time with faults, and the time after it in which all must come to an end. */
const FAULTS_MS = 12_000;
const QUIET_MS = 6_000;

/** Jumps of the clock: files are read for damage again, and what was replaced is swept. */
const JUMPS_MS = [0, 2 * 3_600_000, 9 * 3_600_000];
/** Longer than objects that no manifest names are left alone: those of an upload that failed. */
const LAST_JUMP_MS = limits.replicas.strayMs + 3_600_000;

const PLACE = { kind: 'file', folder: 'bucket' } as const;

/** Begins the numbers of the second folder's log. */
const OTHER_FIRST = 1_000_000;

interface Place {
  disk: Disk;
  paths: ModePaths;
}

/** A data folder whose log is published. */
interface Folder extends Place {
  log: Log;
  epoch: number;
  acknowledged: Map<number, Published>;
  newest: Published | undefined;
}

export interface NightReport {
  seed: number;
  violations: string[];
  steps: number;
  simulatedMs: number;
  publishes: number;
  counts: ReadonlyMap<Fault, number>;
  happened: readonly string[];
}

export interface NightOptions extends SimulationOptions {
  stepsMax?: number;
}

export async function runNight(
  seed: number,
  root: string,
  options: NightOptions = {},
): Promise<NightReport> {
  rmSync(root, { recursive: true, force: true });
  const night = new Night(seed, root, options);
  const catchOther = (error: unknown) => night.unexpected(error);
  process.on('unhandledRejection', catchOther);
  try {
    return await night.run(options.stepsMax);
  } finally {
    process.off('unhandledRejection', catchOther);
    night.close();
    rmSync(root, { recursive: true, force: true });
  }
}

class Night {
  readonly #now: Simulation;
  readonly #random: Random;
  readonly #bucket: Bucket;
  readonly #folders: Folder[] = [];
  readonly #replicas: Place[] = [];
  /** Log that each replica has served; it must not change. */
  readonly #lineage = new Map<string, Log>();
  /** Id of the version that the reader of a folder sees. */
  readonly #seen = new Map<string, string>();
  readonly #root: string;

  constructor(seed: number, root: string, options: NightOptions) {
    this.#root = root;
    this.#now = simulate(new Simulation(seed, options));
    this.#random = new Random(seed, 'night');
    this.#bucket = newBucket();
    forgetDisks();
    this.#addFolder('publisher', 0);
    if (this.#random.next() < 0.4) this.#addFolder('copy', OTHER_FIRST);
    for (const name of ['replica1', 'replica2']) this.#addReplica(name);
  }

  close(): void {
    this.#now.end();
    forgetDisks();
  }

  unexpected(error: unknown): void {
    if ((error as Error)?.constructor?.name === 'Killed') return;
    this.#now.violate('no call fails unseen', String((error as Error)?.stack ?? error));
  }

  async run(stepsMax?: number): Promise<NightReport> {
    this.#tick();
    await this.#now.run(FAULTS_MS, stepsMax);
    if (this.#now.steps < (stepsMax ?? Number.POSITIVE_INFINITY)) await this.#end();
    const { seed, violations, steps, elapsedMs, faults } = this.#now;
    return {
      ...{ seed, violations, steps, simulatedMs: elapsedMs },
      publishes: this.#folders.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0),
      counts: faults.counts,
      happened: faults.happened,
    };
  }

  /** The night is over: no faults, and all must be whole, equal and clean. */
  async #end(): Promise<void> {
    const now = this.#now;
    now.faults.isOn = false;
    now.tell('no more faults');
    for (const jumpMs of JUMPS_MS) {
      now.nowMs += jumpMs;
      for (const { log } of this.#folders) log.accept();
      await now.run(now.elapsedMs + QUIET_MS);
    }
    now.faults.isOn = true;
    for (const replica of this.#replicas) if (now.happens('late flipped bit')) this.#flip(replica);
    now.faults.isOn = false;
    // A publish during a sweep leaves objects to the next one, which meets none.
    now.nowMs += LAST_JUMP_MS;
    await now.run(now.elapsedMs + QUIET_MS);
    if (now.violations.length === 0) this.#checkEnd();
  }

  #addFolder(name: string, first: number): void {
    const folder: Folder = {
      ...this.#place(name),
      log: new Log(first, this.#now.seed),
      ...{ epoch: 0, acknowledged: new Map(), newest: undefined },
    };
    this.#folders.push(folder);
    const { disk } = folder;
    for (const verb of ['load', 'fetch']) {
      this.#now.start(verb, disk, () => this.#publish(folder, verb));
    }
    const uploads = { dataDir: join(disk.root, 'data'), snapshotsUrl: PLACE };
    this.#now.start('upload', disk, () =>
      keepUploading(uploads, (line) => this.#now.tell(line), new AbortController().signal),
    );
    const check = (version: PublishedVersion) => this.#checkVersion(version, folder.log, name);
    this.#now.start('read', disk, () => this.#read(folder, check));
  }

  #addReplica(name: string): void {
    const replica = this.#place(name);
    this.#replicas.push(replica);
    const { disk } = replica;
    const damaged = new Set<'live' | 'sandbox'>();
    const settings = { dataDir: join(disk.root, 'data'), snapshotsUrl: PLACE };
    this.#now.start('follow', disk, () =>
      followObjects(settings, (l) => this.#now.tell(l), new AbortController().signal, damaged),
    );
    const check = (version: PublishedVersion) => {
      const isOther = version.manifest.seq > OTHER_FIRST;
      const { log } = this.#folders[isOther ? 1 : 0];
      const known = this.#lineage.get('replicas') ?? log;
      this.#lineage.set('replicas', known);
      if (log !== known) this.#now.violate('one publisher wins', `${name} serves both`);
      this.#checkVersion(version, log, name);
    };
    this.#now.start('read', disk, () => this.#read(replica, check, damaged));
  }

  #place(name: string): Place {
    const root = join(this.#root, name);
    mkdirSync(join(root, 'data'), { recursive: true });
    const disk = addDisk(new Disk(name, root, this.#now.seed));
    return { disk, paths: modePaths(join(root, 'data'), 'live') };
  }

  /** Accepts changes and flips bits, all night. */
  #tick(): void {
    this.#now.later(undefined, 100, 'tick', () => {
      this.#tick();
      if (!this.#now.faults.isOn) return;
      for (const { log } of this.#folders) if (this.#random.next() < 0.3) log.accept();
      for (const machine of [...this.#folders, ...this.#replicas]) {
        if (this.#now.happens('flipped bit')) this.#flip(machine);
      }
    });
  }

  /** Flips a bit of the published version: of its manifest, of a table or of bars. */
  #flip({ disk, paths: { serving } }: Place): void {
    const names = this.#namesOf(serving);
    const kind = this.#random.pick([/^manifest/, /^(symbols|quotes|actions|directory)/, /^[bps]/]);
    disk.flipBit(names.filter((name) => kind.test(name)).map((name) => join(serving, name)));
  }

  /** Returns the files of the published version; none if its manifest is damaged. */
  #namesOf(serving: string): string[] {
    try {
      const manifest = outside(() => readManifest(serving));
      return manifest ? [...filesOf(manifest)] : [];
    } catch {
      return [];
    }
  }

  async #publish(folder: Folder, verb: string): Promise<void> {
    const { paths, log, acknowledged } = folder;
    let isWhole = false;
    let epoch = ++folder.epoch;
    for (;;) {
      await this.#rest(50, 600);
      try {
        const nowMs = Math.floor(this.#now.nowMs);
        const published = await publishLog({ paths, log, verb, epoch, nowMs, isWhole });
        isWhole = false;
        if (!published) continue;
        const other = acknowledged.get(published.version);
        if (other && other.id !== published.id) {
          this.#now.violate('two publishers never both win', `version ${published.version}`);
        }
        // A manifest that was damaged told no epoch.
        if (folder.disk.spoilt === 0 && (folder.newest?.epoch ?? 0) > published.epoch) {
          this.#now.violate('an older holder is fenced', `epoch ${published.epoch}`);
        }
        if (!other) this.#now.tell(`published version ${published.version}, seq ${published.seq}`);
        acknowledged.set(published.version, published);
        if ((folder.newest?.version ?? 0) < published.version) folder.newest = published;
      } catch (error) {
        const remedy = remedyOf(error);
        tellFailure(error);
        if (remedy === 'whole' && folder.disk.flips === 0) {
          this.#now.violate('what is published is whole', String(error));
        }
        isWhole ||= remedy === 'whole';
        if (remedy === 'new term') epoch = ++folder.epoch;
      }
    }
  }

  async #read(
    machine: Place & { newest?: Published },
    check: (version: PublishedVersion) => void,
    damaged?: Set<'live' | 'sandbox'>,
  ): Promise<void> {
    const { newest: acknowledged, disk, paths } = machine;
    const noteDamage = (error: unknown) => {
      if (!(error instanceof CorruptDataError)) throw error;
      if (disk.flips === 0) this.#now.violate('what is served is whole', String(error));
      damaged?.add('live');
    };
    const reader = openServing(paths.serving, {
      pollMs: 100,
      onError: noteDamage,
    });
    let before: PublishedVersion['manifest'] | undefined;
    for (;;) {
      try {
        const version = reader.current() as PublishedVersion;
        if (version.manifest) {
          const { manifest } = version;
          const isDue = manifest !== before || this.#random.next() < 0.1;
          if (isDue) this.#checkFresh(paths, disk.flips === 0 ? version : undefined, check);
          if (before && (manifest.version < before.version || manifest.seq < before.seq)) {
            this.#now.violate('never an older version', `${manifest.version}`);
          }
          before = manifest;
          this.#seen.set(paths.serving, version.id);
        }
        const isLost = acknowledged && (before?.version ?? 0) < acknowledged.version;
        if (isLost && disk.flips === 0) {
          this.#now.violate('what was acknowledged is there', `version ${acknowledged.version}`);
        }
      } catch (error) {
        noteDamage(error);
      }
      await this.#rest(20, 300);
    }
  }

  /** Checks the version of a reader, or all bytes anew once a bit was flipped. */
  #checkFresh(
    { serving }: ModePaths,
    known: PublishedVersion | undefined,
    check: (version: PublishedVersion) => void,
  ): void {
    using fresh = known ? undefined : openPublished(serving);
    const version = known ?? fresh;
    if (version) check(version);
  }

  /** Waits; longer when the night is over. */
  #rest(lowMs: number, highMs: number): Promise<void> {
    const factor = this.#now.faults.isOn ? 1 : 5;
    return this.#now.turn('rest', factor * this.#random.between(lowMs, highMs));
  }

  /** Compares all numbers of a version with the fold of its log. */
  #checkVersion(version: PublishedVersion, log: Log, where: string): void {
    const { version: number, seq } = version.manifest;
    const wrong = differences(version, log);
    if (wrong.length === 0) return;
    const text = `${where}: ${wrong} in version ${number}, seq ${seq}`;
    this.#now.violate('numbers equal the fold', text);
  }

  #checkEnd(): void {
    for (const { disk, paths, log, newest } of this.#folders) {
      if (disk.flips === 0 && newest?.seq !== log.seq) {
        this.#now.violate('work ends', `${newest?.seq} of ${log.seq} are published`);
      }
      this.#checkClean(disk, paths);
    }
    const winner = this.#sharedManifest();
    for (const { disk, paths } of this.#replicas) {
      const damaged = winner?.files.filter((file) => !isWhole(paths.serving, file)) ?? [];
      const names = damaged.map(({ name }) => name);
      if (!this.#namesOf(paths.serving).length) names.push(MANIFEST_NAME);
      if (names.length > 0) {
        this.#now.violate('replicas mend damage', `${names}`);
        continue;
      }
      const served = outside(() => openPublished(paths.serving));
      if (served?.id !== winner?.id) {
        const text = `${served?.manifest.version} of ${winner?.version}`;
        this.#now.violate('replicas follow', text);
      }
      this.#checkClean(disk, paths);
    }
    if (!winner || !this.#folders.some(({ newest }) => newest?.id === winner.id)) {
      this.#now.violate('replicas follow', `version ${winner?.version} is shared`);
    }
    if (winner) this.#checkObjects(winner);
  }

  #sharedManifest(): SharedManifest | undefined {
    const text = String(this.#bucket.objects.get('bucket/live/manifest.json')?.bytes ?? '');
    return text === '' ? undefined : JSON.parse(text.slice(text.indexOf('\n') + 1));
  }

  /** The storage has what its manifests name, and nothing else. */
  #checkObjects({ files, retired }: SharedManifest): void {
    const named = new Set([
      SHARED_NAME,
      ...files.map(objectOf),
      ...retired.map((one) => one.object),
    ]);
    const keys = [...this.#bucket.objects.keys()].map((key) => key.replace('bucket/live/', ''));
    const missing = files.map(objectOf).filter((key) => !keys.includes(key));
    if (missing.length > 0) this.#now.violate('what is shared is there', `${missing}`);
    const strays = keys.filter((key) => !named.has(key) && key !== SETS_NAME);
    if (strays.length > 0) this.#now.violate('nothing is left over', `objects ${strays}`);
  }

  /** Checks that a folder has the published version whole, and no remains. */
  #checkClean(disk: Disk, { serving, root }: ModePaths): void {
    const manifest = existsSync(serving) ? readManifest(serving) : undefined;
    if (!manifest) return;
    if (this.#seen.get(serving) !== snapshotId(manifest)) {
      this.#now.violate('readers follow', `version ${manifest.version} is not seen`);
    }
    const files = filesOf(manifest);
    const names = [...readdirSync(serving), ...readdirSync(root)];
    const strays = names.filter((name) => name.endsWith('.tmp') || name.endsWith('.new'));
    if (strays.length > 0) this.#now.violate('nothing is left over', `files ${strays}`);
    const arrows = readdirSync(serving).filter((name) => name.endsWith('.arrow'));
    const missing = [...files].filter((name) => !existsSync(join(serving, name)));
    if (missing.length > 0) this.#now.violate('what is published is whole', `${missing}`);
    // Readers still open those of the version before, however many a compaction has replaced.
    const replaced = disk.replaced.get(join(serving, MANIFEST_NAME));
    const kept = replaced ? filesIn(String(replaced)) : files;
    const old = arrows.filter((name) => !files.has(name) && kept?.has(name) === false);
    if (old.length > 0) this.#now.violate('nothing is left over', `files ${old}`);
  }
}

function isWhole(folder: string, { name, sha256 }: SharedManifest['files'][number]): boolean {
  const path = join(folder, name);
  return existsSync(path) && hash('sha256', readFileSync(path), 'hex') === sha256;
}

/** Returns the files that a manifest names; undefined if it is damaged. */
function filesIn(text: string): Set<string> | undefined {
  try {
    const manifest = manifestFromText(text);
    return manifest && filesOf(manifest);
  } catch {
    return undefined;
  }
}
