/** A buffer of record batches of candles, written column by column into their final place. */

import { BASES, type BarColumns, barRows, millisFromMicros } from '../../../base/bars.ts';
import { limits } from '../../../base/limits.ts';
import {
  alignedBytes,
  type BatchLayout,
  batchLayout,
  type ColumnSpec,
} from '../../../store/arrow/format/batch-layout.ts';
import { BatchMessage } from '../../../store/arrow/format/batch-message.ts';
import { writeValidity } from '../../../store/arrow/format/validity.ts';
import { type SessionColumns, sessionColumns } from '../../responses/sessions.ts';
import { fillDates } from '../../responses/time-text.ts';
import type { BlockSize } from './arrow-schema.ts';
import { type CandleSeries, rowsOfWidth } from './series.ts';

/** Rows [start, end) of a series. */
export interface SeriesRows {
  series: CandleSeries;
  start: number;
  end: number;
}

/** Views of the columns of a batch. */
interface BatchColumns extends BarColumns {
  symbol: Int32Array;
  date: Int32Array | undefined;
  sessions: (SessionColumns & Record<'dateValidity' | 'sessionValidity', Uint8Array>) | undefined;
  adjustment: Uint8Array;
  indicators: readonly { values: Float64Array; validity: Uint8Array }[];
}

export class CandlesStage {
  /** Rows of a series that go into one batch: fewer with more columns, so that it stays as short. */
  readonly rowsMax: number;
  readonly #columns: readonly ColumnSpec[];
  readonly #symbolCodes: ReadonlyMap<string, number>;
  readonly #message: BatchMessage;
  readonly #nullCounts: Int32Array;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #used = 0;
  #pending: SeriesRows[] = [];
  #pendingRows = 0;

  /** @param symbols Texts for the codes of the column `symbol`. */
  constructor(columns: readonly ColumnSpec[], symbols: readonly string[]) {
    const { pieceBytes, batchRowsMin, batchRowsMax } = limits.bulk;
    this.rowsMax = Math.max(batchRowsMin, rowsOfWidth(batchRowsMax, columns.length));
    this.#columns = columns;
    this.#symbolCodes = new Map(symbols.map((symbol, code) => [symbol, code]));
    this.#message = new BatchMessage(columns);
    this.#nullCounts = new Int32Array(columns.length);
    const { bodyBytes } = batchLayout(columns, batchRowsMin + this.rowsMax);
    this.#bytes = new Uint8Array(pieceBytes + this.#message.bytes.length + bodyBytes);
  }

  /** Rows added since the last batch. */
  get pendingRows(): number {
    return this.#pendingRows;
  }

  /** True if the bytes must be taken before the next batch, however short. */
  get isFull(): boolean {
    return this.#used >= limits.bulk.pieceBytes;
  }

  /** Adds rows to the next batch; they are read when it is written. */
  add(rows: SeriesRows): void {
    this.#pending.push(rows);
    this.#pendingRows += rows.end - rows.start;
  }

