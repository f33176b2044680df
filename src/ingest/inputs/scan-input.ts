/** Reads a file's bytes once, before any row is parsed. */

import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import { MalformedInputError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { closeSync, openSync, writeFileSync } from '../../base/world/files.ts';
import { type Encoding, encodingOf, kindFault } from './file-kind.ts';
import type { InputFile } from './input-file.ts';
import { readInput } from './read-input.ts';

export interface FileScan {
  /** SHA-256 in hexadecimal, over the unpacked content. */
  sha256: string;
  /** Size of the content as kept, after unpacking. */
  bytes: number;
  /** Number of lines that are not blank, the header included; 0 for Parquet. */
  lineCount: number;
  /**
   * True for plain ASCII with one kind of line end: no quotes, NULs, overlong lines, digits around
   * an underscore or blank first line. The typed reader misreads or drops rows of other files.
   */
  isPlain: boolean;
  /** False if no byte is a comma. */
  hasCommas: boolean;
  /** The first bytes as text, without a byte-order mark. */
  head: string;
  /** The last bytes as text. */
  tail: string;
  /** Encoding of the file, where the content as kept was decoded from another one than UTF-8. */
  encoding?: Encoding;
}

/** Place of the content as UTF-8, if the file has another encoding. */
export interface Decoding {
  to: string;
  /** Undefined if the first bytes decide between UTF-8 and UTF-16. */
  encoding?: Encoding;
}

const NEWLINE = 10;
const RETURN = 13;
const QUOTE = 34;
const COMMA = 44;
const UNDERSCORE = 95;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const TAIL_BYTES = 1024;

/**
 * @param unpackTo Receives the unpacked content, for members, compressed files and loose JSON.
 * @param decoding Given if text of another encoding may be read; else it is refused.
 * @throws {MalformedInputError} as `readInput`, or the content does not match the input's form.
 */
export async function scanInput(
  input: InputFile,
  unpackTo?: string,
  decoding?: Decoding,
): Promise<FileScan> {
  const hash = createHash('sha256');
  const lines = createLineScan();
  const ends = createEnds();
  let out = unpackTo === undefined ? undefined : openSync(unpackTo, 'wx');
  let isFirst = true;
  let encoding = decoding?.encoding;
  let decoder: TextDecoder | undefined;
  try {
    const keep = (chunk: Buffer) => {
      if (out !== undefined) writeFileSync(out, chunk);
      if (input.form !== 'parquet') lines.add(ends.isEmpty() ? withoutMark(chunk) : chunk);
      ends.add(chunk);
    };
    const objects = input.isLooseJson ? createObjectLines() : undefined;
    const begin = (chunk: Buffer) => {
      isFirst = false;
      if (decoding && input.form !== 'parquet') encoding ??= encodingOf(headOf(chunk));
      if (encoding === undefined) return refuseOtherKind(chunk, input);
      decoder = new TextDecoder(encoding);
      out ??= openSync(decoding!.to, 'wx');
    };
    await readInput(input, (bytes) => {
      if (isFirst) begin(bytes);
      hash.update(bytes);
      const chunk = decoder ? Buffer.from(decoder.decode(bytes, { stream: true })) : bytes;
      keep(objects ? objects.add(ends.isEmpty() ? withoutMark(chunk) : chunk) : chunk);
    });
    if (objects) keep(objects.end());
  } finally {
    if (out !== undefined) closeSync(out);
  }
  const { hasLoneReturns, ...counted } = lines.result();
  if (hasLoneReturns) throw new MalformedInputError(LONE_RETURNS);
  return {
    ...{ sha256: hash.digest('hex'), ...ends.result(), ...counted },
    ...(encoding && { encoding }),
  };
}

export interface ScanJob {
  input: InputFile;
  unpackTo?: string;
  /** Path in the scratch folder that is free for a rewritten content. */
  rewriteTo: string;
}

/**
 * Outcome of one file, with the path of its content if that is not the job's. Damage is an outcome
 * and not an error, so that other files continue.
 */
export type ScanOutcome<Scan extends FileScan = FileScan> =
  | { scan: Scan; diskPath?: string }
  | { damage: string };

export default function scanJobs(jobs: readonly ScanJob[]): Promise<ScanOutcome[]> {
  return outcomesOf(jobs, async ({ input, unpackTo }) => ({
    scan: await scanInput(input, unpackTo),
  }));
}

/** Scans file after file. @throws what `scan` throws, except damage, which is an outcome. */
export async function outcomesOf<Scan extends FileScan>(
  jobs: readonly ScanJob[],
  scan: (job: ScanJob) => Promise<ScanOutcome<Scan>>,
): Promise<ScanOutcome<Scan>[]> {
  const outcomes: ScanOutcome<Scan>[] = [];
  for (const job of jobs) {
    try {
      outcomes.push(await scan(job));
    } catch (error) {
      if (!(error instanceof MalformedInputError)) throw error;
      outcomes.push({ damage: error.message });
    }
  }
  return outcomes;
}

/** Returns why an input whose scan has no bytes holds nothing. */
export function emptyReason({ bytes, isLooseJson }: InputFile): string {
  // Brackets and commas between objects are not kept.
  return isLooseJson && bytes > 0 ? 'it has no JSON object' : 'it has zero bytes';
}

const LONE_RETURNS =
  'its lines end in a carriage return alone (CR): save it with line feeds (LF or CRLF)';

function refuseOtherKind(chunk: Buffer, { form }: InputFile): void {
  const fault = kindFault(headOf(chunk), form);
  if (fault !== undefined) throw new MalformedInputError(fault);
}

const headOf = (chunk: Buffer) => chunk.subarray(0, limits.ingest.headBytesMax);

function withoutMark(chunk: Buffer): Buffer {
  return chunk.subarray(0, 3).equals(BYTE_ORDER_MARK) ? chunk.subarray(3) : chunk;
}

/** Keeps the first and last bytes of a stream of chunks. */
function createEnds() {
  let bytes = 0;
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  return {
    isEmpty: () => bytes === 0,
    add(chunk: Buffer) {
      bytes += chunk.length;
      const wanted = limits.ingest.headBytesMax - head.length;
      if (wanted > 0) head = Buffer.concat([head, chunk.subarray(0, wanted)]);
      tail = Buffer.concat([tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
    },
    result: () => ({
      bytes,
      head: withoutMark(head).toString('utf8'),
      tail: tail.toString('utf8'),
    }),
  };
}

/** Counts lines in a stream of chunks, and finds what the typed reader can't read. */
function createLineScan() {
  let lineCount = 0;
  let newlines = 0;
  let returns = 0;
  let returnsAtEnds = 0;
  /** Bytes so far of the line that the chunk ended in, and true while all of them are returns. */
  let openBytes = 0;
  let openIsReturn = false;
  let isPlain = true;
  let hasCommas = false;

  const endLine = (bytes: number, endsInReturn: boolean) => {
    const isBlank = bytes === 0 || (bytes === 1 && endsInReturn);
    if (isBlank && lineCount === 0) isPlain = false;
    if (bytes > limits.ingest.lineBytesMax) isPlain = false;
    if (!isBlank) lineCount++;
  };

  return {
    add(chunk: Buffer) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        const endsInReturn = end > start ? chunk[end - 1] === RETURN : openIsReturn;
        if (endsInReturn) returnsAtEnds++;
        endLine(openBytes + end - start, endsInReturn);
        newlines++;
        openBytes = 0;
        openIsReturn = false;
        start = end + 1;
      }
      openBytes += chunk.length - start;
      if (chunk.length > start) openIsReturn = chunk[chunk.length - 1] === RETURN;
      returns += countByte(chunk, RETURN);
      hasCommas ||= chunk.includes(COMMA);
      if (!isAscii(chunk) || chunk.includes(QUOTE) || chunk.includes(0)) isPlain = false;
      if (isPlain && hasDigitSeparator(chunk)) isPlain = false;
    },
    result() {
      if (openBytes > 0) endLine(openBytes, openIsReturn);
      const isUniform = returns === returnsAtEnds && (returns === 0 || returns === newlines);
      const hasLoneReturns = newlines === 0 && returns > (openIsReturn ? 1 : 0);
      return { lineCount, isPlain: isPlain && isUniform, hasCommas, hasLoneReturns };
    },
  };
}

/** Returns true for `1_000`, and for an underscore at an end of the chunk, which may be one. */
function hasDigitSeparator(chunk: Buffer): boolean {
  // A byte past the chunk is undefined, so no comparison with it holds.
  const isOther = (byte: number | undefined) => byte !== undefined && (byte < 48 || byte > 57);
  for (let at = chunk.indexOf(UNDERSCORE); at !== -1; at = chunk.indexOf(UNDERSCORE, at + 1)) {
    if (!isOther(chunk[at - 1]) && !isOther(chunk[at + 1])) return true;
  }
  return false;
}

function countByte(chunk: Buffer, byte: number): number {
  let count = 0;
  for (let at = chunk.indexOf(byte); at !== -1; at = chunk.indexOf(byte, at + 1)) count++;
  return count;
}

const BACKSLASH = 92;
const [OPEN_BRACKET, CLOSE_BRACKET] = [91, 93];
const [OPEN_BRACE, CLOSE_BRACE] = [123, 125];
const SPACE = 32;

/**
 * Splits a text into its outermost objects, in arrays or not, a line each, and likewise into the
 * arrays of values in an array. Other text between them becomes a line too, so that it can be refused.
 */
function createObjectLines(): { add(chunk: Buffer): Buffer; end(): Buffer } {
  let depth = 0;
  /** Arrays around the outermost objects. */
  let arrays = 0;
  let isInText = false;
  let isEscaped = false;
  let isLineOpen = false;
  /** True within an array of values, whose depth counts. */
  let isRow = false;
  return {
    add(chunk) {
      // Each byte adds a line end and a bracket at most.
      const out = Buffer.allocUnsafe(chunk.length * 3);
      let length = 0;
      for (let from = 0; from < chunk.length; from++) {
        const byte = chunk[from];
        if (isInText) {
          out[length++] = byte;
          if (isEscaped) isEscaped = false;
          else if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) isInText = false;
          continue;
        }
        // Skip blanks and line ends between tokens.
        if (byte <= SPACE) continue;
        if (depth === 0) {
          const isBetween = byte === COMMA || byte === OPEN_BRACKET || byte === CLOSE_BRACKET;
          if (isLineOpen && (isBetween || byte === OPEN_BRACE)) {
            out[length++] = NEWLINE;
            isLineOpen = false;
          }
          if (isBetween) {
            if (byte === OPEN_BRACKET) arrays++;
            if (byte === CLOSE_BRACKET) arrays--;
            continue;
          }
          if (byte !== OPEN_BRACE && arrays === 2) {
            out[length++] = OPEN_BRACKET;
            depth++;
            isRow = true;
          }
        }
        out[length++] = byte;
        isLineOpen = true;
        if (byte === QUOTE) isInText = true;
        else if (byte === OPEN_BRACE || (isRow && byte === OPEN_BRACKET)) depth++;
        else if (byte === CLOSE_BRACE || (isRow && byte === CLOSE_BRACKET)) {
          if (depth > 0) depth--;
          if (depth > 0) continue;
          if (isRow) arrays--;
          isRow = false;
          out[length++] = NEWLINE;
          isLineOpen = false;
        }
      }
      return out.subarray(0, length);
    },
    end: () => Buffer.from(isLineOpen ? '\n' : ''),
  };
}
