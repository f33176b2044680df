/** Files of simulated machines, by calls that return promises: each waits for its turn. */

import * as fs from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { simulation } from '../simulation.ts';
import * as files from './files.ts';

/** Wait of a call on a slow disk, in simulated milliseconds. */
const SLOW_MS = 2000;

async function turn(what: string, path: string): Promise<void> {
  const now = simulation();
  await now.turn(`wait for ${what} ${basename(path)}`, now.happens('slow disk') ? SLOW_MS : 0);
}

/** Makes a call that waits, of one whose first argument is a path. */
function waiting(what: string, call: unknown): (...args: unknown[]) => Promise<unknown> {
  return async (...args) => {
    await turn(what, String(args[0]));
    return (call as (...args: unknown[]) => unknown)(...args);
  };
}

export const stat = waiting('stat', fs.statSync);
export const statfs = waiting('statfs', fs.statfsSync);
export const readFile = waiting('readFile', fs.readFileSync);
export const readdir = waiting('readdir', fs.readdirSync);
export const realpath = waiting('realpath', fs.realpathSync);
export const mkdir = waiting('mkdir', fs.mkdirSync);
export const mkdtemp = waiting('mkdtemp', files.mkdtempSync);
export const chmod = waiting('chmod', fs.chmodSync);
export const rmdir = waiting('rmdir', fs.rmdirSync);
export const copyFile = waiting('copyFile', fs.copyFileSync);
export const rm = waiting('rm', files.rmSync);
export const unlink = waiting('unlink', files.unlinkSync);
export const rename = waiting('rename', files.renameSync);
export const link = waiting('link', files.linkSync);
export const utimes = waiting('utimes', files.utimesSync);
export const writeFile = waiting('writeFile', files.writeFileSync);

export class FileHandle {
  readonly #path: string;
  readonly #fd: number;
  #position = 0;

  constructor(path: string, fd: number, position: number) {
    this.#path = path;
    this.#fd = fd;
    this.#position = position;
  }

  async write(bytes: Uint8Array, offset = 0, length = bytes.length - offset, position?: number) {
    await turn('write', this.#path);
    const at = position ?? this.#position;
    const bytesWritten = files.writeSync(this.#fd, bytes, offset, length, at);
    if (position === undefined) this.#position += bytesWritten;
    return { bytesWritten, buffer: bytes };
  }

  async writeFile(content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    for (let at = 0; at < bytes.length; ) at += (await this.write(bytes, at)).bytesWritten;
  }

  async read(target: Uint8Array, offset = 0, length = target.length - offset, position = 0) {
    await turn('read', this.#path);
    const read = files.readSync as (...args: unknown[]) => number;
    return { bytesRead: read(this.#fd, target, offset, length, position), buffer: target };
  }

  async stat(): Promise<fs.Stats> {
    await turn('stat', this.#path);
    return files.fstatSync(this.#fd);
  }

  async truncate(length = 0): Promise<void> {
    await turn('truncate', this.#path);
    files.ftruncateSync(this.#fd, length);
    this.#position = Math.min(this.#position, length);
  }

  async sync(): Promise<void> {
    await turn('fsync', this.#path);
    files.fsyncSync(this.#fd);
  }

  async close(): Promise<void> {
    await turn('close', this.#path);
    files.closeSync(this.#fd);
  }

  createReadStream(): Readable {
    return Readable.from(files.createReadStream(this.#path));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

export async function open(path: string, flags: string | number = 'r'): Promise<FileHandle> {
  await turn('open', path);
  const fd = files.openSync(path, flags);
  return new FileHandle(path, fd, flags === 'a' ? files.fstatSync(fd).size : 0);
}
