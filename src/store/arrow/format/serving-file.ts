/** An open file of bars or indicators, read one record batch at a time. */

import { crc32 } from 'node:zlib';
import type { CorruptDataError } from '../../../base/errors.ts';
import { type ColumnSpec, dataOffset } from './batch-layout.ts';
import type { VolumeFile } from './manifest-types.ts';
import { OpenFile } from './open-file.ts';
import { headWords, PackedRows } from './packed-bars.ts';
import { VerifiedBatches } from './verified-batches.ts';

export interface BatchPlace {
  batch: number;
  offset: number;
  rowCount: number;
  crc32: number;
  /** Bytes of the body if its bars are packed; 0 if they are plain. */
  packedBytes: number;
}

/** Body of the batch checked last, by any file; grows to the largest batch met. */
let scratch = new Uint8Array(256 * 1024);

/** Begin of the packed batch read last, and blocks of it. */
let headScratch = new Uint32Array(256);
let blockScratch = new Uint32Array(64 * 1024);
const packedRows = new PackedRows();

/**
 * A scan over small batches reads blocks: a system call costs 2 µs, and copying 8 KB costs as much.
 * One read of some columns has fewer pieces than a scan.
 */
const SCAN_GAP_BYTES_MAX = 8192;
const SCAN_PIECES_MIN = 24;
const SCAN_BLOCK_BYTES = 128 * 1024;

export class ServingFile extends OpenFile {
  readonly columns: readonly ColumnSpec[];
  readonly #verified: VerifiedBatches;
  /** Bodies that stay in memory, by batch; undefined if bodies are read each time. */
  readonly #kept: Map<number, Uint8Array<ArrayBuffer>> | undefined;
  readonly #bytes: number;
  /** Block of the scan, which may take turns with that of another file, and its place. */
  #block: Float64Array | undefined;
  #blockStart = 0;
  #blockEnd = 0;
  /** End of the last piece read, and number of pieces up to it that lie close behind one another. */
  #pieceEnd = 0;
  #nearPieces = 0;

  /**
   * @param options.keepBodies True for files whose few batches hold a row or two of every symbol.
   * @throws {CorruptDataError} The file is not as long as the manifest says.
   */
  constructor(
    folder: string,
    file: VolumeFile,
    columns: readonly ColumnSpec[],
    keepBodies: boolean,
  ) {
    super(folder, file);
    this.columns = columns;
    this.#bytes = file.bytes;
    this.#verified = new VerifiedBatches(this.path);
    this.#kept = keepBodies ? new Map() : undefined;
  }

  /**
   * Copies rows [row, row + count) of columns of 8-byte values, as float64 bytes.
   *
   * The first read of a batch takes its whole body and checks it. A read of most of a batch takes
   * the body too. Other reads copy the requested bytes straight into the outputs, unless they are
   * part of a scan: a system call costs 1 to 2 µs, fetching a body of 100 KB from memory 20 µs.
   *
   * @param columns Their numbers in the file.
   * @param outputs One per column; written from index `at` on.
   * @throws {CorruptDataError} The bytes do not match their checksum.
   */
  copyRows(
    place: BatchPlace,
    columns: readonly number[],
    { row, count }: { row: number; count: number },
    outputs: readonly Float64Array[],
    at: number,
  ): void {
    if (place.packedBytes > 0) {
      this.#copyPacked(place, columns, { row, count }, outputs, at);
      return;
    }
    const body = this.#bodyFor(place, count * columns.length);
    for (let i = 0; i < columns.length; i++) {
      this.#copyColumn(body, place, columns[i], row, count, outputs[i], at);
    }
  }

  /** Copies rows of one column, as `copyRows` does, without making an object. */
  copyColumn(
    place: BatchPlace,
    column: number,
    row: number,
    count: number,
    output: Float64Array,
    at: number,
  ): void {
    if (place.packedBytes > 0) this.#copyPacked(place, [column], { row, count }, [output], at);
    else this.#copyColumn(this.#bodyFor(place, count), place, column, row, count, output, at);
  }

