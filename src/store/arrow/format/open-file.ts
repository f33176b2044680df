/** An open file of a version. It can be read as long as the object is referenced. */

import { join } from 'node:path';
import { CorruptDataError } from '../../../base/errors.ts';
import { closeSync, fstatSync, openSync, readSync, statSync } from '../../../base/world/files.ts';
import type { VolumeFile } from './manifest-types.ts';

const unreachable = new FinalizationRegistry<number>((fd) => closeSync(fd));

export class OpenFile {
  readonly name: string;
  readonly path: string;
  /** −1 once closed: the number may belong to another file by then. */
  #fd: number;
  readonly #identity: string;

  constructor(folder: string, { name, bytes }: VolumeFile) {
    this.name = name;
    this.path = join(folder, name);
    this.#fd = openSync(this.path, 'r');
    unreachable.register(this, this.#fd, this);
    const { dev, ino, size } = fstatSync(this.#fd);
    this.#identity = `${dev}:${ino}`;
    if (size === bytes) return;
    this.close();
    throw new CorruptDataError(`"${this.path}" has ${size} bytes, the manifest says ${bytes}`);
  }

  /** Returns true if the path still leads to this file: a folder can be filled again. */
  isOfPath(): boolean {
    const { dev, ino } = statSync(this.path);
    return this.#identity === `${dev}:${ino}`;
  }

  /** Returns true if another file has the path, as after a repair. */
  isReplaced(): boolean {
    const now = statSync(this.path, { throwIfNoEntry: false });
    return now !== undefined && this.#identity !== `${now.dev}:${now.ino}`;
  }

  close(): void {
    if (unreachable.unregister(this)) closeSync(this.#fd);
    this.#fd = -1;
  }

  /** Fills `target` from a position on. Returns false if the file ends before. */
  read(target: Uint8Array, position: number): boolean {
    return this.readAt(target, 0, target.length, position);
  }

  /** Fills bytes [offset, offset + length) of `target`, as `read` does. */
  readAt(target: NodeJS.ArrayBufferView, offset: number, length: number, position: number) {
    return readSync(this.#fd, target, offset, length, position) === length;
  }
}
