/**
 * Columns of bulk candles in Arrow, and the messages before the first batch.
 *
 * Symbol, session and adjustment are dictionary columns: 5 bytes a row instead of about 17 as text, and a
 * category in the reader instead of a hash of every row. Run-end encoding would be smaller still,
 * but apache-arrow for JavaScript can't read it.
 */

import { Field, Schema } from 'apache-arrow/schema';
import { Dictionary, Int8, Int32, Utf8 } from 'apache-arrow/type';
import { BASES } from '../../../base/bars.ts';
import { TRADING_SESSIONS } from '../../../base/time/intervals.ts';
import { batchLayout, type ColumnSpec } from '../../../store/arrow/format/batch-layout.ts';
import {
  arrowSchema,
  dictionaryMessage,
  schemaMessage,
} from '../../../store/arrow/format/batch-message.ts';
import { encodedTexts } from '../../responses/arrow-stream.ts';
import type { BarLabels } from '../../responses/sessions.ts';

/** Bytes of a message and of the body that directly follows it. */
export interface BlockSize {
  metadataBytes: number;
  bodyBytes: number;
}

export interface CandlesHead {
  schema: Schema;
  /** Schema message and the dictionaries. */
  bytes: Uint8Array;
  schemaBytes: number;
  dictionaries: BlockSize[];
}

const SYMBOL_DICTIONARY = 0;
const ADJUSTMENT_DICTIONARY = 1;
const SESSION_DICTIONARY = 2;

/**
 * Returns the columns of a batch in order. `symbol`, `session` and `adjustment` hold codes:
 * indexes into the list of symbols, `TRADING_SESSIONS` and `BASES`.
 *
 * @param labels Columns after `timestamp`.
 * @param indicators Names of the columns of indicators, which are last and may be null.
 */
export function candlesColumns(labels: BarLabels, indicators: readonly string[]): ColumnSpec[] {
  const column = (name: string, type: ColumnSpec['type'], nullable = false): ColumnSpec => {
    return { name, type, nullable };
  };
  return [
    column('symbol', 'int32'),
    column('timestamp', 'timestamp'),
    ...labelSpecs(labels),
    column('open', 'float64'),
    column('high', 'float64'),
    column('low', 'float64'),
    column('close', 'float64'),
    column('volume', 'float64'),
    column('adjustment', 'uint8'),
    ...indicators.map((name) => column(name, 'float64', true)),
  ];
}

function labelSpecs(labels: BarLabels): ColumnSpec[] {
  if (labels === 'none') return [];
  if (labels === 'dates') return [{ name: 'date', type: 'date', nullable: false }];
  return [
    { name: 'tradeDate', type: 'date', nullable: true },
    { name: 'session', type: 'int32', nullable: true },
  ];
}

/** @param symbols Texts for the codes of the column `symbol`. */
export function candlesHead(
  columns: readonly ColumnSpec[],
  symbols: readonly string[],
): CandlesHead {
  // Codes are declared signed, although the layout says a byte: pandas rejects unsigned ones.
  const dictionaries: Record<string, Dictionary> = {
    symbol: new Dictionary(new Utf8(), new Int32(), SYMBOL_DICTIONARY),
    adjustment: new Dictionary(new Utf8(), new Int8(), ADJUSTMENT_DICTIONARY),
    session: new Dictionary(new Utf8(), new Int32(), SESSION_DICTIONARY),
  };
  const hasSessions = columns.some(({ name }) => name === 'session');
  const fields = arrowSchema(columns).fields.map((field) => {
    const type = dictionaries[field.name];
    return type ? new Field(field.name, type, field.nullable) : field;
  });
  const schema = new Schema(fields);
  const message = schemaMessage(schema);
  const blocks = [
    dictionaryBlock(SYMBOL_DICTIONARY, symbols),
    dictionaryBlock(ADJUSTMENT_DICTIONARY, BASES),
    ...(hasSessions ? [dictionaryBlock(SESSION_DICTIONARY, TRADING_SESSIONS)] : []),
  ];
  return {
    schema,
    bytes: Buffer.concat([message, ...blocks.flatMap(({ metadata, body }) => [metadata, body])]),
    schemaBytes: message.length,
    dictionaries: blocks.map(({ metadata, body }) => ({
      metadataBytes: metadata.length,
      bodyBytes: body.length,
    })),
  };
}

function dictionaryBlock(
  id: number,
  entries: readonly string[],
): { metadata: Uint8Array; body: Uint8Array } {
  const { offsets, text } = encodedTexts(entries);
  const column: ColumnSpec = { name: '', type: 'utf8', nullable: false };
  const layout = batchLayout([column], entries.length, [text.length]);
  const [, offsetRange, textRange] = layout.buffers;
  const body = new Uint8Array(layout.bodyBytes);
  body.set(new Uint8Array(offsets.buffer), offsetRange.offset);
  body.set(text, textRange.offset);
  return { metadata: dictionaryMessage(id, entries.length, layout), body };
}
