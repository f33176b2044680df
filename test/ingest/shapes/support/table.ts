import { csvFields } from '../../../../src/ingest/inputs/csv-line.ts';
import { fileStart } from '../../../../src/ingest/shapes/scan-shaped.ts';
import { TABLE_SHAPES } from '../../../../src/ingest/shapes/shapes.ts';

/** Header and rows of the first shape that a text has, or `plain` if it has none. */
export function rowsOfTable(name: string, text: string): readonly (readonly string[])[] | 'plain' {
  const start = fileStart(name, { head: text, tail: text, bytes: Buffer.byteLength(text) })!;
  for (const { recognise } of TABLE_SHAPES) {
    const table = recognise(start);
    if (table === undefined) continue;
    const lines = text.trimEnd().split('\n').slice(table.headerLines);
    return [table.header, ...lines.flatMap((line) => table.rows(csvFields(line, start.delimiter)))];
  }
  return 'plain';
}
