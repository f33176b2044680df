import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { MalformedInputError } from '../../base/errors.ts';
import { limits } from '../../base/limits/limits.ts';

export interface TsvRecord {
  /** Line in the file, from 1. */
  line: number;
  /** Value without blanks around it; undefined if it is empty or the file has no such column. */
  field(column: string): string | undefined;
  text(): string;
  /** Reason why the record can't be used; undefined for a whole record. */
  fault: string | undefined;
}

interface ParsedRecord {
  record: string[];
  info: { lines: number };
}

/** @throws {MalformedInputError} a record is too long, or a quote is never closed. */
export async function* tsvRows(path: string): AsyncGenerator<TsvRecord> {
  const parser = parse({
    bom: true,
    delimiter: '\t',
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: limits.ingest.lineBytesMax,
  });
  const source = createReadStream(path);
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let places: Map<string, number> | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRecord>) {
      if (!places) {
        places = new Map(record.map((name, place) => [name.trim().toUpperCase(), place]));
        continue;
      }
      yield recordOf(record, info.lines, places);
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_')) {
      throw new MalformedInputError(error.message, { cause: error });
    }
    throw error;
  } finally {
    source.destroy();
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
