import { Readable } from 'node:stream';
import yauzl from 'yauzl';
import { MICROS_PER_MILLI } from '../../base/bars.ts';
import { MalformedInputError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { closeSync, openSync, readSync, statSync } from '../../base/world/files.ts';
import type { SkippedInput } from '../contract/fetch-context.ts';
import { type FormOf, formFromName, type InputFile } from './input-file.ts';
import { isOfSystem, unreadable } from './read-input.ts';
import { unnamedReason } from './unnamed-file.ts';

const STORED = 0;
const DEFLATED = 8;

/**
 * Lists the data files of a zip from its directory. Names are labels only.
 * @param isWanted Selects members of a zip with more members than the limit.
 * @throws {MalformedInputError} the zip has no readable directory, or exceeds the limits.
 */
export async function listZip(
  path: string,
  formOf: FormOf = formFromName,
  isWanted?: (name: string) => boolean,
): Promise<{ files: InputFile[]; skipped: SkippedInput[] }> {
  const files: InputFile[] = [];
  const skipped: SkippedInput[] = [];
  let bytes = 0;
  try {
    // The library would stop at the first strange name. Here only that member is left out.
    const zip = await openZipDirectory(path);
    const isFiltered = isWanted && zip.entryCount > limits.ingest.zipMembersMax;
    if (!isFiltered) refuseCount(path, zip.entryCount);
    for await (const entry of zip.eachEntry()) {
      const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
      const name = yauzl.getFileNameLowLevel(
        generalPurposeBitFlag,
        fileNameRaw,
        extraFields,
        false,
      );
      if (name.endsWith('/') || (isFiltered && !isWanted(name))) continue;
      const reason = refusal(entry, name);
      const known = formOf(name);
      if (known && reason) {
        skipped.push({ name, reason, isRefused: true });
        continue;
      }
      const file = {
        name,
        path,
        member: {
          headerOffset: entry.relativeOffsetOfLocalHeader,
          compressedBytes: entry.compressedSize,
          isDeflated: entry.compressionMethod === DEFLATED,
          crc32: entry.crc32,
        },
        bytes: entry.uncompressedSize,
        modifiedUs: modifiedUsOf(entry),
      };
      if (!known) {
        skipped.push({ name, ...(await unnamedReason(file)) });
        continue;
      }
      bytes += entry.uncompressedSize;
      files.push({ ...file, ...known });
    }
  } catch (error) {
    if (error instanceof MalformedInputError) throw error;
    throw unreadableZip(path, error);
  }
  if (bytes > limits.ingest.zipBytesMax) {
    throw new MalformedInputError(
      `Zip "${path}" would unpack to ${bytes} bytes, more than ${limits.ingest.zipBytesMax}`,
    );
  }
  refuseCount(path, files.length);
  const byName = new Map(files.map((file) => [file.name, file]));
  const repeated = files.filter((file) => byName.get(file.name) !== file);
  for (const { name } of repeated) skipped.push({ name, reason: REPEATED, isRefused: true });
  return { files: files.filter((file) => byName.get(file.name) === file), skipped };
}

/** Fault of a repeated member name: unpacking tools keep the last member, too. */
const REPEATED = 'a later member of the zip has the same name, and is read';

/** Counts members. @throws {MalformedInputError} the zip has no readable directory. */
export async function zipMembers(path: string): Promise<number> {
  try {
    const zip = await openZipDirectory(path);
    zip.close();
    return zip.entryCount;
  } catch (error) {
    throw unreadableZip(path, error);
  }
}

function unreadableZip(path: string, error: unknown): MalformedInputError {
  if (isOfSystem(error)) {
    return new MalformedInputError(`Zip "${path}": ${unreadable(error).message}`, { cause: error });
  }
  return new MalformedInputError(
    `Zip "${path}" cannot be read: it is truncated or damaged (${(error as Error).message})`,
    { cause: error },
  );
}

function refuseCount(path: string, members: number): void {
  if (members <= limits.ingest.zipMembersMax) return;
  throw new MalformedInputError(
    `Zip "${path}" has ${members} members, more than ${limits.ingest.zipMembersMax}`,
  );
}

/** Modification time of a member, or 0 if its date is invalid. */
function modifiedUsOf(entry: yauzl.Entry): bigint {
  const ms = entry.getLastModDate({ timezone: 'UTC' }).getTime();
  return BigInt(Math.max(0, ms || 0)) * BigInt(MICROS_PER_MILLI);
}

function refusal(entry: yauzl.Entry, name: string): string | undefined {
  if (yauzl.validateFileName(name) !== null) return 'its name leads out of the zip';
  if (entry.isEncrypted()) return 'encrypted';
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    return `compressed by method ${entry.compressionMethod}, which is not known`;
  }
  if (entry.uncompressedSize > limits.ingest.zipMemberBytesMax) {
    return `${entry.uncompressedSize} bytes, more than ${limits.ingest.zipMemberBytesMax}`;
  }
  return undefined;
}

/** @throws the library's error: no readable directory, or no file. */
async function openZipDirectory(path: string): Promise<yauzl.ZipFile> {
  const reader = new BlockingReader(path);
  try {
    const { size } = statSync(path);
    return await yauzl.fromRandomAccessReaderPromise(reader, size, { decodeStrings: false });
  } catch (error) {
    reader.close(() => undefined);
    throw error;
  }
}

/** The library reads each header and name alone: the cheapest way is a blocking read. */
class BlockingReader extends yauzl.RandomAccessReader {
  readonly #file: number;
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
      bytes = readSync(this.#file, buffer, offset, length, position);
    } catch (cause) {
      error = cause as Error;
    }
    queueMicrotask(() => callback(error, bytes));
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