  /** Returns the batches since the last call; valid until the next batch is written. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#used);
    this.#used = 0;
    return taken;
  }

  /** Writes the added rows as one batch of at most `batchRowsMin + rowsMax` rows. */
  writeBatch(): BlockSize {
    const layout = batchLayout(this.#columns, this.#pendingRows);
    const metadataBytes = this.#message.bytes.length;
    this.#fillColumns(this.#bodyColumns(this.#used + metadataBytes, layout));
    this.#message.write(this.#pendingRows, this.#nullCounts, layout);
    this.#bytes.set(this.#message.bytes, this.#used);
    this.#used += metadataBytes + layout.bodyBytes;
    this.#pending = [];
    this.#pendingRows = 0;
    return { metadataBytes, bodyBytes: layout.bodyBytes };
  }

  /** Returns views of the body at `bodyStart`, and clears the padding of the reused buffer. */
  #bodyColumns(bodyStart: number, { buffers, data }: BatchLayout): BatchColumns {
    const { buffer } = this.#bytes;
    const rowCount = this.#pendingRows;
    for (const { offset, bytes } of buffers) {
      const start = bodyStart + offset;
      this.#bytes.fill(0, start + bytes, start + alignedBytes(bytes));
    }
    const offsets = new Map<string, number>();
    const validities = new Map<string, Uint8Array>();
    const indicators: BatchColumns['indicators'][number][] = [];
    this.#columns.forEach(({ name, type, nullable }, i) => {
      const start = bodyStart + data[i].offset;
      offsets.set(name, start);
      if (!nullable) return;
      // No column has value offsets, so each has two buffers.
      const { offset, bytes } = buffers[2 * i];
      const validity = new Uint8Array(buffer, bodyStart + offset, bytes);
      validities.set(name, validity);
      if (type !== 'float64') return;
      indicators.push({ values: new Float64Array(buffer, start, rowCount), validity });
    });
    const place = (name: string) => offsets.get(name)!;
    const float64 = (name: string) => new Float64Array(buffer, place(name), rowCount);
    return {
      symbol: new Int32Array(buffer, place('symbol'), rowCount),
      timestampUs: new BigInt64Array(buffer, place('timestamp'), rowCount),
      date: offsets.has('date') ? new Int32Array(buffer, place('date'), rowCount) : undefined,
      sessions: offsets.has('session')
        ? {
            tradeDays: new Int32Array(buffer, place('tradeDate'), rowCount),
            sessions: new Int32Array(buffer, place('session'), rowCount),
            dateValidity: validities.get('tradeDate')!,
            sessionValidity: validities.get('session')!,
          }
        : undefined,
      open: float64('open'),
      high: float64('high'),
      low: float64('low'),
      close: float64('close'),
      volume: float64('volume'),
      adjustment: new Uint8Array(buffer, place('adjustment'), rowCount),
      indicators,
    };
  }

  #fillColumns(columns: BatchColumns): void {
    let row = 0;
    for (const { series, start, end } of this.#pending) {
      const next = row + end - start;
      columns.symbol.fill(this.#symbolCodes.get(series.symbol)!, row, next);
      columns.adjustment.fill(BASES.indexOf(series.adjustment), row, next);
      series.copyRows(start, end, barRows(columns, row, next));
      const { indicators } = series;
      for (const [i, { values }] of columns.indicators.entries()) {
        values.set(indicators[i].subarray(start, end), row);
      }
      if (end === series.rowCount) series.release?.();
      row = next;
    }
    const firstNullable = this.#columns.length - columns.indicators.length;
    for (const [i, { values, validity }] of columns.indicators.entries()) {
      this.#nullCounts[firstNullable + i] = writeValidity(values, 0, row, validity);
    }
    if (columns.date) fillDates(columns.timestampUs, columns.date);
    if (columns.sessions) this.#fillSessions(columns.timestampUs, columns.sessions);
  }

  #fillSessions(timestampUs: BigInt64Array, columns: NonNullable<BatchColumns['sessions']>): void {
    const count = timestampUs.length;
    // Series of a batch follow one another, so times are not in one order.
    let start = 0;
    for (let row = 1; row <= count; row++) {
      if (row < count && timestampUs[row] > timestampUs[row - 1]) continue;
      const found = sessionColumns(millisFromMicros(timestampUs.subarray(start, row)));
      columns.tradeDays.set(found.tradeDays, start);
      columns.sessions.set(found.sessions, start);
      start = row;
    }
    const at = this.#columns.findIndex(({ name }) => name === 'tradeDate');
    this.#nullCounts[at] = writeValidity(columns.tradeDays, 0, count, columns.dateValidity);
    this.#nullCounts[at + 1] = writeValidity(columns.sessions, 0, count, columns.sessionValidity);
  }
}
