/**
 * The disk of a machine: real files below a folder, and what a power failure would leave of them.
 *
 * A file's bytes are safe once it is synced, a name once its folder is. A power failure keeps any
 * subset of the other changes of names, and of a file that was not synced its old bytes, its new
 * ones, or pages of both. Files that SQLite writes itself are as safe as SQLite makes them.
 */

import {
  existsSync,
  fsyncSync,
  futimesSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Random } from './random.ts';
import type { Machine } from './simulation.ts';
import { simulation } from './simulation.ts';

const PAGE_BYTES = 4096;

/** Content of a file, which may have several names or none. */
interface Inode {
  /** Bytes that a power failure leaves; undefined: none are safe. */
  synced: Buffer | undefined;
  isDirty: boolean;
  /** Bytes when its last name went. */
  last?: Buffer;
}

/** A change of names that its folder may still lose. */
interface Change {
  removed?: string;
  added?: { path: string; inode: Inode };
}

export class Disk implements Machine {
  readonly name: string;
  readonly root: string;
  clockMs = 0;
  isFull = false;
  /** Bits that were flipped so far, at rest or in a read. */
  flips = 0;
  /** Flips at rest. */
  spoilt = 0;
  /** Looks at what a failure of the power has left. */
  afterPowerFailure = () => {};
  /** Looks at a file that has just replaced another. */
  afterRename = (_path: string) => {};
  readonly #random: Random;
  readonly #prefix: string;
  readonly #names = new Map<string, Inode>();
  readonly #safeNames = new Map<string, Inode>();
  readonly #changes = new Map<string, Change[]>();
  /** Content that a name had before its present one. */
  readonly replaced = new Map<string, Buffer>();

  constructor(name: string, root: string, seed: number) {
    this.name = name;
    this.root = root;
    this.#prefix = `${root}/`;
    this.#random = new Random(seed, `disk of ${name}`);
  }

  /** True if a read may find damage, and a second one, too. */
  get hasDamage(): boolean {
    return this.spoilt > 0 || simulation().faults.counts.has('flipped read again');
  }

  owns(path: string): boolean {
    return path.startsWith(this.#prefix) || path === this.root;
  }

  /** Notes that a file of this name is made, or found: one that SQLite made is safe. */
  created(path: string, isNew: boolean): Inode {
    const known = this.#names.get(path);
    if (known && !isNew) return known;
    const inode: Inode = { synced: isNew ? undefined : this.#bytes(path), isDirty: isNew };
    this.#names.set(path, inode);
    if (isNew) this.#change({ added: { path, inode } });
    else this.#safeNames.set(path, inode);
    return inode;
  }

  inodeOf(path: string): Inode | undefined {
    return this.#names.get(path);
  }

  written(inode: Inode, file: number | string): void {
    inode.isDirty = true;
    this.stamp(file);
  }

  /** Gives a file the simulated time of its change. */
  stamp(file: number | string): void {
    const seconds = Math.floor(simulation().nowMs + this.clockMs) / 1000;
    if (typeof file === 'number') futimesSync(file, seconds, seconds);
    else utimesSync(file, seconds, seconds);
  }

  syncedFile(inode: Inode, fd: number): void {
    fsyncSync(fd);
    const path = this.#nameOf(inode);
    inode.synced = path === undefined ? inode.last : this.#bytes(path);
    inode.isDirty = false;
  }

  #nameOf(inode: Inode): string | undefined {
    for (const [path, other] of this.#names) if (other === inode) return path;
    return undefined;
  }

  syncedFolder(path: string): void {
    for (const change of this.#changes.get(path) ?? []) this.#apply(change);
    this.#changes.delete(path);
  }

  renamed(from: string, to: string): void {
    const inode = this.#names.get(from) ?? { synced: this.#bytes(to), isDirty: false };
    const before = this.#names.get(to)?.last;
    if (before && !this.#bytes(to)?.equals(before)) this.replaced.set(to, before);
    this.#names.delete(from);
    this.#names.set(to, inode);
    this.#change({ removed: from, added: { path: to, inode } });
    this.afterRename(to);
  }

  linked(from: string, to: string): void {
    const inode = this.created(from, false);
    this.#names.set(to, inode);
    this.#change({ added: { path: to, inode } });
  }

  /** To be called before a name is removed or given to another file. */
  leaving(path: string): void {
    const inode = this.#names.get(path);
    if (inode) inode.last = this.#bytes(path);
  }

  removed(path: string): void {
    if (this.#names.delete(path)) this.#change({ removed: path });
  }

  /** Flips a bit of one of these files, on the disk and in memory. */
  flipBit(paths: readonly string[]): void {
    const path = this.#random.pick(paths.filter((one) => this.#bytes(one)?.length));
    const inode = path && this.#names.get(path);
    if (!inode) return;
    const bytes = this.#bytes(path)!;
    this.flipBitOf(bytes);
    this.spoilt++;
    // Written in place: readers that have it open see the flip, too.
    writeFileSync(path, bytes, { flag: 'r+' });
    this.stamp(path);
    if (inode.synced) inode.synced = bytes;
  }

  flipBitOf(bytes: Uint8Array): void {
    bytes[this.#random.below(bytes.length)] ^= 1 << this.#random.below(8);
    this.flips++;
  }

  loseUnsynced(): void {
    const { faults } = simulation();
    const current = new Map<Inode, Buffer | undefined>();
    for (const [path, inode] of this.#names) current.set(inode, this.#bytes(path));
    for (const changes of this.#changes.values()) {
      for (const change of changes) if (!faults.happens('lost name')) this.#apply(change);
    }
    this.#changes.clear();
    for (const path of this.#names.keys()) rmSync(path, { force: true });
    this.#names.clear();
    for (const [path, inode] of this.#safeNames) {
      const bytes = this.#leftOf(inode, current.get(inode) ?? inode.last);
      inode.synced = bytes;
      inode.isDirty = false;
      this.#names.set(path, inode);
      // A folder that was removed comes back with the names that it had.
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytes);
      this.stamp(path);
    }
    this.afterPowerFailure();
  }

  #leftOf({ synced, isDirty }: Inode, bytes: Buffer = Buffer.alloc(0)): Buffer {
    const { faults } = simulation();
    if (!isDirty) return bytes;
    const old = synced ?? Buffer.alloc(0);
    if (faults.happens('lost write')) return old;
    if (!faults.happens('torn write')) return bytes;
    const torn = Buffer.alloc(Math.max(old.length, bytes.length));
    old.copy(torn);
    for (let at = 0; at < bytes.length; at += PAGE_BYTES) {
      if (this.#random.next() < 0.5) bytes.copy(torn, at, at, at + PAGE_BYTES);
    }
    return torn.subarray(0, this.#random.pick([old.length, bytes.length]));
  }

  #change(change: Change): void {
    const folder = dirname((change.removed ?? change.added?.path)!);
    const changes = this.#changes.get(folder);
    if (changes) changes.push(change);
    else this.#changes.set(folder, [change]);
  }

  #apply({ removed, added }: Change): void {
    if (removed !== undefined) this.#safeNames.delete(removed);
    if (added) this.#safeNames.set(added.path, added.inode);
  }

  #bytes(path: string): Buffer | undefined {
    return existsSync(path) ? readFileSync(path) : undefined;
  }
}

const disks: Disk[] = [];

export function addDisk(disk: Disk): Disk {
  disks.push(disk);
  return disk;
}

export function forgetDisks(): void {
  disks.length = 0;
}

/** Returns the disk that has a path; undefined for files of the program itself. */
export function diskOf(path: string): Disk | undefined {
  return disks.find((disk) => disk.owns(path));
}
