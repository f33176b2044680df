/** A night: two publishers over one data folder, perhaps a second folder, replicas and readers. */

import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Redis } from 'ioredis';
import { type StoreLock, takeStoreLock } from '../../jobs/redis/store-lock.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { CorruptDataError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { followObjects } from '../../src/fleet/replicas/run-replica.ts';
import { keepUploading } from '../../src/fleet/replicas/run-uploads.ts';
import { MANIFEST_NAME, publishedEpoch } from '../../src/store/arrow/format/manifest.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import { openServing } from '../../src/store/arrow/read/reader.ts';
import type { Disk } from './disk.ts';
import {
  checkBefore,
  checkFollows,
  checkFresh,
  checkLeft,
  checkOrder,
  checkSwapped,
  POLL_MS,
} from './fleet-checks.ts';
import { checkFleet, type Folder, flip, type Place } from './fleet-end.ts';
import { Log } from './log.ts';
import { type Bucket, newBucket } from './object-store.ts';
import { publishLog, remedyOf, tellFailure } from './publisher.ts';
import { Random } from './random.ts';
import { current, outside, type Simulation } from './simulation.ts';
import { RedisKeys, redisOf } from './world/redis.ts';

/** Simulated time after the faults, and after each jump, in which all must come to an end. */
const QUIET_MS = 6_000;
const JUMP_QUIET_MS = 3_000;

/** Jumps of the clock: files are read for damage again, and what was replaced is swept. */
const JUMPS_MS = [2 * 3_600_000, 9 * 3_600_000];
/** Longer than objects that no manifest names are left alone: those of an upload that failed. */
const LAST_JUMP_MS = limits.replicas.strayMs + 3_600_000;

const SNAPSHOTS = { kind: 'file', folder: 'bucket' } as const;

/** Share of nights in which an operator publishes all again, and of their publishes. */
const NIGHTS_OF_WHOLE = 0.3;
const WHOLE_SHARE = 0.3;

const VERBS = ['load', 'fetch'];
const READERS = ['read1', 'read2', 'read3', 'read4'];

/** Begins the numbers of the second folder's log. */
const OTHER_FIRST = 1_000_000;

interface FleetOptions {
  bucket?: Bucket;
  /** True if workers load into the first folder and publish it. */
  hasWorkers?: boolean;
}

export class FleetNight {
  readonly #now: Simulation;
  readonly #random: Random;
  readonly #addDisk: (name: string) => Disk;
  readonly #bucket: Bucket;
  readonly #fed: Folder | undefined;
  readonly #folders: Folder[] = [];
  readonly #replicas: Place[] = [];
  /** Publishes of all again, as an operator may give them at any time. */
  readonly #whole: Random;
  readonly #wholeShare: number;
  /** Log that the replicas have served first; the others' must never follow. */
  #servedLog: Log | undefined;

