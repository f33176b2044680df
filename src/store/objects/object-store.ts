/** Object storage as uploads, replicas and backups use it. */

import { TapeworksError } from '../../base/errors.ts';

export interface ObjectHead {
  bytes: number;
  /** Changes with the content. */
  etag: string;
}

export interface StoredObject extends ObjectHead {
  /** Content from the requested start on; ends with an error if the transfer is cut short. */
  body: AsyncIterable<Uint8Array>;
}

export interface ListedObject {
  key: string;
  bytes: number;
  /** Time of the last write by the store's clock, milliseconds since the epoch. */
  modifiedMs: number;
}

/** Content to be written. It may be read several times. */
export interface ObjectContent {
  bytes: number;
  /** Hash in hexadecimal, which a store compares with the bytes that it receives. */
  sha256: string;
  /** Reads the bytes [start, end), by default all. */
  read(start?: number, end?: number): AsyncIterable<Uint8Array>;
}

/** Writes only if there is no object, or only over the object with this ETag. */
export type WriteCondition = 'absent' | { etag: string };

export interface GetOptions {
  /** First byte; default 0. */
  start?: number;
  /** Bytes that the object may have, which bound the time of the transfer; default 0. */
  bytesMax?: number;
  /** ETag of a known object, which is not read again. */
  unless?: string;
  signal?: AbortSignal;
}

export interface PutOptions {
  condition?: WriteCondition;
  /** True to write it in parts, as a large object is, where the store has parts. */
  inParts?: boolean;
  signal?: AbortSignal;
}

/** All methods throw `ObjectStoreError` where the store fails. Keys are relative to the place. */
export interface ObjectStore {
  /** Address of an object for messages. */
  addressOf(key: string): string;
  get(key: string, options?: GetOptions): Promise<StoredObject | 'unchanged' | undefined>;
  /**
   * Writes an object.
   *
   * @returns its ETag; undefined if the condition is not met.
   * @throws {ObjectStoreError} of a conditional write, `isUnknown` if it may have been done.
   */
  put(key: string, content: ObjectContent, options?: PutOptions): Promise<string | undefined>;
  /** Lists all objects whose keys begin with the prefix. */
  list(prefix: string, signal?: AbortSignal): AsyncIterable<ListedObject>;
  /** Removes an object; does nothing without one. */
  delete(key: string, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

interface FailureOptions extends ErrorOptions {
  isPassing?: boolean;
  isUnknown?: boolean;
  isOfContent?: boolean;
}

/** Object storage can't be reached, refuses a request or fails; the message names the setting. */
export class ObjectStoreError extends TapeworksError {
  /** True if the same request may succeed later. */
  readonly isPassing: boolean;
  /** True if a conditional write may have been done: its response was lost. */
  readonly isUnknown: boolean;
  /** True if the store received other bytes than those of the hash. */
  readonly isOfContent: boolean;

  constructor(message: string, options: FailureOptions = {}) {
    super(message, options);
    this.isPassing = options.isPassing ?? false;
    this.isUnknown = options.isUnknown ?? false;
    this.isOfContent = options.isOfContent ?? false;
  }
}

/** Reads a whole object of few bytes. @throws {ObjectStoreError} it has more. */
export async function bytesOf(
  { body }: Pick<StoredObject, 'body'>,
  bytesMax: number,
  title: string,
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > bytesMax) {
      throw new ObjectStoreError(`${title} has more than ${bytesMax} bytes`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
