/** Reads the unpacked bytes of an input file in one pass and bounded memory. */

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createGunzip, createInflateRaw, inflateRawSync } from 'node:zlib';
import { fileChunks } from '../../base/copy-file.ts';
import { MalformedInputError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { open } from '../../base/world/file-promises.ts';
import { closeSync, openSync, readFileSync, readSync } from '../../base/world/files.ts';
import type { InputFile, ZipMember } from './input-file.ts';

const LOCAL_HEADER_BYTES = 30;
const LOCAL_HEADER_SIGNATURE = 0x04034b50;

/**
 * Calls `onChunk` with the file's bytes in order. Setting up a stream takes 0.3 ms, more than
 * inflating a small member, so most files are read in one blocking call.
 * @throws {MalformedInputError} the file is damaged, too large or unreadable, worded to follow its
 *   name.
 * @throws the system's error that `onChunk` throws, for a full disk for example.
 */
export async function readInput(input: InputFile, onChunk: (chunk: Buffer) => void): Promise<void> {
  let bytes = 0;
  let isOurs = false;
  const deliver = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > limits.ingest.zipMemberBytesMax) throw new Error('it unpacks to too many bytes');
    isOurs = true;
    onChunk(chunk);
    isOurs = false;
  };
  try {
    const chunks = input.member ? memberChunks(input, input.member) : wholeFile(input);
    if (input.isGzip) {
      await pipeline(Readable.from(chunks), createGunzip(), async (unpacked) => {
        for await (const chunk of unpacked) deliver(chunk as Buffer);
      });
    } else {
      for await (const chunk of chunks) deliver(chunk);
    }
  } catch (error) {
    if (error instanceof MalformedInputError || (isOurs && isOfSystem(error))) throw error;
    throw isOfSystem(error)
      ? unreadable(error)
      : new MalformedInputError(`it is damaged: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns true for an error of the operating system about a file or folder. */
export function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return (error as NodeJS.ErrnoException).syscall !== undefined;
}

const SYSTEM_REASONS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'not found',
  EIO: 'the disk fails',
};

/** Error for a file or folder that can't be read, worded to follow its name. */
export function unreadable(error: NodeJS.ErrnoException): MalformedInputError {
  const { code = '' } = error;
  const reason = SYSTEM_REASONS[code] ? `${SYSTEM_REASONS[code]}, ${code}` : code;
  return new MalformedInputError(`it can't be read (${reason})`, { cause: error });
}

async function* wholeFile({ path, bytes }: InputFile): AsyncGenerator<Buffer> {
  if (bytes <= limits.ingest.wholeReadBytesMax) yield readFileSync(path);
  else yield* fileChunks(path);
}

async function* memberChunks(
  { path, bytes }: InputFile,
  member: ZipMember,
): AsyncGenerator<Buffer> {
  let checksum = 0;
  const isSmall = Math.max(bytes, member.compressedBytes) <= limits.ingest.wholeReadBytesMax;
  const chunks = isSmall ? [wholeMember(path, member, bytes)] : streamedMember(path, member);
  for await (const chunk of chunks) {
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  if (checksum !== member.crc32) throw new Error('its checksum does not match');
}

function wholeMember(zipPath: string, member: ZipMember, bytes: number): Buffer {
  const packed = Buffer.allocUnsafe(member.compressedBytes);
  const zip = openSync(zipPath, 'r');
  try {
    const start = dataStart(zip, member);
    if (readSync(zip, packed, 0, packed.length, start) < packed.length) {
      throw new Error('the zip ends within it');
    }
  } finally {
    closeSync(zip);
  }
  // Stop a member that inflates to more than it declares.
  return member.isDeflated
    ? inflateRawSync(packed, { maxOutputLength: Math.max(bytes, 1) })
    : packed;
}

async function* streamedMember(zipPath: string, member: ZipMember): AsyncGenerator<Buffer> {
  const zip = openSync(zipPath, 'r');
  const start = dataStart(zip, member);
  closeSync(zip);
  const packed = fileChunks(zipPath, { start, end: start + member.compressedBytes - 1 });
  if (!member.isDeflated) yield* packed;
  else yield* Readable.from(packed).compose(createInflateRaw()) as AsyncIterable<Buffer>;
}

/** Offset of a member's first byte. The local header's length differs from the directory's. */
function dataStart(zip: number, { headerOffset }: ZipMember): number {
  const header = Buffer.alloc(LOCAL_HEADER_BYTES);
  readSync(zip, header, 0, LOCAL_HEADER_BYTES, headerOffset);
  if (header.readUInt32LE(0) !== LOCAL_HEADER_SIGNATURE) throw new Error('it has no local header');
  return headerOffset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
}

/** @throws {MalformedInputError} the file can't be read. */
export async function headOfFile(path: string, bytesMax: number): Promise<Buffer> {
  await using file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(error);
  });
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(bytesMax) });
  return buffer.subarray(0, bytesRead);
}

/** Reads the first bytes of a file or member. A large member is not unpacked further. */
export async function headOf(input: InputFile, bytesMax: number): Promise<Buffer> {
  if (!input.member && !input.isGzip) return headOfFile(input.path, bytesMax);
  const chunks: Buffer[] = [];
  let bytes = 0;
  const enough = new Error('enough');
  try {
    await readInput(input, (chunk) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= bytesMax) throw enough;
    });
  } catch (error) {
    if ((error as Error).cause !== enough) throw error;
  }
  return Buffer.concat(chunks).subarray(0, bytesMax);
}
