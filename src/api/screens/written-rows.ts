/** Rows of a page in the format of a response, as a message takes them. */

import { arrowFromTable } from '../responses/arrow-stream.ts';
import { parquetFromTable } from '../responses/parquet.ts';
import { csvFromTable } from '../responses/table-response.ts';
import type { ScreenPage, ScreenRequest } from './messages.ts';
import { jsonRows, tableOfRows } from './page.ts';
import type { Screened } from './screened.ts';

const WRITERS = { csv: csvFromTable, arrow: arrowFromTable, parquet: parquetFromTable };

export function writtenRows(
  screened: Screened,
  rows: Int32Array,
  { format, digits }: Pick<ScreenRequest, 'format' | 'digits'>,
): ScreenPage['rows'] {
  if (format === 'json') return jsonRows(screened, rows, digits);
  // Memory of its own, which a message can take along.
  return new Uint8Array(WRITERS[format](tableOfRows(screened, rows, digits)));
}
