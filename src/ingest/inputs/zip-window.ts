/** Reads the directory of a zip in large pieces. The library reads each header and name alone. */

import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import yauzl from 'yauzl';

const WINDOW_BYTES = 1 << 20;

/** @throws the library's error: no readable directory, or no file. */
export async function openZipDirectory(path: string): Promise<yauzl.ZipFile> {
  const reader = new WindowReader(path);
  try {
    const { size } = statSync(path);
    return await yauzl.fromRandomAccessReaderPromise(reader, size, { decodeStrings: false });
  } catch (error) {
    reader.close(() => undefined);
    throw error;
  }
}

/** The interface through which the library accepts another reader. */
class WindowReader extends yauzl.RandomAccessReader {
  readonly #file: number;
  readonly #window = Buffer.allocUnsafe(WINDOW_BYTES);
  #start = 0;
  #end = 0;
  #isOpen = true;

  constructor(path: string) {
    super();
    this.#file = openSync(path, 'r');
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytes?: number) => void,
  ): void {
    let error: Error | null = null;
    let bytes = 0;
    try {
      bytes = this.#copy(buffer, offset, length, position);
    } catch (cause) {
      error = cause as Error;
    }
    queueMicrotask(() => callback(error, bytes));
  }

  #copy(buffer: Buffer, offset: number, length: number, position: number): number {
    if (length > WINDOW_BYTES) return readSync(this.#file, buffer, offset, length, position);
    if (position < this.#start || position + length > this.#end) {
      this.#start = position;
      this.#end = position + readSync(this.#file, this.#window, 0, WINDOW_BYTES, position);
    }
    const from = position - this.#start;
    return this.#window.copy(
      buffer,
      offset,
      from,
      Math.min(from + length, this.#end - this.#start),
    );
  }

  /** Unused: contents are read elsewhere. */
  override _readStreamForRange(): Readable {
    return Readable.from([]);
  }

  override close(callback: (error: Error | null) => void): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
    queueMicrotask(() => callback(null));
  }
}