  constructor(
    now: Simulation,
    addDisk: (name: string) => Disk,
    { bucket = newBucket(), hasWorkers = false }: FleetOptions = {},
  ) {
    this.#now = now;
    this.#bucket = bucket;
    this.#addDisk = addDisk;
    this.#random = new Random(now.seed, 'night');
    this.#whole = new Random(now.seed, 'whole');
    this.#wholeShare = this.#whole.next() < NIGHTS_OF_WHOLE ? WHOLE_SHARE : 0;
    const first = this.#addFolder('publisher', 0, hasWorkers ? ['compact'] : VERBS);
    if (hasWorkers) this.#fed = first;
    if (this.#random.next() < 0.4) this.#addFolder('copy', OTHER_FIRST);
    for (const name of ['replica1', 'replica2', 'replica3']) this.#addReplica(name);
    this.#tick();
  }

  get publishes(): number {
    return this.#folders.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
  }

  /** Lets all come to rest, also over jumps of the clock. */
  async end(): Promise<void> {
    const now = this.#now;
    await now.run(now.elapsedMs + QUIET_MS);
    for (const jumpMs of JUMPS_MS) {
      now.nowMs += jumpMs;
      for (const folder of this.#folders) if (folder !== this.#fed) folder.log.accept();
      await now.run(now.elapsedMs + JUMP_QUIET_MS);
    }
    now.faults.isOn = true;
    for (const replica of this.#replicas)
      if (now.happens('late flipped bit')) flip(replica, this.#random);
    now.faults.isOn = false;
    // A publish during a sweep leaves objects to the next one, which meets none.
    now.nowMs += LAST_JUMP_MS;
    await now.run(now.elapsedMs + JUMP_QUIET_MS);
  }

  checkEnd(): void {
    checkFleet(this.#now, this.#bucket, this.#folders, this.#replicas);
  }

  #addFolder(name: string, first: number, verbs: readonly string[] = VERBS): Folder {
    const log = new Log(first, this.#now.seed);
    const place = this.#place(name, () => log);
    const redis = this.#random.next() < 0.3 ? redisOf(new RedisKeys()) : undefined;
    const publishing: Folder['publishing'] = new Set();
    const start = { epoch: 0, isDamaged: false, acknowledged: new Map(), publishing };
    const folder: Folder = Object.assign(place, { log, redis, ...start });
    this.#folders.push(folder);
    const { disk } = folder;
    const afterSwap = disk.afterRename;
    disk.afterRename = (path) => {
      afterSwap(path);
      // Whoever holds the lock now may have a file of this name.
      if (path.startsWith(folder.paths.serving) && !folder.publishing.has(current())) {
        this.#now.violate(
          'what is published is whole',
          `${basename(path)} comes after its publish`,
        );
      }
    };
    for (const verb of verbs) this.#now.start(verb, disk, () => this.#publish(folder, verb));
    const uploads = { dataDir: join(disk.root, 'data'), snapshotsUrl: SNAPSHOTS };
    const noteUpload = (line: string) => {
      this.#now.tell(line);
      folder.isDamaged ||= line.includes('does not match its checksum');
    };
    this.#now.start('upload', disk, () =>
      keepUploading(uploads, noteUpload, new AbortController().signal),
    );
    // The threads of a server, each with a reader of its own.
    for (const name of READERS) this.#now.start(name, disk, () => this.#read(folder, name));
    return folder;
  }

  /** Returns the machines with a server. */
  get servers(): readonly Disk[] {
    return [...this.#folders, ...this.#replicas].map(({ disk }) => disk);
  }

  /** Accepts what a worker has loaded. */
  accept(): void {
    this.#fed?.log.accept();
  }

  /** Publishes what workers have loaded; all again where files are damaged. */
  async publishLoaded(epoch: number): Promise<void> {
    for (;;) {
      try {
        return await this.#publishOnce(this.#fed!, 'backfill', epoch);
      } catch (error) {
        if (this.#remedyOf(this.#fed!, error) !== 'whole') throw error;
      }
    }
  }

  #addReplica(name: string): void {
    const replica = this.#place(name, (version) => this.#logOf(version, name));
    this.#replicas.push(replica);
    const { disk } = replica;
    const damaged = new Set<'live' | 'sandbox'>();
    const settings = { dataDir: join(disk.root, 'data'), snapshotsUrl: SNAPSHOTS };
    this.#now.start('follow', disk, () =>
      followObjects(settings, (l) => this.#now.tell(l), new AbortController().signal, damaged),
    );
    this.#now.start('read', disk, () => this.#read(replica, 'read', damaged));
  }

  /** Returns the log of a version that a replica has, which is always of one folder. */
  #logOf({ manifest }: PublishedVersion, name: string): Log {
    const { log } = this.#folders[manifest.seq > OTHER_FIRST ? 1 : 0];
    this.#servedLog ??= log;
    if (log !== this.#servedLog) this.#now.violate('one publisher wins', `${name} serves both`);
    return log;
  }

  #place(name: string, logOf: Place['logOf']): Place {
    const disk = this.#addDisk(name);
    mkdirSync(join(disk.root, 'data'), { recursive: true });
    const paths = modePaths(join(disk.root, 'data'), 'live');
    const place: Place = { disk, paths, logOf, newest: undefined, swaps: [], seen: new Map() };
    disk.afterPowerFailure = () => {
      // It may have taken a swap back.
      place.swaps = [];
      outside(() => checkLeft(this.#now, place));
    };
    disk.afterRename = (path) => {
      if (path !== join(paths.serving, MANIFEST_NAME)) return;
      const before = place.swaps.at(-1)?.manifest;
      const manifest = outside(() => checkSwapped(this.#now, place, before));
      if (manifest) place.swaps.push({ manifest, atMs: this.#now.nowMs });
    };
    return place;
  }

  /** Accepts changes and flips bits, all night. */
  #tick(): void {
    this.#now.later(undefined, 100, 'tick', () => {
      this.#tick();
      if (!this.#now.faults.isOn) return;
      for (const folder of this.#folders) {
        if (this.#random.next() < 0.3 && folder !== this.#fed) folder.log.accept();
      }
      for (const machine of [...this.#folders, ...this.#replicas]) {
        if (this.#now.happens('flipped bit')) flip(machine, this.#random);
      }
    });
  }

  async #publish(folder: Folder, verb: string): Promise<void> {
    const { paths, log, redis } = folder;
    let lock: StoreLock | undefined;
    let epoch = redis ? 0 : ++folder.epoch;
    for (;;) {
      await this.#rest(50, 600);
      // A holder that has lost its lock may be in the middle of a publish: its epoch counts.
      if (redis && (!lock || lock.lost.aborted)) {
        lock = await this.#takeLock(folder, redis);
        if (!lock) continue;
        epoch = lock.epoch;
      }
      // An operator publishes what a failed load has left, and damaged files.
      if (folder === this.#fed) {
        const isLeft = !this.#now.faults.isOn && folder.newest?.seq !== log.seq;
        if (!isLeft && !folder.isDamaged && !this.#isGiven()) continue;
        epoch = publishedEpoch(paths.serving);
      }
      try {
        await this.#publishOnce(folder, verb, epoch);
      } catch (error) {
        if (this.#remedyOf(folder, error) !== 'new term') continue;
        await lock?.release();
        lock = undefined;
        if (!redis) epoch = ++folder.epoch;
      }
    }
  }

  async #publishOnce(folder: Folder, verb: string, epoch: number): Promise<void> {
    const { paths, log, acknowledged, publishing, swaps } = folder;
    const swapCount = swaps.length;
    const nowMs = Math.floor(this.#now.nowMs);
    const isWhole = folder.isDamaged || this.#isGiven();
    publishing.add(current());
    const published = await publishLog({ paths, log, verb, epoch, nowMs, isWhole }).finally(() =>
      publishing.delete(current()),
    );
    if (isWhole) folder.isDamaged = false;
    if (!published) return;
    if (swaps.length > swapCount) checkBefore(this.#now, folder);
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
  }

  #remedyOf(folder: Folder, error: unknown): ReturnType<typeof remedyOf> {
    const remedy = remedyOf(error);
    tellFailure(error);
    if (remedy === 'whole' && !folder.disk.hasDamage) {
      this.#now.violate('what is published is whole', String(error));
    }
    folder.isDamaged ||= remedy === 'whole';
    return remedy;
  }

  /** Returns true if an operator gives the command to publish all again. */
  #isGiven(): boolean {
    return this.#now.faults.isOn && this.#whole.next() < this.#wholeShare;
  }

  /** Takes the lock of workers as they do. No two holders have one epoch. */
  async #takeLock(folder: Folder, redis: Redis): Promise<StoreLock | undefined> {
    const published = publishedEpoch(folder.paths.serving);
    const lock = await takeStoreLock(redis, published + 1).catch(() => undefined);
    if (!lock) return undefined;
    const { epoch } = lock;
    if (epoch <= folder.epoch) this.#now.violate('an older holder is fenced', `epoch ${epoch}`);
    folder.epoch = epoch;
    return lock;
  }

  async #read(place: Place, name: string, damaged?: Set<'live' | 'sandbox'>): Promise<void> {
    const { disk, paths, newest: acknowledged } = place;
    const noteDamage = (error: unknown) => {
      if (!(error instanceof CorruptDataError)) throw error;
      if (!disk.hasDamage) this.#now.violate('what is served is whole', String(error));
      damaged?.add('live');
    };
    const reader = openServing(paths.serving, { pollMs: POLL_MS, onError: noteDamage });
    let before: PublishedVersion['manifest'] | undefined;
    let flips = 0;
    let lookedMs = this.#now.nowMs;
    for (;;) {
      try {
        const version = reader.current() as PublishedVersion;
        if (version.manifest) {
          const { manifest } = version;
          const isDue = manifest !== before || flips !== disk.flips || this.#random.next() < 0.1;
          flips = disk.flips;
          checkOrder(this.#now, manifest, before);
          before = manifest;
          place.seen.set(name, version.id);
          if (isDue) checkFresh(this.#now, place, version);
        }
        const isLost = acknowledged && (before?.version ?? 0) < acknowledged.version;
        if (isLost && disk.flips === 0) {
          this.#now.violate('what was acknowledged is there', `version ${acknowledged.version}`);
        }
        checkFollows(this.#now, place, before, lookedMs);
        lookedMs = this.#now.nowMs;
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
}