  /** The first read of a batch takes and checks all of it, later ones the blocks of the rows. */
  #copyPacked(
    place: BatchPlace,
    columns: readonly number[],
    rows: { row: number; count: number },
    outputs: readonly Float64Array[],
    at: number,
  ): void {
    if (rows.count === 0) return;
    if (!this.#verified.has(place.batch)) {
      const body = this.#body(place, place.packedBytes);
      const words = new Uint32Array(body.buffer, body.byteOffset, body.length / 4);
      packedRows.copy(words, words, 0, columns, rows, outputs, at);
      return;
    }
    const headCount = headWords(place.rowCount);
    if (headScratch.length < headCount) headScratch = new Uint32Array(2 * headCount);
    this.#readWords(headScratch, headCount, place, 0);
    const [first, end] = PackedRows.wordsOf(headScratch, rows.row, rows.count);
    if (blockScratch.length < end - first) blockScratch = new Uint32Array(2 * (end - first));
    this.#readWords(blockScratch, end - first, place, first);
    packedRows.copy(headScratch, blockScratch, first, columns, rows, outputs, at);
  }

  #readWords(target: Uint32Array, count: number, place: BatchPlace, first: number): void {
    if (this.readAt(target, 0, 4 * count, place.offset + 4 * first)) return;
    throw this.#verified.damaged(place.batch);
  }

  /** Returns the body to copy values from; undefined if they are read without it. */
  #bodyFor(place: BatchPlace, valueCount: number): Uint8Array<ArrayBuffer> | undefined {
    const bodyBytes = dataOffset(this.columns, place.rowCount, this.columns.length);
    const isSmallPart = 2 * 8 * valueCount < bodyBytes;
    const isDirect = isSmallPart && !this.#kept && this.#verified.has(place.batch);
    return isDirect ? undefined : this.#body(place, bodyBytes);
  }

  #copyColumn(
    body: Uint8Array<ArrayBuffer> | undefined,
    place: BatchPlace,
    column: number,
    row: number,
    count: number,
    output: Float64Array,
    at: number,
  ): void {
    const offset = dataOffset(this.columns, place.rowCount, column) + 8 * row;
    if (body) output.set(new Float64Array(body.buffer, body.byteOffset + offset, count), at);
    else this.#readPiece(output, at, count, place, offset);
  }

  /** Returns the checked body of a batch: kept, or valid until the next call for any file. */
  #body(place: BatchPlace, bodyBytes: number): Uint8Array<ArrayBuffer> {
    const kept = this.#kept?.get(place.batch);
    if (kept) return kept;
    if (scratch.length < bodyBytes) scratch = new Uint8Array(2 * bodyBytes);
    const body = this.#kept ? new Uint8Array(bodyBytes) : scratch.subarray(0, bodyBytes);
    const read = () => this.read(body, place.offset);
    if (!this.#verified.has(place.batch)) {
      this.#verified.check(place.batch, () => read() && crc32(body) === place.crc32);
    } else if (!read()) throw this.#verified.damaged(place.batch);
    this.#kept?.set(place.batch, body);
    return body;
  }

  #readPiece(
    output: Float64Array,
    at: number,
    count: number,
    place: BatchPlace,
    offset: number,
  ): void {
    const start = place.offset + offset;
    const length = 8 * count;
    const end = start + length;
    const gap = start - this.#pieceEnd;
    this.#pieceEnd = end;
    this.#nearPieces = gap >= 0 && gap <= SCAN_GAP_BYTES_MAX ? this.#nearPieces + 1 : 0;
    if (this.#nearPieces < SCAN_PIECES_MIN || length > SCAN_GAP_BYTES_MAX) {
      if (!this.readAt(output, 8 * at, length, start)) throw this.#verified.damaged(place.batch);
      return;
    }
    this.#block ??= new Float64Array(SCAN_BLOCK_BYTES / 8);
    if (start < this.#blockStart || end > this.#blockEnd) {
      const blockBytes = Math.min(SCAN_BLOCK_BYTES, this.#bytes - start);
      this.#blockEnd = 0;
      if (!this.readAt(this.#block, 0, blockBytes, start)) {
        throw this.#verified.damaged(place.batch);
      }
      this.#blockStart = start;
      this.#blockEnd = start + blockBytes;
    }
    // Columns begin at multiples of 8 bytes, so blocks do too.
    const first = (start - this.#blockStart) / 8;
    for (let i = 0; i < count; i++) output[at + i] = this.#block[first + i];
  }

  get damage(): CorruptDataError | undefined {
    return this.#verified.damage;
  }
}
