/** Files of simulated machines, by calls that block; files of the program itself are read as they are. */

import * as fs from 'node:fs';
import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';
import { diskOf } from '../disk.ts';
import type { Fault } from '../faults.ts';
import { current, type Process, simulation } from '../simulation.ts';

export * from 'node:fs';

interface OpenFile {
  fd: number;
  path: string;
  inode: ReturnType<NonNullable<ReturnType<typeof diskOf>>['inodeOf']>;
  isFolder: boolean;
  /** Forgets the file when its process ends. */
  forget: () => void;
}

/** Numbers of open files are never used again, so that a late close meets no other file. */
const opened = new Map<number, OpenFile>();
let nextFd = 1_000_000;

/** Lets a fault happen before a call that changes the disk. */
export function before(
  what: string,
  path: string,
  { writes = false, power }: { writes?: boolean; power?: Fault } = {},
): void {
  const disk = diskOf(path);
  const process = current();
  if (!disk || !process) return;
  const now = simulation();
  if (now.isTold) now.tell(`${what} ${basename(path)}`);
  now.mayDie(power);
  if (!writes) return;
  if (now.happens('full disk')) {
    disk.isFull = true;
    now.later(undefined, 400, `${disk.name} has room`, () => {
      disk.isFull = false;
    });
  }
  if (disk.isFull) {
    const error = new Error(`ENOSPC: no space left on device, ${what} '${path}'`);
    throw Object.assign(error, { code: 'ENOSPC', syscall: what, errno: -28 });
  }
}

export function openSync(path: string, flags: string | number = 'r', mode?: number): number {
  const writes = typeof flags === 'string' ? flags !== 'r' : (flags & 3) !== 0;
  const isThere = !writes || fs.existsSync(path);
  if (writes) before('open', path, { writes: !isThere });
  const fd = fs.openSync(path, flags, mode);
  const disk = diskOf(path);
  if (!disk) return fd;
  const known = isThere && disk.inodeOf(path);
  const isFolder = !known && fs.fstatSync(fd).isDirectory();
  const isOfSqlite = path.endsWith('.sqlite');
  const inode = isFolder || isOfSqlite ? undefined : known || disk.created(path, !isThere);
  if (inode && !isThere) disk.stamp(fd);
  else if (inode && writes && String(flags).startsWith('w')) disk.written(inode, fd);
  const number = nextFd++;
  const owner = current();
  const close = () => closeSync(number);
  owner?.open.add(close);
  const forget = () => void owner?.open.delete(close);
  opened.set(number, { fd, path, inode, isFolder, forget });
  return number;
}

export function closeSync(number: number): void {
  const file = opened.get(number);
  if (file) {
    fs.closeSync(file.fd);
    file.forget();
  } else if (number < 1_000_000) fs.closeSync(number);
  opened.delete(number);
}

function realFd(number: number): number {
  const fd = number < 1_000_000 ? number : opened.get(number)?.fd;
  if (fd === undefined) throw Object.assign(new Error('EBADF'), { code: 'EBADF' });
  return fd;
}

export function readSync(number: number, target: Uint8Array, ...rest: never[]): number {
  const read = fs.readSync as (...args: unknown[]) => number;
  const count = read(realFd(number), target, ...rest);
  mayFlip(opened.get(number)?.path ?? '', target);
  return count;
}

export function readFileSync(path: string, encoding?: BufferEncoding): string | Buffer {
  const bytes = fs.readFileSync(path);
  mayFlip(path, bytes);
  return encoding ? bytes.toString(encoding) : bytes;
}

/** Simulated time for which a process may go on to read badly, and bad reads of that time. */
const BAD_MS = 1500;
const BAD_READS_MAX = 12;

/** Bad reads of a process come together: its memory goes bad for a while. */
const badReads = new WeakMap<Process, { left: number; untilMs: number }>();

/** Flips a bit of what a process has read whole. Bars are compared at their first read alone. */
function mayFlip(path: string, bytes: Uint8Array): void {
  const isWhole = /\/serving\/(manifest|symbols|quotes|actions|directory)[^/]*$/.test(path);
  const process = current();
  if (!isWhole || bytes.length === 0 || !process) return;
  const now = simulation();
  const bad = badReads.get(process);
  if (bad && now.elapsedMs < bad.untilMs) {
    if (bad.left === 0 || !now.happens('flipped read again')) return;
    bad.left--;
  } else if (now.happens('flipped read')) {
    badReads.set(process, { left: BAD_READS_MAX - 1, untilMs: now.elapsedMs + BAD_MS });
  } else return;
  diskOf(path)?.flipBitOf(bytes);
}

