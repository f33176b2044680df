import { MalformedInputError } from '../../base/errors.ts';
import { csvRecords } from '../inputs/csv-records.ts';
import { TOO_LONG } from '../inputs/file-lines.ts';

export interface TsvRecord {
  /** Line in the file, from 1. */
  line: number;
  /** Value without blanks around it; undefined if it is empty or the file has no such column. */
  field(column: string): string | undefined;
  text(): string;
  /** Reason why the record can't be used; undefined for a whole record. */
  fault: string | undefined;
}

/**
 * Reads tab-separated values with a header. A quote that does not match is a plain character.
 *
 * @throws {MalformedInputError} a record is too long.
 */
export async function* tsvRows(path: string): AsyncGenerator<TsvRecord> {
  let places: Map<string, number> | undefined;
  for await (const record of csvRecords(path)) {
    if ('reason' in record && record.reason === TOO_LONG) throw new MalformedInputError(TOO_LONG);
    const values = 'fields' in record ? record.fields : record.text.split('\t');
    if (places) yield recordOf(values, record.line, places);
    else places = new Map(values.map((name, place) => [name.trim().toUpperCase(), place]));
  }
}

function recordOf(values: string[], line: number, places: ReadonlyMap<string, number>): TsvRecord {
  return {
    line,
    field: (column) => values[places.get(column) ?? -1]?.trim() || undefined,
    text: () => values.join('\t'),
    fault: faultOf(values, places.size),
  };
}

function faultOf(values: readonly string[], columnCount: number): string | undefined {
  if (values.length !== columnCount) {
    return `line has ${values.length} fields and the header ${columnCount}`;
  }
  return values.some((value) => value.includes('\ufffd')) ? 'line is not UTF-8 text' : undefined;
}
