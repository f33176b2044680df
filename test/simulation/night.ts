/** A night: two publishers over one data folder, perhaps a second folder, replicas and readers. */

import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ModePaths, modePaths } from '../../src/base/config/data-dir.ts';
import { CorruptDataError } from '../../src/base/errors.ts';
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
import { INDICATORS, Log, SYMBOLS } from './log.ts';
import { type Bucket, newBucket } from './object-store.ts';
import { type Published, publishLog, remedyOf, tellFailure } from './publisher.ts';
import { Random } from './random.ts';
import { outside, Simulation, type SimulationOptions, simulate } from './simulation.ts';

/** Simulated time with faults, and the time after it in which all must come to an end. */
const FAULTS_MS = 12_000;
const QUIET_MS = 6_000;

/** Jumps of the clock: files are read for damage again, and what was replaced is swept. */
const JUMPS_MS = [0, 2 * 3_600_000, 9 * 3_600_000];
const LAST_JUMP_MS = 2 * 3_600_000;

const PLACE = { kind: 'file', folder: 'bucket' } as const;

/** Begins the numbers of the second folder's log. */
const OTHER_FIRST = 1_000_000;

/** A data folder whose log is published. */
interface Folder {
  disk: Disk;
  paths: ModePaths;
  log: Log;
  epoch: number;
  acknowledged: Map<number, Published>;
  newest: Published | undefined;
  flips: number;
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
  readonly #replicas: { disk: Disk; paths: ModePaths; flips: number }[] = [];
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
    // A publish during a sweep leaves objects to the next one, which meets none.
    now.nowMs += LAST_JUMP_MS;
    await now.run(now.elapsedMs + QUIET_MS);
    if (now.violations.length === 0) this.#checkEnd();
  }

  #addFolder(name: string, first: number): void {
    const folder: Folder = {
      ...this.#place(name),
      log: new Log(first, this.#now.seed),
      ...{ epoch: 0, acknowledged: new Map(), newest: undefined, flips: 0 },
    };
    this.#folders.push(folder);
    const { disk, paths } = folder;
    for (const verb of ['load', 'fetch']) {
      this.#now.start(verb, disk, () => this.#publish(folder, verb));
    }
    const uploads = { dataDir: join(disk.root, 'data'), snapshotsUrl: PLACE };
    this.#now.start('upload', disk, () =>
      keepUploading(uploads, (line) => this.#now.tell(line), new AbortController().signal),
    );
    const check = (version: PublishedVersion) => this.#checkVersion(version, folder.log, name);
    this.#now.start('read', disk, () => this.#read(paths, folder, check));
  }

  #addReplica(name: string): void {
    const replica = { ...this.#place(name), flips: 0 };
    this.#replicas.push(replica);
    const { disk, paths } = replica;
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
    this.#now.start('read', disk, () => this.#read(paths, replica, check, damaged));
  }

  #place(name: string) {
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
        if (!this.#now.happens('flipped bit')) continue;
        const path = machine.disk.flipBit(/serving\/.*(\.arrow|\.json)$/);
        if (path) machine.flips++;
      }
    });
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
        if ((folder.newest?.epoch ?? 0) > published.epoch) {
          this.#now.violate('an older holder is fenced', `epoch ${published.epoch}`);
        }
        if (!other) this.#now.tell(`published version ${published.version}, seq ${published.seq}`);
        acknowledged.set(published.version, published);
        if ((folder.newest?.version ?? 0) < published.version) folder.newest = published;
      } catch (error) {
        const remedy = remedyOf(error);
        tellFailure(error);
        if (remedy === 'whole' && folder.flips === 0) {
          this.#now.violate('what is published is whole', String(error));
        }
        isWhole ||= remedy === 'whole';
        if (remedy === 'new term') epoch = ++folder.epoch;
      }
    }
  }

  async #read(
    paths: ModePaths,
    machine: { flips: number; newest?: Published },
    check: (version: PublishedVersion) => void,
    damaged?: Set<'live' | 'sandbox'>,
  ): Promise<void> {
    const acknowledged = machine.newest;
    const noteDamage = (error: unknown) => {
      if (!(error instanceof CorruptDataError)) throw error;
      if (machine.flips === 0) this.#now.violate('what is served is whole', String(error));
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
          if (manifest !== before || this.#random.next() < 0.1) check(version);
          if (before && (manifest.version < before.version || manifest.seq < before.seq)) {
            this.#now.violate('never an older version', `${manifest.version}`);
          }
          before = manifest;
          this.#seen.set(paths.serving, version.id);
        }
        const isLost = acknowledged && (before?.version ?? 0) < acknowledged.version;
        if (isLost && machine.flips === 0) {
          this.#now.violate('what was acknowledged is there', `version ${acknowledged.version}`);
        }
      } catch (error) {
        noteDamage(error);
      }
      await this.#rest(20, 300);
    }
  }

  /** Waits; longer when the night is over. */
  #rest(lowMs: number, highMs: number): Promise<void> {
    const factor = this.#now.faults.isOn ? 1 : 5;
    return this.#now.turn('rest', factor * this.#random.between(lowMs, highMs));
  }

  /** Compares all numbers of a version with the fold of its log. */
  #checkVersion(version: PublishedVersion, log: Log, where: string): void {
    const { seq } = version.manifest;
    const closes = log.fold(seq);
    for (const [number, symbol] of SYMBOLS.entries()) {
      const { close } = version.bars(symbol, '1d');
      const [double] = version.indicators(symbol, '1d', INDICATORS);
      const isRight =
        close.length === closes[number].length &&
        closes[number].every((value, i) => close[i] === value && double[i] === value * 2);
      const quote = version.quote(symbol);
      if (isRight && quote?.volume === seq && quote.price === closes[number].at(-1)) continue;
      const text = `${where}: ${symbol} of version ${version.manifest.version}, seq ${seq}`;
      this.#now.violate('numbers equal the fold', text);
    }
  }

  #checkEnd(): void {
    for (const { disk, paths, log, newest, flips } of this.#folders) {
      if (flips === 0 && newest?.seq !== log.seq) {
        this.#now.violate('work ends', `${newest?.seq} of ${log.seq} are published`);
      }
      this.#checkClean(disk, paths);
    }
    const winner = this.#sharedManifest();
    for (const { disk, paths } of this.#replicas) {
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
    const text = disk.replaced.get(join(serving, MANIFEST_NAME));
    const before = text && manifestFromText(String(text));
    const kept = before ? filesOf(before) : files;
    const old = arrows.filter((name) => !files.has(name) && !kept.has(name));
    if (old.length > 0) this.#now.violate('nothing is left over', `files ${old}`);
  }
}