export function fstatSync(number: number, options?: fs.StatSyncOptions): fs.Stats {
  return fs.fstatSync(realFd(number), options) as fs.Stats;
}

export function writeSync(
  number: number,
  bytes: Uint8Array,
  offset = 0,
  length = bytes.length - offset,
  position: number | null = null,
): number {
  const file = opened.get(number);
  if (file) before('write', file.path, { writes: true });
  const isShort = file && current() && length > 1 && simulation().happens('short write');
  const count = isShort ? length >> 1 : length;
  const written = fs.writeSync(realFd(number), bytes, offset, count, position);
  if (file?.inode) diskOf(file.path)?.written(file.inode, file.fd);
  return written;
}

export function ftruncateSync(number: number, length: number): void {
  const file = opened.get(number);
  if (file) before('truncate', file.path);
  fs.ftruncateSync(realFd(number), length);
  if (file?.inode) diskOf(file.path)?.written(file.inode, file.fd);
}

export function fsyncSync(number: number): void {
  const file = opened.get(number);
  if (!file) {
    fs.fsyncSync(number);
    return;
  }
  const power = `power failure before a ${file.isFolder ? 'folder ' : ''}sync` as const;
  before('fsync', file.path, { power });
  const disk = diskOf(file.path)!;
  if (file.isFolder) disk.syncedFolder(file.path);
  else disk.syncedFile(file.inode!, file.fd);
}

/** @param target Path, or the number of an open file, which goes on at its end. */
export function writeFileSync(target: string | number, content: string | Uint8Array): void {
  const file = typeof target === 'number' ? target : openSync(target, 'w');
  try {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  } finally {
    if (file !== target) closeSync(file);
  }
}

export function renameSync(from: string, to: string): void {
  before('rename', to);
  const disk = diskOf(to);
  disk?.leaving(to);
  fs.renameSync(from, to);
  disk?.renamed(from, to);
}

export function linkSync(from: string, to: string): void {
  before('link', to);
  fs.linkSync(from, to);
  diskOf(to)?.linked(from, to);
}

export function unlinkSync(path: string): void {
  before('remove', path);
  const disk = diskOf(path);
  disk?.leaving(path);
  fs.unlinkSync(path);
  disk?.removed(path);
}

export function rmSync(path: string, options?: fs.RmOptions): void {
  if (fs.existsSync(path) && fs.statSync(path).isFile()) unlinkSync(path);
  else fs.rmSync(path, options);
}

export function utimesSync(path: string, atime: Date, mtime: Date): void {
  before('utimes', path);
  fs.utimesSync(path, atime, mtime);
}

/** Makes a folder whose name ends as the seed says. */
export function mkdtempSync(prefix: string): string {
  const path = `${prefix}${simulation()
    .chance.below(36 ** 6)
    .toString(36)
    .padStart(6, '0')}`;
  fs.mkdirSync(path);
  return path;
}

/** Bytes of a stream come one piece a step. */
export function createReadStream(
  path: string,
  { start = 0, end = Number.POSITIVE_INFINITY, highWaterMark = 65_536, signal }: ReadOptions = {},
): Readable {
  const now = simulation();
  async function* pieces() {
    await now.turn(`read ${basename(path)}`);
    const file = openSync(path);
    try {
      for (let at = start; at <= end; ) {
        signal?.throwIfAborted();
        const left = Math.min(end + 1, fs.fstatSync(realFd(file)).size) - at;
        if (left <= 0) return;
        const piece = Buffer.allocUnsafe(Math.min(highWaterMark, left));
        const read = fs.readSync(realFd(file), piece, 0, piece.length, at);
        yield piece.subarray(0, read);
        at += read;
        await now.turn(`read ${basename(path)}`);
      }
    } finally {
      closeSync(file);
    }
  }
  return Readable.from(pieces());
}

interface ReadOptions {
  start?: number;
  end?: number;
  highWaterMark?: number;
  signal?: AbortSignal;
}

export function createWriteStream(path: string): never {
  throw new Error(`streams into files are not simulated: "${dirname(path)}"`);
}
